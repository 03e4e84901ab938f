"""Pictures of nights and days by matplotlib: `pip install 'vitalwire[plot]'`.

```python
from vitalwire import plot

plot.hypnogram(night)                                    # stages of sleep as steps
plot.hypnogram(nights)                                   # several nights, one below the other on one clock
plot.samples(night, "heartrate")                         # one metric through a night
plot.trends(days, ["steps", "heartrate_resting"], rolling=7)   # statistics by day
```

Each draws into the axes that it is given, or into a new figure of its own, and returns the axes; none calls `show` or changes a
setting of matplotlib, so style sheets and backends are yours. matplotlib is imported when the first picture is drawn. A title is
yours to set: pictures say nothing about the person.
"""

from vitalwire.plot._hypnogram import hypnogram
from vitalwire.plot._samples import samples
from vitalwire.plot._trends import trends

__all__ = ["hypnogram", "samples", "trends"]
