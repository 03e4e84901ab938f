"""Plots of nights and days with matplotlib. Install them with `pip install 'vitalwire[plot]'`.

```python
from vitalwire import plot

plot.hypnogram(night)                                    # stages of sleep as steps
plot.hypnogram(nights)                                   # several nights, stacked on a common time axis
plot.samples(night, "heartrate")                         # one metric of a night
plot.trends(days, ["steps", "heartrate_resting"], rolling=7)   # daily statistics
plot.weekdays(days, "steps")                             # distribution by weekday
plot.before_after(days, "steps", "2025-11-01")           # means of two periods, with confidence intervals
plot.sleep_timing(search)                                # when somebody sleeps; style="actogram" shows two days in a row
plot.glucose(night, meals)                               # glucose with meals
plot.coverage({"anna": days, "ben": nights})             # which days have data
```

Each function also accepts tables, and frames of pandas and polars. The people of a table of `vitalwire.concat` have their own colours and a
legend with their keys.

Each function draws into `ax` or into a new figure, and returns the axes. It does not call `show` or change matplotlib settings, so you
can use any style sheet and backend. matplotlib is imported at the first plot. Plots have no title and no personal data.
"""

from vitalwire.plot._comparison import before_after
from vitalwire.plot._coverage import coverage
from vitalwire.plot._glucose import glucose
from vitalwire.plot._hypnogram import hypnogram
from vitalwire.plot._samples import samples
from vitalwire.plot._timing import sleep_timing
from vitalwire.plot._trends import trends
from vitalwire.plot._weekdays import weekdays

__all__ = ["before_after", "coverage", "glucose", "hypnogram", "samples", "sleep_timing", "trends", "weekdays"]
