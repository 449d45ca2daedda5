"""The researchers' workbench: the pages under /workbench, the only ones with a session."""
