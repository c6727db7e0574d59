"""Reading text with the help of libraries."""
