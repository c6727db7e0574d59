"""The technologies behind the ports."""
