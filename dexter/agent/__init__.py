"""The agent: the while loop and its parts."""
