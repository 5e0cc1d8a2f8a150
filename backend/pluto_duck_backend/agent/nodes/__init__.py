"""The graph's nodes: one file, one public function each; state in, the changed part out."""
