"""Formulas that weigh and fit: scores, shares of a budget, the packer. Pure."""
