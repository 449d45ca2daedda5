"""The operator's commands, which reach the store directly or through the running server."""
