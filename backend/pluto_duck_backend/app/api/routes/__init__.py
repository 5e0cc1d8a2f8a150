"""One file a resource; each makes its router from the workspace."""
