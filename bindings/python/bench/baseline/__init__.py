"""Alternatives to the package, one file for each stack, each as good as the stack allows."""
