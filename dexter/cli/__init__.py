"""The command line: one file a command. Commands parse, call `app`, and leave errors to the edge."""
