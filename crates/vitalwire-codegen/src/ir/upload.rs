//! Calls that send a file.

use serde::Serialize;

use super::{Operation, Param, Type};

/// Wire names of the parameters for the file, its URL and its file name.
const BODY: &str = "body";
const URL: &str = "body_url";
const FILENAME: &str = "filename";

/// Kind of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Upload {
    /// An image, sent as bytes or as a URL.
    Image,
    /// A document with its file name.
    Document,
}

impl Upload {
    /// Returns the kind of file that an operation sends. `None` if it sends no file.
    pub fn from_operation(operation: &Operation) -> Option<Self> {
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

    /// Returns the wire name of the parameter that holds the file's URL.
    pub fn url_parameter(self, operation: &Operation) -> Option<&str> {
        let url_parameter = operation.params.iter().find(|param| self == Self::Image && param.member.name == URL)?;
        Some(&url_parameter.member.wire)
    }

    /// Whether a parameter can be derived from the file and so may be left out.
    pub fn is_derivable(self, param: &Param) -> bool {
        self == Self::Document && param.member.name == FILENAME
    }

    /// Whether a parameter is part of the upload: the file, its name or its URL.
    pub fn is_part(self, param: &Param) -> bool {
        self.is_file(param) || self.is_derivable(param) || self == Self::Image && param.member.name == URL
    }
}
