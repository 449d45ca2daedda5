"""One file per feature; vectors are shared by Python and JavaScript."""
