//! Options for uploads and for waiting for their analysis.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use vitalwire::open_sets::{AnalysisMode, NutrientName};
use vitalwire::value::Timestamp;

use super::name_parser::NameParser;
use super::range::parse_instant;

/// The word that requests every nutrient.
pub(crate) const ALL: &str = "all";

/// Options of waiting after an upload.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct UploadWaitOptions {
    /// Wait until the analysis ends and show its result. Exit code 20 if the analysis failed
    #[arg(long)]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) options: WaitOptions,
}

/// Options of every wait.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct WaitOptions {
    /// Maximum time to wait for the analysis, in seconds [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,
}

/// Options of `nutrition upload`.
#[derive(Args, Debug)]
pub(crate) struct MealUpload {
    /// Picture to send (JPEG, PNG or WebP), - for stdin, or an http or https URL that the service downloads. With --sandbox,
    /// defaults to a synthetic picture
    #[arg(value_name = "FILE|URL", value_hint = ValueHint::FilePath)]
    pub(crate) picture: Option<OsString>,
    /// Send the file even if it does not look like a JPEG, PNG or WebP. Without this option, the command asks for confirmation
    /// on a terminal and fails otherwise
    #[arg(long)]
    pub(crate) any_format: bool,
    #[command(flatten)]
    pub(crate) wait_options: UploadWaitOptions,
    /// Remove metadata, such as the place where the picture was taken, before sending. JPEG, PNG and WebP only
    #[arg(long)]
    pub(crate) strip_metadata: bool,
    /// Request ingredients, Nutri-Score and a description of the dish
    #[arg(long)]
    pub(crate) details: bool,
    /// Nutrients to estimate, such as energy_kcal,protein_g. `all` requests every nutrient. Unknown names are sent to the service
    /// unchanged. Defaults to energy, fat, carbohydrate and protein
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = NameParser::for_set::<NutrientName>().with_word(ALL))]
    pub(crate) fields: Vec<String>,
    /// Country code of two lower-case letters, such as de. Together with --language, improves recognition of regional food
    #[arg(long, value_name = "CODE")]
    pub(crate) country: Option<String>,
    /// Language code for translated names: two lower-case letters, such as en
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Mode of the analysis. Unknown names are sent to the service unchanged [default: precise]
    #[arg(long, value_name = "MODE", value_parser = NameParser::for_set::<AnalysisMode>())]
    pub(crate) mode: Option<String>,
    /// Time of the meal, such as 2025-11-20T22:00:00Z. Without an offset the time is UTC. Defaults to now
    #[arg(long, value_name = "DATE-TIME", value_parser = parse_instant)]
    pub(crate) consumed_at: Option<Timestamp>,
}

/// Options of `labs upload`.
#[derive(Args, Debug)]
pub(crate) struct ReportUpload {
    /// Document to send (PDF, JPEG or PNG), or - for stdin. With --sandbox, defaults to a synthetic document
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Send the file even if it does not look like a PDF, JPEG or PNG. Without this option, the command asks for confirmation
    /// on a terminal and fails otherwise
    #[arg(long)]
    pub(crate) any_format: bool,
    /// File name to send instead of the file's own name. Required for stdin and pipes
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) wait_options: UploadWaitOptions,
}

impl UploadWaitOptions {
    /// Returns an error text if these options contradict each other.
    pub(super) fn contradiction(self) -> Option<&'static str> {
        (!self.wait && self.options.timeout.is_some()).then_some("--timeout applies to waits: add --wait")
    }
}

fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let invalid = "must be a number of seconds above 0";
    let seconds = text.parse::<f64>().map_err(|_| invalid)?;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_above_zero() {
        assert_eq!(parse_seconds("1.5"), Ok(Duration::from_millis(1_500)));
        for text in ["0", "-1", "inf", "NaN", "soon", ""] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
