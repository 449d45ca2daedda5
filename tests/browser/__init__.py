"""A real Chromium against a real server on a real socket."""

from playwright.sync_api import expect

# A machine may be busy: what comes at all is waited for.
expect.set_options(timeout=60_000)
