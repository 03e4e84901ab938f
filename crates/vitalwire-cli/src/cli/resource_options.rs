//! Options of the commands for meals, laboratory reports, integrations, tokens and webhooks.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use vitalwire::open_sets::ProviderSlug;

use super::MealTable;
use super::day::date_candidates;
use super::name_parser::NameParser;
use super::number_parser::{NUMBER, WHOLE, number};
use super::range::{Bound, PartOptions, parse_bound};
use super::tables::HIDE_TABLE_OPTIONS;
use super::upload::{MealUpload, ReportUpload, WaitOptions};

/// Help of `--from` of `labs list`.
const REPORTS_FROM: &str = "Start: a time such as 2025-11-20T22:00:00Z, or a date such as 2025-11-20, yesterday or -14d. A date starts at \
                            midnight in --time-zone, or in the user's time zone without that option. Defaults to 365 days ago";

/// A time range to list.
#[derive(Args, Debug)]
pub(crate) struct TimeRange {
    /// Start: a time such as 2025-11-20T22:00:00Z, or a date such as 2025-11-20, yesterday or -14d. A date starts at midnight in
    /// --time-zone, or in the user's time zone without that option. Defaults to 7 days ago
    #[arg(long, value_name = "DATE|DATE-TIME", value_parser = parse_bound, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Option<Bound>,
    /// End: a time (exclusive) or a date (inclusive), such as 2025-11-20, today or -1d. Dates use the same time zone as --from. Defaults to
    /// no end
    #[arg(long, value_name = "DATE|DATE-TIME", value_parser = parse_bound, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) to: Option<Bound>,
    #[command(flatten)]
    pub(crate) part_options: PartOptions,
}

/// Commands of `nutrition`.
#[derive(Debug, Subcommand)]
pub(crate) enum NutritionCommand {
    /// List the meals of a time range
    List {
        #[command(flatten)]
        range: TimeRange,
        /// Table to write with csv, parquet and arrow [default: records]
        #[arg(long, hide = HIDE_TABLE_OPTIONS)]
        table: Option<MealTable>,
    },
    /// Show one meal
    Get {
        /// Id of the meal, as `vitalwire nutrition list` prints it
        id: String,
        /// Table to write with csv, parquet and arrow [default: records]
        #[arg(long, hide = HIDE_TABLE_OPTIONS)]
        table: Option<MealTable>,
    },
    /// Send a picture of food for analysis
    ///
    /// An upload that may have arrived is not retried. If the response is lost, check the list of meals before uploading again.
    Upload(MealUpload),
    /// Wait until the analysis of a meal ends and show the meal
    ///
    /// The exit code is 20 if the analysis failed.
    Wait {
        /// Id of the meal, as `vitalwire nutrition list` prints it
        id: String,
        #[command(flatten)]
        wait_options: WaitOptions,
    },
    /// Change the amount eaten
    ///
    /// The nutrient values of the meal change in proportion.
    Update {
        /// Id of the meal, as `vitalwire nutrition list` prints it
        id: String,
        /// Amount eaten, in the unit of the meal (g or ml)
        #[arg(long, value_name = "AMOUNT", value_parser = number(f64::MIN..=f64::MAX, NUMBER), allow_negative_numbers = true)]
        serving_size: f64,
    },
    /// Delete one meal
    ///
    /// A deleted meal cannot be restored. On a terminal, shows the meal and asks for confirmation.
    Delete {
        /// Id of the meal, as `vitalwire nutrition list` prints it
        id: String,
        /// Delete without confirmation. Confirmation is requested only on a terminal
        #[arg(long, short)]
        yes: bool,
    },
}

/// Commands of `labs`.
#[derive(Debug, Subcommand)]
pub(crate) enum LabsCommand {
    /// List the reports of a time range
    #[command(mut_arg("from", |from| from.help(REPORTS_FROM)))]
    List(TimeRange),
    /// Send a laboratory report for analysis
    ///
    /// An upload that may have arrived is not retried. If the response is lost, check the list of reports before uploading again.
    Upload(ReportUpload),
    /// Wait until the analysis of a report ends and show the report
    ///
    /// The exit code is 20 if the analysis failed.
    Wait {
        /// Id of the report, as `vitalwire labs list` prints it
        id: String,
        #[command(flatten)]
        wait_options: WaitOptions,
    },
    /// Show one report with its results
    Get {
        /// Id of the report, as `vitalwire labs list` prints it
        id: String,
    },
}

