"""What a person or a program sees of a run: events as panels, plain lines, or JSON."""
