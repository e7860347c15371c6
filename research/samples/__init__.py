"""Documents shipped with the product, so that there is something to research at once."""
