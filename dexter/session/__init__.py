"""The interactive session: a conversation, one run at a time, and the commands beside it."""
