"""The scripted run that shows every panel: `python -m dexter.demo`."""
