"""The asv suite: run it with the configuration beside this file."""
