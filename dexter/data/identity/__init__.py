"""Who is meant: tickers, share classes, names, former names, and words of a question that only look like tickers."""
