"""Every page ever read, the cache, collections of documents and named sets of sites."""
