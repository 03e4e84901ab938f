//! An operation: its parameters, its answer, and how it is sent.

use serde::{Deserialize, Serialize};

use super::faces::Face;
use super::range::Range;
use super::types::{Docs, Member};
use crate::naming::pascal;

/// Where a parameter travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ParamLocation {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// As a member of the JSON body.
    Body,
}

/// A parameter of a call; body members are parameters like the others.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Param {
    /// Name, type and documentation.
    #[serde(flatten)]
    pub member: Member,
    /// Where it travels.
    pub place: ParamLocation,
    /// Least value, where the interface states one.
    pub minimum: Option<f64>,
    /// Largest value, where the interface states one.
    pub maximum: Option<f64>,
    /// Least number of items, where the interface states one.
    pub min_items: Option<u64>,
    /// Most bytes before encoding, where a limit is known.
    pub max_bytes: Option<u64>,
    /// Media types of a file that the service takes, where the interface states them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<String>,
    /// The names that the service takes there, where the specification lists them apart from those of the type's open set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// What a call answers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Answer {
    /// Nothing (204).
    Nothing,
    /// An object.
    Model(String),
    /// A list of objects; `null` is an empty one.
    List(String),
}

/// What numbers in an answer refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Basis {
    /// The serving size of the record.
    PerServing,
    /// 100 g or 100 ml.
    Per100,
    /// The interface does not say.
    Unknown,
}

/// When a call may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Retry {
    /// Reads only.
    Safe,
    /// The same effect however often it is sent.
    Idempotent,
    /// Each sending may have an effect.
    Once,
}

/// How a long-running analysis ends.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Wait {
    /// The operation that reads the record again.
    pub poll: String,
    /// Where the answer holds the id to read by; `None` where the same call is made again.
    pub id: Option<String>,
    /// The member that holds its status.
    pub status: String,
    /// The statuses at which it has ended.
    pub done: Vec<String>,
}

/// A call.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Operation {
    /// The languages that have it.
    pub faces: Vec<Face>,
    /// `operationId`, snake case.
    pub id: String,
    /// Resource, snake case.
    pub group: String,
    /// Name within the resource, snake case.
    pub method: String,
    /// Service name.
    pub service: String,
    /// HTTP method, upper case.
    pub http: String,
    /// Path template.
    pub path: String,
    /// Parameters: required ones first, each part in the order of the specification.
    pub params: Vec<Param>,
    /// The request body's schema.
    pub body: Option<String>,
    /// The answer.
    pub answer: Answer,
    /// Statuses of success.
    pub success: Vec<u16>,
    /// Response headers that the specification states, lower case. Compared between contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// Whether it needs a token.
    pub authenticated: bool,
    /// When it may be sent again.
    pub retry: Retry,
    /// Whether it may take minutes.
    pub long: bool,
    /// What numbers in the answer refer to.
    pub basis: Option<Basis>,
    /// Most bytes of a request, where a limit is known.
    pub max_request_bytes: Option<u64>,
    /// How its analysis ends.
    pub wait: Option<Wait>,
    /// Which parameters make a range of time.
    pub range: Option<Range>,
    /// Documentation.
    pub docs: Docs,
}

impl Operation {
    /// The parameters that travel in one place.
    pub fn params_in(&self, place: ParamLocation) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(move |param| param.place == place)
    }

    /// Its range, where both bounds must be given.
    pub fn required_range(&self) -> Option<&Range> {
        let bounds = |range: &Range| self.params.iter().filter(|param| param.member.required && range.is_bound(param)).count();
        self.range.as_ref().filter(|range| bounds(range) == 2)
    }

    /// The type name of its parameters: `SleepsGetParams`.
    pub fn type_name(&self) -> String {
        pascal(&format!("{}_{}_params", self.group, self.method))
    }
}

impl Range {
    /// Whether a parameter is one of the two bounds.
    pub fn is_bound(&self, param: &Param) -> bool {
        [&self.from, &self.to].contains(&&param.member.wire)
    }
}
