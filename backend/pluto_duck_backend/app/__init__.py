"""The application: HTTP on top (main, api), services below, core at the bottom. Imports nothing itself."""
