"""Where state is kept: files, PostgreSQL, Redis or S3 behind the interfaces of `core/state.py`.

    settings state.* ─▶ places.open_places ─▶ Places(sessions, memory, artifacts)

`Workspace` opens them; a library is loaded only where an address names its server. `contract_suite.py` says what every
backend has to do, also those of others.
"""
