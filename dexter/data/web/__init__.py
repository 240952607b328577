"""The open web: a network that reaches public addresses only, pages as readable text, and search by vendors."""
