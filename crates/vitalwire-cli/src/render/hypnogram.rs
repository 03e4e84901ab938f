//! Hypnograms: a night as a line that steps between sleep stages.

use anstyle::{AnsiColor, Style};

use super::style::{FAINT, color, paint};

/// The rows of the hypnogram, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Awake,
    Rem,
    Light,
    Deep,
    /// Asleep in an unknown stage. Drawn only if it occurs.
    Asleep,
}

/// The rows of every hypnogram.
const USUAL_LEVELS: [Level; 4] = [Level::Awake, Level::Rem, Level::Light, Level::Deep];

/// Weight of a minute awake, relative to a minute asleep, if several stages share a column. It keeps short wakings visible.
/// A column is about eight minutes of a night, so that a waking of one minute shows.
const AWAKE_WEIGHT: i64 = 8;

impl Level {
    /// Returns the row of a stage by its name on the wire. Returns `None` for names that are not sleep stages.
    pub(crate) fn from_stage(stage: &str) -> Option<Self> {
        Some(match stage {
            "awake" | "awake_in_bed" | "out_of_bed" => Self::Awake,
            "rem" => Self::Rem,
            "light" => Self::Light,
            "deep" => Self::Deep,
            "sleeping" | "nap" => Self::Asleep,
            _ => return None,
        })
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Awake => "Awake",
            Self::Rem => "REM",
            Self::Light => "Light",
            Self::Deep => "Deep",
            Self::Asleep => "Asleep",
        }
    }

    pub(crate) fn style(self) -> Style {
        color(match self {
            Self::Awake => AnsiColor::Yellow,
            Self::Rem => AnsiColor::Cyan,
            Self::Light => AnsiColor::BrightBlue,
            Self::Deep | Self::Asleep => AnsiColor::Magenta,
        })
    }

    fn weight(self) -> i64 {
        if self == Self::Awake { AWAKE_WEIGHT } else { 1 }
    }
}

/// A time span in one stage. Times are in seconds since any instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageSpan {
    pub(crate) level: Level,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Returns the stage of each column: the stage with the greatest weight in its time slice, the first of equals. `None` if none is known.
pub(crate) fn columns(spans: &[StageSpan], start: i64, end: i64, count: usize) -> Vec<Option<Level>> {
    let total = i128::from(end.saturating_sub(start).max(0));
    let parts = i64::try_from(count).unwrap_or(0);
    // Slices begin at whole seconds, so a slice differs from its exact length by at most one second.
    let edge = |part: i64| start + i64::try_from(total * i128::from(part) / i128::from(parts)).unwrap_or(0);
    (0..parts)
        .map(|part| {
            let (from, to) = (edge(part), edge(part + 1));
            let mut best = None;
            for level in USUAL_LEVELS.into_iter().chain([Level::Asleep]) {
                let level_spans = spans.iter().filter(|total| total.level == level);
                let shared: i64 = level_spans.map(|total| (total.end.min(to) - total.start.max(from)).max(0)).sum();
                let weight = shared * level.weight();
                if weight > best.map_or(0, |(most, _)| most) {
                    best = Some((weight, level));
                }
            }
            best.map(|(_, level)| level)
        })
        .collect()
}

/// Returns the rows of a hypnogram with these columns.
pub(crate) fn rows(columns: &[Option<Level>]) -> Vec<Level> {
    let asleep = columns.contains(&Some(Level::Asleep)).then_some(Level::Asleep);
    USUAL_LEVELS.into_iter().chain(asleep).collect()
}

/// Draws one row, one character per column. The line follows the row of each column's stage. If the stage changes, the column of the new
/// stage shows the step from the old row to the new one.
pub(crate) fn row(columns: &[Option<Level>], level: Level) -> String {
    let mut line = String::new();
    let mut run = String::new();
    let mut run_style = FAINT;
    for (mark, style) in cells(columns, level) {
        if style != run_style && !run.is_empty() {
            line.push_str(&paint(run_style, &run));
            run.clear();
        }
        run_style = style;
        run.push(mark);
    }
    line.push_str(&paint(run_style, &run));
    line
}

fn cells(columns: &[Option<Level>], level: Level) -> impl Iterator<Item = (char, Style)> {
    columns.iter().enumerate().map(move |(at, now)| {
        let before = at.checked_sub(1).and_then(|at| columns.get(at).copied().flatten());
        let Some(now) = *now else { return (' ', FAINT) };
        let from = before.unwrap_or(now);
        let (upper, lower) = (from.min(now), from.max(now));
        let own = level.style();
        if from == now {
            return if level == now { ('━', own) } else { (' ', FAINT) };
        }
        match (level == now, level == from) {
            // The line continues to the right here. It arrives from above or from below.
            (true, _) if now == lower => ('┗', own),
            (true, _) => ('┏', own),
            (_, true) if from == upper => ('┓', own),
            (_, true) => ('┛', own),
            _ if upper < level && level < lower => ('┃', FAINT),
            _ => (' ', FAINT),
        }
    })
}

#[cfg(test)]
mod tests;
