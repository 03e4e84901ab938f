//! Sparklines: a series as one line of small bars.

/// The bars, from the minimum to the maximum.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The bar of a constant series. A series of zeros has the lowest bar.
const CONSTANT_BAR: char = '▄';

/// Draws one bar per value. A missing value is a space. The minimum has the lowest bar, the maximum the highest.
pub(crate) fn sparkline(values: &[Option<f64>]) -> String {
    let finite = || values.iter().flatten().copied().filter(|value| value.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    let span = finite().fold(f64::NEG_INFINITY, f64::max) - least;
    let mark = |value: f64| {
        if !value.is_finite() {
            return ' ';
        }
        if span <= 0.0 {
            return if value == 0.0 { BARS[0] } else { CONSTANT_BAR };
        }
        let top = BARS.len() - 1;
        // Between 0 and 7, so the conversion to an integer is exact.
        let step = ((value - least) / span * top as f64).round() as usize;
        BARS[step.min(top)]
    };
    values.iter().map(|value| value.map_or(' ', mark)).collect()
}

/// Draws each bar several columns wide.
pub(crate) fn wide_sparkline(values: &[Option<f64>], columns: usize) -> String {
    sparkline(values).chars().flat_map(|mark| std::iter::repeat_n(mark, columns)).collect()
}

/// Returns the time-weighted mean of the values in each column of a chart. A stretch is (start, end, value), with start, end and `span` in
/// the same unit. A column without any stretch is missing.
pub(crate) fn resample(spans: &[(f64, f64, f64)], span: f64, columns: usize) -> Vec<Option<f64>> {
    let slice = span / columns as f64;
    (0..columns)
        .map(|column| {
            let from = slice * column as f64;
            let mut time = 0.0;
            let mut sum = 0.0;
            for (start, end, value) in spans {
                let shared = end.min(from + slice) - start.max(from);
                if shared > 0.0 {
                    time += shared;
                    sum += shared * value;
                }
            }
            (time > 0.0).then(|| sum / time)
        })
        .collect()
}

#[cfg(test)]
mod tests;
