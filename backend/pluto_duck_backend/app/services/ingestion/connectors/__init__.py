"""One module a connector; `registry` lists them."""
