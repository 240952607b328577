"""The prompt at the bottom of the screen. Loaded when a session starts: what is here may import prompt_toolkit."""
