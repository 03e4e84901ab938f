//! Format of unfinished outputs. A fuzz target includes this file, so this file uses no other file of the program.
//!
//! The file has lines of JSON: first the request, then one line per part, in order, with its body as received. The checksum of a line
//! covers all lines before it.

use std::io::{self, BufRead, Read};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use vitalwire::range::{Fingerprint, ResumeToken};

/// Version of the file format.
pub(crate) const VERSION: u32 = 2;
/// Maximum length of the first line.
const MAX_HEAD_BYTES: u64 = 4 << 20;
/// Maximum length of the line of a part.
const MAX_LINE_BYTES: u64 = 1 << 30;

/// The content of an unfinished output, up to the first incomplete or changed line.
pub(crate) struct Content {
    pub(crate) request: RangeRequest,
    /// Resume token of the whole range.
    pub(crate) whole_range: ResumeToken,
    /// Resume token of the remaining parts.
    pub(crate) remaining: Option<ResumeToken>,
    pub(crate) bodies: Vec<String>,
    /// Checksum of the last line.
    pub(crate) checksum: String,
    /// Number of bytes of the lines.
    pub(crate) length: u64,
}

impl Content {
    /// Reads a file. Returns a reason and a remedy for a file that cannot be continued.
    pub(crate) fn read(mut reader: impl BufRead) -> io::Result<Result<Self, (&'static str, &'static str)>> {
        let first = read_line(&mut reader, MAX_HEAD_BYTES)?.unwrap_or_default();
        let (head, whole_range) = match parse_head(&first) {
            Ok(head) => head,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut content = Self {
            request: head.content.request,
            remaining: Some(whole_range.clone()),
            whole_range,
            bodies: Vec::new(),
            checksum: head.checksum,
            length: first.len() as u64,
        };
        while let Some(line) = read_line(&mut reader, MAX_LINE_BYTES)? {
            let Some((part, left)) = parse_part(&line, &content.checksum) else { break };
            content.checksum = part.checksum;
            content.remaining = left;
            content.bodies.push(part.content.body);
            content.length += line.len() as u64;
        }
        Ok(Ok(content))
    }
}

/// The request of an unfinished output. Only the same command can continue it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RangeRequest {
    pub(crate) format: String,
    pub(crate) table: Option<String>,
    pub(crate) split_days: Option<u32>,
    /// Hash of the user, with this key.
    pub(crate) user: String,
    pub(crate) user_key: String,
    /// Base URL of the service, and the data set of a sandbox.
    pub(crate) service: String,
    /// Arguments of the command that created the file.
    pub(crate) arguments: Vec<String>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) vitalwire_part: u32,
    #[serde(flatten)]
    pub(crate) request: RangeRequest,
    /// Resume token of the whole range.
    pub(crate) all: String,
}

/// The line of a part.
#[derive(Serialize, Deserialize)]
pub(crate) struct Part {
    /// Resume token of the parts after this one.
    pub(crate) left: Option<String>,
    pub(crate) body: String,
}

/// A line with its checksum.
#[derive(Serialize)]
pub(crate) struct Line<T> {
    #[serde(flatten)]
    pub(crate) content: T,
    pub(crate) checksum: String,
}

impl<T: Serialize + DeserializeOwned> Line<T> {
    /// Creates the line after the one with this checksum.
    pub(crate) fn new(previous: &str, content: T) -> Self {
        Self { checksum: checksum(previous, &content), content }
    }

    /// Parses the line after the one with this checksum. Returns `None` for a line that was changed or not written completely.
    fn parse(previous: &str, line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Checksum {
            checksum: String,
        }
        // Not a flattened field: serde would keep unknown fields, which take many times their length in memory.
        let Checksum { checksum } = serde_json::from_slice(line).ok()?;
        Some(Self::new(previous, serde_json::from_slice(line).ok()?)).filter(|line| line.checksum == checksum)
    }
}

fn checksum(previous: &str, content: &impl Serialize) -> String {
    let mut hash = Fingerprint::new();
    hash.add(previous, content);
    to_hex(hash)
}

/// Returns a hash as text.
pub(crate) fn to_hex(hash: Fingerprint) -> String {
    hash.finish().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a line. Returns `None` at the end of the file, and for a line that is incomplete or longer than the limit.
fn read_line(reader: &mut impl BufRead, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.take(limit).read_until(b'\n', &mut line)?;
    Ok(Some(line).filter(|line| line.ends_with(b"\n")))
}

/// Parses the first line. Returns the token of the whole range too. Fails with a reason and a remedy.
fn parse_head(line: &[u8]) -> Result<(Line<Head>, ResumeToken), (&'static str, &'static str)> {
    #[derive(Deserialize)]
    struct Version {
        vitalwire_part: u32,
    }
    const READ_AGAIN: &str = "remove it to read everything again, or name another file with --output";
    match serde_json::from_slice(line) {
        Ok(Version { vitalwire_part: VERSION }) => {}
        Ok(_) => return Err(("was written by another version of this program", READ_AGAIN)),
        Err(_) => return Err(("is not an unfinished output of this program", "move it, or name another file with --output")),
    }
    let head = Line::<Head>::parse("", line);
    head.and_then(|head| Some((head.content.all.parse().ok()?, head))).map(|(all, head)| (head, all)).ok_or(("is damaged", READ_AGAIN))
}

/// Parses the line of a part, and the token of the parts after it. Returns `None` like [`Line::parse`].
fn parse_part(line: &[u8], previous: &str) -> Option<(Line<Part>, Option<ResumeToken>)> {
    let part = Line::<Part>::parse(previous, line)?;
    let left = part.content.left.as_deref().map(str::parse).transpose().ok()?;
    Some((part, left))
}
