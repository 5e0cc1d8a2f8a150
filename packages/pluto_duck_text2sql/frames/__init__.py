"""Questions of a fixed frame, whose parts are questions of their own: shares, spans, two periods, the best of each."""
