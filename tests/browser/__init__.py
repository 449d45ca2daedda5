"""A real Chromium against a real server on a real socket."""
