//! Calls that send a file.

use serde::Serialize;

use super::{Operation, Param, Type};

/// The parameter that holds a file, the one for its address, and the one for its name, as specifications call them.
const BODY: &str = "body";
const URL: &str = "body_url";
const FILENAME: &str = "filename";

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Upload {
    /// A picture, by its bytes or its address.
    Image,
    /// A document and its name.
    Document,
}

impl Upload {
    /// What an operation sends, if it sends a file.
    pub fn of(operation: &Operation) -> Option<Self> {
        let has = |name: &str, required: bool| {
            operation.params.iter().any(|param| param.member.name == name && param.member.required == required)
        };
        let body = operation.params.iter().find(|param| param.member.name == BODY && param.member.ty == Type::Bytes)?;
        match body.member.required {
            false if has(URL, false) => Some(Self::Image),
            true if has(FILENAME, true) => Some(Self::Document),
            _ => None,
        }
    }

    /// Whether a parameter is the file.
    pub fn is_file(self, param: &Param) -> bool {
        param.member.name == BODY
    }

    /// The parameter that holds the file's URL, as on the wire.
    pub fn address(self, operation: &Operation) -> Option<&str> {
        let address = operation.params.iter().find(|param| self == Self::Image && param.member.name == URL)?;
        Some(&address.member.wire)
    }

    /// Whether a parameter may be left out, because the file can say it.
    pub fn may_say(self, param: &Param) -> bool {
        self == Self::Document && param.member.name == FILENAME
    }

    /// Whether a parameter says what a file, its name or its address says.
    pub fn says(self, param: &Param) -> bool {
        self.is_file(param) || self.may_say(param) || self == Self::Image && param.member.name == URL
    }
}
