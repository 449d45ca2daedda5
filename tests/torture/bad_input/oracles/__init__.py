"""What documents and reports may say, written a second time and without the product."""
