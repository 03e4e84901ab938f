//! Unfinished outputs: the parts of a range read so far, in a file beside the final output.
//!
//! The file has lines of JSON: first the request, then one line per part, in order, with its body as received. Lines are only appended, and
//! each is synced to disk before the next part is read. If the program is killed, only the last line can be incomplete. It is ignored, and
//! its part is read again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vitalwire::range::ResumeToken;

use super::check::{create_temporary, display};
use crate::failure::Failure;

/// Suffix added to the name of the output.
const SUFFIX: &str = ".part";
/// Version of the file format.
const VERSION: u32 = 1;

/// The request of an unfinished output. Only the same command can continue it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RangeRequest {
    pub(crate) format: String,
    pub(crate) table: Option<String>,
    pub(crate) split_days: Option<u32>,
    /// The service's id of the user whose data it is.
    pub(crate) user: Option<String>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    vitalwire_part: u32,
    #[serde(flatten)]
    request: RangeRequest,
    /// Resume token of the whole range.
    all: String,
}

/// The line of a part.
#[derive(Serialize, Deserialize)]
struct Part {
    /// Resume token of the parts after this one.
    left: Option<String>,
    body: String,
}

/// An unfinished output, locked by one process.
pub(crate) struct PartFile {
    path: PathBuf,
    file: File,
    pub(crate) request: RangeRequest,
    /// Resume token of the whole range.
    pub(crate) whole_range: ResumeToken,
    /// Resume token of the remaining parts.
    pub(crate) remaining: Option<ResumeToken>,
    pub(crate) bodies: Vec<String>,
}

impl PartFile {
    /// Returns the path of the unfinished output for an output file.
    pub(crate) fn path(output: &Path) -> PathBuf {
        let mut path = output.as_os_str().to_owned();
        path.push(SUFFIX);
        path.into()
    }

    /// Creates the file; fails if it exists. The file gets its name only once its first line is written, so a killed program never leaves a
    /// file without that line.
    pub(crate) fn create(output: &Path, request: RangeRequest, all: ResumeToken) -> Result<Self, Failure> {
        let path = Self::path(output);
        let write_failure = |error: &io::Error| io_failure("written", &path, error);
        // Readable only by its owner, like every temporary file.
        let mut file = create_temporary(&path).map_err(|error| write_failure(&error))?;
        let head = Head { vitalwire_part: VERSION, request, all: all.to_string() };
        append_line(file.as_file_mut(), &head).map_err(|error| write_failure(&error))?;
        let file = file.persist_noclobber(&path).map_err(|error| write_failure(&error.error))?;
        let this = Self { path, file, request: head.request, remaining: Some(all.clone()), whole_range: all, bodies: Vec::new() };
        this.lock()?;
        Ok(this)
    }

    /// Rejects a new run if an earlier one left an unfinished output.
    pub(crate) fn reject_existing(output: &Path) -> Result<(), Failure> {
        if fs::symlink_metadata(Self::path(output)).is_err() {
            return Ok(());
        }
        let part = Self::open(output)?;
        let text = format!("{} has {} of an earlier run", part.display_path(), part.progress_text());
        Err(Failure::File(text, "continue it with --resume, or remove it to read everything again".to_owned()))
    }

    /// Opens the unfinished output of an earlier run.
    pub(crate) fn open(output: &Path) -> Result<Self, Failure> {
        let path = Self::path(output);
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::File(
                format!("there is no unfinished output {}", display(&path)),
                if output.exists() { "the output is complete already" } else { "omit --resume to read the whole range" }.to_owned(),
            ),
            _ => io_failure("read", &path, &error),
        })?;
        let mut text = Vec::new();
        let invalid = || Failure::File(format!("{} is not an unfinished output of this program", display(&path)), ANOTHER_NAME.to_owned());
        file.read_to_end(&mut text).map_err(|error| io_failure("read", &path, &error))?;
        let mut lines = text.split_inclusive(|byte| *byte == b'\n').take_while(|line| line.ends_with(b"\n"));
        let head = lines.next().and_then(|line| Some((line.len(), serde_json::from_slice::<Head>(line).ok()?)));
        let (mut valid_length, head) = head.filter(|(_, head)| head.vitalwire_part == VERSION).ok_or_else(invalid)?;
        let all: ResumeToken = head.all.parse().map_err(|_| invalid())?;
        let (mut left, mut bodies) = (Some(all.clone()), Vec::new());
        for line in lines {
            // Only the last line can be incomplete.
            let Ok(part) = serde_json::from_slice::<Part>(line) else { break };
            left = part.left.map(|token| token.parse()).transpose().map_err(|_| invalid())?;
            bodies.push(part.body);
            valid_length += line.len();
        }
        let this = Self { path: path.clone(), file, request: head.request, whole_range: all, remaining: left, bodies };
        this.lock()?;
        let end = u64::try_from(valid_length).unwrap_or(u64::MAX);
        let cut = this.file.set_len(end).and_then(|()| (&this.file).seek(SeekFrom::Start(end)));
        cut.map_err(|error| io_failure("written", &path, &error))?;
        Ok(this)
    }

    /// Rejects a different command.
    pub(crate) fn check(&self, request: &RangeRequest) -> Result<(), Failure> {
        let differs = if self.request.user != request.user {
            "its user differs"
        } else if self.request.format != request.format {
            "its format differs"
        } else if self.request.table != request.table {
            "its table differs"
        } else if request.split_days.is_some() && self.request.split_days != request.split_days {
            "its number of days per part differs"
        } else {
            return Ok(());
        };
        Err(self.mismatch(differs))
    }

    /// Returns the failure for a file that another command made.
    pub(crate) fn mismatch(&self, differs: &str) -> Failure {
        let text = format!("{} was written by another command: {differs}", self.display_path());
        Failure::File(text, "repeat the command that wrote it, or name another file with --output".to_owned())
    }

    /// Returns the token that continues the run. If no part is left, it names the whole range.
    pub(crate) fn token(&self) -> &ResumeToken {
        self.remaining.as_ref().unwrap_or(&self.whole_range)
    }

    /// Appends a part.
    pub(crate) fn push(&mut self, body: String, left: Option<ResumeToken>) -> Result<(), Failure> {
        let part = Part { left: left.as_ref().map(ToString::to_string), body };
        append_line(&mut self.file, &part).map_err(|error| io_failure("written", &self.path, &error))?;
        self.bodies.push(part.body);
        self.remaining = left;
        Ok(())
    }

    /// Returns the number of stored parts and of all parts, as text.
    pub(crate) fn progress_text(&self) -> String {
        let (done, left) = (self.bodies.len(), self.remaining.as_ref().map_or(0, |token| token.parts_left() as usize));
        format!("{done} of {} parts", done + left)
    }

    pub(crate) fn display_path(&self) -> String {
        display(&self.path)
    }

    /// Removes the file, because its output is complete or it has no part. Ignores errors, because a later run can still complete a
    /// remaining file.
    pub(crate) fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }

    fn lock(&self) -> Result<(), Failure> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Failure::File(
                format!("another program is writing {}", self.display_path()),
                "wait for it, or name another file with --output".to_owned(),
            )),
            // Some file systems do not support locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }
}

/// Appends a line and syncs it to disk.
fn append_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)?;
    file.sync_data()
}

const ANOTHER_NAME: &str = "move it, or name another file with --output";

fn io_failure(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::File(format!("{} cannot be {what}: {error}", display(path)), "name another file with --output".to_owned())
}
