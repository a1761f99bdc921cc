"""The CUDA backend of wale: the package wale opens the library that lies here."""
