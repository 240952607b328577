"""What is configured, missing or wrong, each with the command that mends it. Opens no socket unless asked."""
