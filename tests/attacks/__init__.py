"""What strangers have tried: a table a kind of attack, each carried out from outside. None may succeed."""
