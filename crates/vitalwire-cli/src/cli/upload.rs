//! Options of commands that send files and wait for their analysis.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use vitalwire::open_sets::{AnalysisMode, NutrientName};
use vitalwire::value::Timestamp;

use super::names::Names;
use super::stats::instant;

/// The word that stands for every nutrient.
pub(crate) const ALL: &str = "all";

/// Whether to wait for an analysis, and how long.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// Wait until the analysis has ended, and show its result. Exit code 20 if it failed
    #[arg(long)]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) patience: Patience,
}

/// How long to wait.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// How long to wait, in seconds [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

/// Options of `nutrition upload`.
#[derive(Args, Debug)]
pub(crate) struct MealUpload {
    /// The picture (JPEG, PNG or WebP), - for stdin, or the http or https address where the service finds it. With --sandbox, a synthetic
    /// one without it
    #[arg(value_name = "FILE|URL")]
    pub(crate) picture: Option<String>,
    /// Send the file also where its first bytes are those of no JPEG, PNG or WebP. Without it you are asked, or refused where no terminal is
    #[arg(long)]
    pub(crate) any_format: bool,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
    /// Send the same picture without what it tells besides, such as where it was taken. JPEG, PNG and WebP files only
    #[arg(long)]
    pub(crate) strip_metadata: bool,
    /// Ask for ingredients, Nutri-Score and description too
    #[arg(long)]
    pub(crate) details: bool,
    /// Which nutrients to work out, such as energy_kcal,protein_g; all for every one. Without it, energy, fat, carbohydrate and protein
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = Names::of::<NutrientName>().or(ALL))]
    pub(crate) fields: Vec<String>,
    /// Country, two lower-case letters; with --language, food of the region is known
    #[arg(long, value_name = "CODE")]
    pub(crate) country: Option<String>,
    /// Language of translated names, two lower-case letters
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// How the picture is analysed; precise without it
    #[arg(long, value_name = "MODE", value_parser = Names::of::<AnalysisMode>())]
    pub(crate) mode: Option<String>,
    /// When it was eaten, a date-time such as 2025-11-20T22:00:00Z; now without it
    #[arg(long, value_name = "DATE-TIME", value_parser = instant)]
    pub(crate) consumed_at: Option<Timestamp>,
}

/// Options of `labs upload`.
#[derive(Args, Debug)]
pub(crate) struct ReportUpload {
    /// The document, - for stdin. With --sandbox, a synthetic one without it
    pub(crate) file: Option<PathBuf>,
    /// Send the file also where its first bytes are those of no PDF, JPEG or PNG. Without it you are asked, or refused where no terminal is
    #[arg(long)]
    pub(crate) any_format: bool,
    /// The file name that the service is told, instead of the file's own, which may be personal
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

impl Waiting {
    /// Why these options cannot be meant together.
    pub(super) fn contradiction(self) -> Option<&'static str> {
        (!self.wait && self.patience.timeout.is_some()).then_some("--timeout says how long to wait: add --wait")
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let refused = "not a number of seconds above 0";
    let seconds = text.parse::<f64>().map_err(|_| refused)?;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_above_zero() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1_500)));
        for text in ["0", "-1", "inf", "NaN", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
