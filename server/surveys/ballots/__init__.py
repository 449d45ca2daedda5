"""Which reports of a batch are taken: pure rules, in order of arrival."""
