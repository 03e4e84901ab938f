"""Baselines: one module per stack of other packages. Each is as fast as its stack allows."""

import vitalwire

#: Names of all statistics.
STATISTICS = [value for name, value in vars(vitalwire.StatisticName).items() if name.isupper()]
