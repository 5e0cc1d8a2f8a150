"""Boards: answers pinned side by side, run again on demand, seen on one page or sent as one file.

    run | query ─▶ Tile ─▶ configs/boards/<board>.toml        (what is asked: people read and edit it)
    refresh ─▶ guard, rights ─▶ artifacts/boards/<board>/<tile>.json   (what came of it last)
    both ─▶ shown (API, page, terminal) | document (one HTML file)

`Workspace.boards` is the door. What must stay true: a tile's query runs with the rights of who asks, like any other; a
failure never takes the last result's place, and never looks like one.
"""
