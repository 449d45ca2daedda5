"""Tests that kill, cut, flood and mutate: small in `make test`, at full scale in `make torture`."""
