"""The steps of the pipeline, one file each; the listing is the vocabulary."""