/// Commands of `integrations`.
#[derive(Debug, Subcommand)]
pub(crate) enum IntegrationsCommand {
    /// Print the URL of a provider's consent page
    ///
    /// Keep the URL secret: anyone who opens it can connect a provider to this user.
    InitUrl {
        /// Provider to connect, such as oura. Unknown names are sent to the service unchanged
        #[arg(value_parser = NameParser::for_set::<ProviderSlug>())]
        provider: String,
        /// URL to return to after the consent
        #[arg(long, value_name = "URL")]
        redirect_uri: Option<String>,
        /// Value that the redirect returns unchanged. The application compares it with the value it sent, to detect forged redirects
        #[arg(long, value_name = "TEXT")]
        state: Option<String>,
        /// Id of the user at the provider, such as an e-mail address. Some providers require it
        #[arg(long, value_name = "ID")]
        provider_user_id: Option<String>,
    },
    /// List the connected providers
    ///
    /// With --format json, prints the complete response of `vitalwire user`.
    List,
    /// Disconnect a provider
    ///
    /// Data already received is kept. On a terminal, asks for confirmation.
    Delete {
        /// Provider to disconnect, as `vitalwire integrations list` prints it. Unknown names are sent to the service unchanged
        #[arg(value_parser = NameParser::for_set::<ProviderSlug>())]
        provider: String,
        /// Disconnect without confirmation. Confirmation is requested only on a terminal
        #[arg(long, short)]
        yes: bool,
    },
}

/// Source of a secret.
#[derive(Debug, Default)]
pub(crate) struct SecretSource {
    pub(crate) variable: Option<String>,
    pub(crate) file: Option<PathBuf>,
}

/// Options of `token`.
#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct TokenOptions {
    /// Id of the application. Optional with --sandbox
    #[arg(value_parser = number(i64::MIN..=i64::MAX, WHOLE), allow_negative_numbers = true)]
    pub(crate) application_id: Option<i64>,
    /// Id of the user in the application. Optional with --sandbox
    pub(crate) user_id: Option<String>,
    /// Environment variable with the signature of the user id: HMAC-SHA256 with the application's key, in hex
    #[arg(long, value_name = "NAME", group = "proof")]
    signature_env: Option<String>,
    /// File with the signature, or - for stdin
    #[arg(long, value_name = "FILE", group = "proof")]
    signature_file: Option<PathBuf>,
    /// Environment variable with the application's key. The signature is computed locally; the key is not sent
    #[arg(long, value_name = "NAME", group = "proof")]
    key_env: Option<String>,
    /// File with the application's key, or - for stdin. Line breaks after the key are ignored
    #[arg(long, value_name = "FILE", group = "proof")]
    key_file: Option<PathBuf>,
}

impl TokenOptions {
    /// Returns the source of the signature.
    pub(crate) fn signature(&self) -> SecretSource {
        SecretSource { variable: self.signature_env.clone(), file: self.signature_file.clone() }
    }

    /// Returns the source of the application's key.
    pub(crate) fn key(&self) -> SecretSource {
        SecretSource { variable: self.key_env.clone(), file: self.key_file.clone() }
    }

    /// Whether all values are given, so that none is needed from a sandbox.
    pub(super) fn is_complete(&self) -> bool {
        let proof = self.signature_env.is_some() || self.signature_file.is_some() || self.key_env.is_some() || self.key_file.is_some();
        self.application_id.is_some() && self.user_id.is_some() && proof
    }
}

/// Commands of `webhook`.
#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    /// Verify the signature of a webhook body and show the body
    ///
    /// Makes no request. The exit code is 15 if the signature does not match. A signature has no time: recognise a body that was sent before
    /// by its content.
    Verify(VerifyOptions),
}

/// Options of `webhook verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyOptions {
    /// Environment variable with a webhook key. Repeat --key-env or --key-file during a key rotation: the signature must match one of the
    /// keys
    #[arg(long, value_name = "NAME", required_unless_present = "key_file")]
    pub(crate) key_env: Vec<String>,
    /// File with a webhook key of at least 16 bytes, or - for stdin. Line breaks after the key are ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Vec<PathBuf>,
    /// Value of the X-Body-Signature header
    #[arg(long, value_name = "HEX")]
    pub(crate) signature: String,
    /// Kind of the webhook. Detected from the body by default
    #[arg(long)]
    pub(crate) kind: Option<WebhookKindOption>,
    /// File with the body exactly as received, or - for stdin
    pub(crate) file: PathBuf,
}

/// Kinds of webhooks. The aliases are the names in the settings of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WebhookKindOption {
    #[value(alias = "main")]
    Events,
    #[value(alias = "lab_reports")]
    LabReport,
    #[value(alias = "nutrition_records")]
    Nutrition,
}

impl VerifyOptions {
    /// Returns the sources of the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = SecretSource> {
        let variables = self.key_env.iter().map(|name| SecretSource { variable: Some(name.clone()), file: None });
        variables.chain(self.key_file.iter().map(|path| SecretSource { variable: None, file: Some(path.clone()) }))
    }

    /// Returns an error text if these options contradict each other.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let stdin = |path: &&PathBuf| path.as_os_str() == "-";
        let readers = self.key_file.iter().chain([&self.file]).filter(stdin).count();
        (readers > 1).then_some("stdin can be read only once: name a file for the key or for the body")
    }
}
