"""What tests share: servers that speak on loopback, small worlds, samples of documents and runs."""
