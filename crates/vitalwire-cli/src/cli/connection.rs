//! Which service is called, and in which form its answer is printed.

use clap::{Args, ValueEnum};

use super::{Destination, World};

/// Options of every command that calls a service.
#[derive(Args, Clone, Debug)]
pub(crate) struct Connection {
    /// Call a sandbox that this command starts on a free port of this machine: synthetic people, no settings needed
    #[arg(long, global = true, help_heading = "Connection")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) world: World,
    /// Base URL of the health service, instead of VITALWIRE_BASE_URL. There is no option for a token: other users of this machine can
    /// read a program's arguments. Set VITALWIRE_TOKEN instead
    #[arg(long, global = true, value_name = "URL", help_heading = "Connection")]
    pub(crate) base_url: Option<String>,
    /// Base URL of the care service, instead of VITALWIRE_CARE_BASE_URL. Its token is VITALWIRE_CARE_TOKEN
    #[arg(long, global = true, value_name = "URL", help_heading = "Connection")]
    pub(crate) care_base_url: Option<String>,
    /// How to print the answer: for people (table, the default), or as it came, indented (json)
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: tables and pictures
    #[default]
    Table,
    /// As it came, indented
    Json,
}

impl Format {
    /// Whether it is no text, so that no terminal should see it.
    pub(crate) fn is_binary(self) -> bool {
        match self {
            Self::Table | Self::Json => false,
        }
    }
}

impl Connection {
    /// Why these options cannot be meant together, for a command that calls a service of the caller's choice.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        if self.sandbox && self.names_a_service() {
            Some("--sandbox calls a service of its own: --base-url and --care-base-url cannot go with it")
        } else if !self.sandbox && (self.world.seed.is_some() || self.world.today.is_some()) {
            Some("--seed and --today describe a sandbox: add --sandbox")
        } else {
            self.destination.contradiction()
        }
    }

    /// The same for a command that starts a sandbox anyway and prints a text of its own.
    pub(super) fn out_of_place(&self) -> Option<&'static str> {
        if self.names_a_service() {
            Some("this command has a sandbox of its own: --base-url and --care-base-url cannot go with it")
        } else if self.format.is_some() {
            Some("this command prints a text of its own: --format cannot go with it")
        } else if self.destination.is_given() {
            Some("this command talks to people as it goes: --output cannot go with it")
        } else {
            None
        }
    }

    /// Whether anything about a service is said.
    pub(super) fn is_given(&self) -> bool {
        self.names_a_service() || self.sandbox || self.world.seed.is_some() || self.world.today.is_some()
    }

    fn names_a_service(&self) -> bool {
        self.base_url.is_some() || self.care_base_url.is_some()
    }
}
