"""What the services need from the outside, by role; adapters keep these promises."""
