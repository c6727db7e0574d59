"""What goes in and out over HTTP, one file per noun."""
