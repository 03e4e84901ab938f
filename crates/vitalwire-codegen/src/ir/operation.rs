//! Operations: parameters, responses, and rules for sending.

use serde::{Deserialize, Serialize};

use super::features::Language;
use super::range::Range;
use super::types::{Docs, Member};
use crate::naming::pascal;

/// Location of a parameter in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ParamLocation {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// Field of the JSON body.
    Body,
}

/// A parameter of an operation. Fields of the JSON body are parameters too.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Param {
    /// Name, type and documentation.
    #[serde(flatten)]
    pub member: Member,
    /// Location in the request.
    pub place: ParamLocation,
    /// Minimum value, if the interface states one.
    pub minimum: Option<f64>,
    /// Maximum value, if the interface states one.
    pub maximum: Option<f64>,
    /// Minimum number of items, if the interface states one.
    pub min_items: Option<u64>,
    /// Maximum number of bytes before encoding, if a limit is known.
    pub max_bytes: Option<u64>,
    /// Accepted media types of a file, if the interface states them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<String>,
    /// Accepted names, if the specification restricts them to a part of the open set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Type of a response.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub enum ResponseType {
    /// No body (204).
    Nothing,
    /// One object.
    Model(String),
    /// A list of objects. `null` counts as an empty list.
    List(String),
}

impl ResponseType {
    /// Returns the model of the object, or of the items of a list.
    pub fn record(&self) -> Option<&str> {
        match self {
            Self::Nothing => None,
            Self::Model(name) | Self::List(name) => Some(name),
        }
    }
}

/// Amount that the numbers of a response refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Basis {
    /// The serving size of the record.
    PerServing,
    /// 100 g or 100 ml.
    Per100,
    /// Not stated by the interface.
    Unknown,
}

/// Whether an operation can be retried safely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Retry {
    /// Only reads; can always be retried.
    Safe,
    /// Has the same effect however often it is sent.
    Idempotent,
    /// May have another effect each time it is sent.
    Once,
}

/// The end of a long-running analysis, and how to poll for it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Wait {
    /// Operation that polls the record.
    pub poll: String,
    /// Response field with the record's id. `None` if the same call is repeated.
    pub id: Option<String>,
    /// Response field with the status.
    pub status: String,
    /// Statuses at which the analysis has ended.
    pub done: Vec<String>,
}

/// An operation of a service.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Operation {
    /// Languages that have the operation.
    pub languages: Vec<Language>,
    /// `operationId`, in snake case.
    pub id: String,
    /// Resource, in snake case.
    pub group: String,
    /// Name of the method within the resource, in snake case.
    pub method: String,
    /// Name of the service.
    pub service: String,
    /// HTTP method, in upper case.
    pub http: String,
    /// Path template.
    pub path: String,
    /// Parameters, required ones first. Otherwise in the order of the specification.
    pub params: Vec<Param>,
    /// Schema name of the request body.
    pub body: Option<String>,
    /// Type of the response.
    pub response: ResponseType,
    /// Success statuses.
    pub success: Vec<u16>,
    /// Documented response headers, in lower case. Used only to compare specifications.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// Whether a token is required.
    pub authenticated: bool,
    /// Whether and when it can be retried.
    pub retry: Retry,
    /// Whether a call may take minutes.
    pub long: bool,
    /// Amount that the numbers of the response refer to.
    pub basis: Option<Basis>,
    /// Maximum number of bytes of a request, if a limit is known.
    pub max_request_bytes: Option<u64>,
    /// End of its analysis, for waits.
    pub wait: Option<Wait>,
    /// Parameters that form a range of time.
    pub range: Option<Range>,
    /// Documentation.
    pub docs: Docs,
}

impl Operation {
    /// Returns the parameters in one location.
    pub fn params_in(&self, place: ParamLocation) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(move |param| param.place == place)
    }

    /// Returns the range if both bounds are required.
    pub fn required_range(&self) -> Option<&Range> {
        let bounds = |range: &Range| self.params.iter().filter(|param| param.member.required && range.is_bound(param)).count();
        self.range.as_ref().filter(|range| bounds(range) == 2)
    }

    /// Returns the name of the parameters' type, such as `SleepsGetParams`.
    pub fn type_name(&self) -> String {
        pascal(&format!("{}_{}_params", self.group, self.method))
    }
}

impl Range {
    /// Whether a parameter is a bound of the range.
    pub fn is_bound(&self, param: &Param) -> bool {
        [&self.from, &self.to].contains(&&param.member.wire)
    }
}
