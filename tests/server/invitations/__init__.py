"""Tests of server/invitations."""
