"""What context policies send, cost and keep, on recorded sessions; side by side with the original and with peers."""
