"""Baselines: one module per stack of other packages. Each is as fast as its stack allows."""
