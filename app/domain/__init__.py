"""Pure values and arithmetic: standard library only, `now` is always an argument."""
