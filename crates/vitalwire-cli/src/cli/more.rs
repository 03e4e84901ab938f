//! Options of the commands about meals, laboratory reports, integrations, tokens and webhooks.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use vitalwire::open_sets::ProviderSlug;

use super::MealTable;
use super::names::Names;
use super::range::{Bound, InParts, bound};
use super::tables::HIDDEN;
use super::upload::{MealUpload, Patience, ReportUpload};

/// A time range to list.
#[derive(Args, Debug)]
pub(crate) struct TimeRange {
    /// Start: a date-time such as 2025-11-20T22:00:00Z, or a date (in UTC). Default: a week (meals) or a year (reports) ago
    #[arg(long, value_name = "DATE[-TIME]", value_parser = bound)]
    pub(crate) from: Option<Bound>,
    /// End: a date-time (exclusive) or a date (inclusive). Default: no end
    #[arg(long, value_name = "DATE[-TIME]", value_parser = bound)]
    pub(crate) to: Option<Bound>,
    #[command(flatten)]
    pub(crate) in_parts: InParts,
}

/// Meals.
#[derive(Debug, Subcommand)]
pub(crate) enum Nutrition {
    /// List the meals of a time range
    List {
        #[command(flatten)]
        range: TimeRange,
        /// Which table csv, parquet and arrow write [default: records]
        #[arg(long, hide = HIDDEN)]
        table: Option<MealTable>,
    },
    /// One meal
    Get {
        id: String,
        /// Which table csv, parquet and arrow write [default: records]
        #[arg(long, hide = HIDDEN)]
        table: Option<MealTable>,
    },
    /// Send a picture of food
    Upload(MealUpload),
    /// Wait until a meal's analysis has ended, and show it. Exit code 20 if it failed
    Wait {
        id: String,
        #[command(flatten)]
        patience: Patience,
    },
    /// Change how much of a meal was eaten: its numbers change in proportion
    Update {
        id: String,
        /// How much was eaten, in the record's unit (g or ml)
        #[arg(long, value_name = "AMOUNT")]
        serving_size: f64,
    },
    /// Delete one meal. It cannot be restored
    Delete { id: String },
}

/// Laboratory reports.
#[derive(Debug, Subcommand)]
pub(crate) enum Labs {
    /// List the reports of a time range
    List(TimeRange),
    /// Send a laboratory's document
    Upload(ReportUpload),
    /// Wait until a report's analysis has ended, and show it. Exit code 20 if it failed
    Wait {
        id: String,
        #[command(flatten)]
        patience: Patience,
    },
    /// One report with its results
    Get { id: String },
}

/// Providers connected to the user.
#[derive(Debug, Subcommand)]
pub(crate) enum Integrations {
    /// Print the URL of a provider's consent page. Whoever has it can connect a provider to this user
    InitUrl {
        /// Such as oura; other names are sent too
        #[arg(value_parser = Names::of::<ProviderSlug>())]
        provider: String,
        /// URL to which the user returns
        #[arg(long, value_name = "URL")]
        redirect_uri: Option<String>,
        /// Returned unchanged, for the application to compare
        #[arg(long)]
        state: Option<String>,
        /// The user's name at the provider, which a few providers need
        #[arg(long, value_name = "NAME")]
        provider_user_id: Option<String>,
    },
    /// List the connected providers. With --format json, the whole answer about the user
    List,
    /// Disconnect a provider. Its data stay
    Delete {
        #[arg(value_parser = Names::of::<ProviderSlug>())]
        provider: String,
    },
}

/// Where a secret comes from.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) variable: Option<String>,
    pub(crate) file: Option<PathBuf>,
}

/// Options of `token`.
#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct TokenOptions {
    /// The application's id; --sandbox has one
    application_id: Option<i64>,
    /// The user's id in the application; --sandbox has one
    user_id: Option<String>,
    /// Environment variable with the signature of the user's id: HMAC-SHA256 under the application's key, in hex
    #[arg(long, value_name = "NAME", group = "proof")]
    signature_env: Option<String>,
    /// File with that signature, - for stdin
    #[arg(long, value_name = "FILE", group = "proof")]
    signature_file: Option<PathBuf>,
    /// Environment variable with the application's key, to sign here
    #[arg(long, value_name = "NAME", group = "proof")]
    key_env: Option<String>,
    /// File with that key, - for stdin. Line ends behind it are ignored
    #[arg(long, value_name = "FILE", group = "proof")]
    key_file: Option<PathBuf>,
}

/// Whom a token is for, and what proves that it may be asked for.
pub(crate) struct Token {
    pub(crate) application_id: Option<i64>,
    pub(crate) user_id: Option<String>,
    pub(crate) signature: Source,
    pub(crate) key: Source,
}

impl From<TokenOptions> for Token {
    fn from(options: TokenOptions) -> Self {
        Self {
            application_id: options.application_id,
            user_id: options.user_id,
            signature: Source { variable: options.signature_env, file: options.signature_file },
            key: Source { variable: options.key_env, file: options.key_file },
        }
    }
}

impl TokenOptions {
    /// Whether nothing has to come from a sandbox.
    pub(super) fn is_complete(&self) -> bool {
        let proof = self.signature_env.is_some() || self.signature_file.is_some() || self.key_env.is_some() || self.key_file.is_some();
        self.application_id.is_some() && self.user_id.is_some() && proof
    }
}

/// Webhooks, on this machine alone.
#[derive(Debug, Subcommand)]
pub(crate) enum Webhook {
    /// Verify a body's signature, then read the body. Exit code 15 if the signature does not match
    Verify(Verify),
}

/// Options of `webhook verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// Environment variable with a key. Several keys, from variables and files, serve a rotation: one has to match
    #[arg(long, value_name = "NAME", required_unless_present = "key_file")]
    pub(crate) key_env: Vec<String>,
    /// File with a key, - for stdin. Line ends behind it are ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Vec<PathBuf>,
    /// The value of the header X-Body-Signature
    #[arg(long, value_name = "HEX")]
    pub(crate) signature: String,
    /// Kind of the webhook. Default: detected from the body
    #[arg(long)]
    pub(crate) kind: Option<Kind>,
    /// The body, byte for byte as it came; - for stdin
    pub(crate) file: PathBuf,
}

/// What a webhook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Events,
    LabReport,
    Nutrition,
}

impl Verify {
    /// Where the keys are.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Source> {
        let variables = self.key_env.iter().map(|name| Source { variable: Some(name.clone()), file: None });
        variables.chain(self.key_file.iter().map(|path| Source { variable: None, file: Some(path.clone()) }))
    }

    /// Why these options cannot be meant together.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let stdin = |path: &&PathBuf| path.as_os_str() == "-";
        let readers = self.key_file.iter().chain([&self.file]).filter(stdin).count();
        (readers > 1).then_some("stdin can be read once: name a file for the key or for the body")
    }
}
