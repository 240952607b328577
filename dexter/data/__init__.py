"""Financial data: one provider interface, the providers behind it, and what they share."""
