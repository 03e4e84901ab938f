//! Unfinished outputs: the parts of a range read so far, in a file beside the final output.
//!
//! Lines are only appended, and each is synced to disk before the next part is read. If the program is killed, the last line can be
//! incomplete. From the first incomplete or changed line on, parts are read again.

mod format;

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use vitalwire::range::ResumeToken;

use self::format::{Content, Head, Line, Part, VERSION};
pub(crate) use self::format::{RangeRequest, to_hex};
use super::check::{check_creatable, create_temporary, is_of_others};
use crate::failure::Failure;
use crate::render::style::clean_path;
use crate::shell;

/// Suffix added to the name of the output.
const SUFFIX: &str = ".part";
/// Content of the marker file of a run that will replace an existing output and has no part yet.
const STARTED: &[u8] = b"{\"vitalwire_part\":0}\n";

/// Returns the values of `--from` and `--to`.
fn bounds(arguments: &[String]) -> [Option<&str>; 2] {
    ["--from", "--to"].map(|option| {
        let after = arguments.iter().skip_while(|word| *word != option).nth(1).map(String::as_str);
        let joined = || arguments.iter().find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
        after.or_else(joined)
    })
}

/// Whether a command may name the range of the first run. A missing bound is taken from the first run. So is a relative bound, which must
/// be written as in the first run. Dates and times are compared later.
fn may_be_range_of(first_run: [Option<&str>; 2], command: [Option<&str>; 2]) -> bool {
    let is_fixed = |bound: Option<&str>| bound.is_some_and(|bound| bound.as_bytes().get(4) == Some(&b'-'));
    let may_be = |(first, now): (Option<&str>, Option<&str>)| now.is_none() || now == first || (is_fixed(now) && is_fixed(first));
    first_run.into_iter().zip(command).all(may_be)
}

/// An unfinished output, locked by one process.
pub(crate) struct PartFile {
    path: PathBuf,
    file: File,
    /// Checksum of the last line.
    checksum: String,
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
        let head = Line::new("", Head { vitalwire_part: VERSION, request, all: all.to_string() });
        append_line(file.as_file_mut(), &head).map_err(|error| write_failure(&error))?;
        if Self::is_started(output) {
            fs::remove_file(&path).map_err(|error| write_failure(&error))?;
        }
        let file = file.persist_noclobber(&path).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => locked(&path),
            _ => write_failure(&error.error),
        })?;
        lock(&file, &path)?;
        let Line { content: Head { request, .. }, checksum } = head;
        Ok(Self { path, file, checksum, request, remaining: Some(all.clone()), whole_range: all, bodies: Vec::new() })
    }

    /// Marks a run that will replace an existing output, until it has a part. Without the mark, a later `--resume` would take the old output
    /// for the complete one.
    pub(crate) fn mark_started(output: &Path) -> Result<(), Failure> {
        let path = Self::path(output);
        let mark = || {
            let mut file = create_temporary(&path)?;
            file.write_all(STARTED)?;
            file.persist_noclobber(&path).map_err(|error| error.error)
        };
        match mark() {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(io_failure("written", &path, &error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Whether a run that replaces an existing output has ended before its first part.
    pub(crate) fn is_started(output: &Path) -> bool {
        fs::symlink_metadata(Self::path(output)).is_ok_and(|file| file.is_file() && file.len() == STARTED.len() as u64)
            && fs::read(Self::path(output)).is_ok_and(|content| content == STARTED)
    }

    /// Whether there are parts, or a file that is no unfinished output.
    pub(crate) fn exists(output: &Path) -> bool {
        Self::path(output).exists() && !Self::is_started(output)
    }

    /// Rejects an output whose unfinished output cannot be created, is a link, a pipe or a device, or belongs to another user.
    pub(crate) fn check_path(output: &Path) -> Result<(), Failure> {
        let path = Self::path(output);
        match fs::metadata(&path) {
            Ok(_) if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file()) => {
                reject_file_of_others(&path, fs::symlink_metadata(&path))
            }
            Ok(_) => Err(Failure::File(format!("{} must be a regular file", clean_path(&path)), ANOTHER_NAME.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => check_creatable(&path),
            Err(error) => Err(io_failure("written", &path, &error)),
        }
    }

    /// Rejects a new run if an earlier one left an unfinished output.
    pub(crate) fn reject_existing(output: &Path) -> Result<(), Failure> {
        if fs::symlink_metadata(Self::path(output)).is_err() || Self::is_started(output) {
            return Ok(());
        }
        let part = Self::open(output)?;
        let text = format!("{} has {} of an earlier run", part.display_path(), part.progress_text());
        Err(Failure::File(text, "continue it with --resume, or remove it to read everything again".to_owned()))
    }

    /// Opens the unfinished output of an earlier run.
    pub(crate) fn open(output: &Path) -> Result<Self, Failure> {
        let path = Self::path(output);
        if Self::is_started(output) {
            return Err(missing(&path));
        }
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing(&path),
            _ => io_failure("read", &path, &error),
        })?;
        reject_file_of_others(&path, file.metadata())?;
        // Lock the file before reading it, because another process may be appending to it.
        lock(&file, &path)?;
        let content = Content::read(BufReader::new(&file)).map_err(|error| io_failure("read", &path, &error))?;
        let Content { request, whole_range, remaining, bodies, checksum, length } =
            content.map_err(|(reason, hint)| Failure::File(format!("{} {reason}", clean_path(&path)), hint.to_owned()))?;
        let this = Self { path: path.clone(), file, checksum, request, whole_range, remaining, bodies };
        let cut = this.file.set_len(length).and_then(|()| (&this.file).seek(SeekFrom::Start(length)));
        cut.map_err(|error| io_failure("written", &path, &error))?;
        Ok(this)
    }

    /// Rejects another service or user, and a different command.
    pub(crate) fn check(&self, request: &RangeRequest) -> Result<(), Failure> {
        let stored = &self.request;
        let reject = |reason: &str, remedy: &str| {
            let text = format!("{} cannot be continued: {reason}", self.display_path());
            Err(Failure::File(text, format!("{remedy}, or {ANOTHER_NAME}")))
        };
        if stored.user != request.user {
            let remedy = "use a token of the first run's user (the same token, if the service states no user id)";
            return reject("its user differs", remedy);
        }
        if stored.service != request.service {
            return reject("its service differs", "use the base URL or the sandbox options of the first run");
        }
        let differs = if stored.format != request.format {
            "its format differs"
        } else if stored.table != request.table {
            "its table differs"
        } else if request.split_days.is_some() && stored.split_days != request.split_days {
            "its number of days per part differs"
        } else if !may_be_range_of(bounds(&stored.arguments), bounds(&request.arguments)) {
            "its range differs"
        } else {
            return Ok(());
        };
        Err(self.mismatch(differs))
    }

    /// Returns the failure for a file that another command made. Names that command.
    pub(crate) fn mismatch(&self, differs: &str) -> Failure {
        let now: Vec<String> = shell::arguments_without_resume().map(|word| word.to_string_lossy().into_owned()).collect();
        if now == self.request.arguments {
            let text = format!("{} cannot be continued: {differs}, although the command is the same", self.display_path());
            return Failure::File(text, format!("use the time zone and settings of the first run; or {ANOTHER_NAME}"));
        }
        let text = format!("{} was written by another command: {differs}", self.display_path());
        let command = shell::resume_command(self.request.arguments.iter().map(Into::into));
        Failure::File(text, format!("`{command}` completes it; or {ANOTHER_NAME}"))
    }

    /// Returns the token that continues the run. If no part is left, it names the whole range.
    pub(crate) fn token(&self) -> &ResumeToken {
        self.remaining.as_ref().unwrap_or(&self.whole_range)
    }

    /// Appends a part.
    pub(crate) fn push(&mut self, body: String, left: Option<ResumeToken>) -> Result<(), Failure> {
        let part = Line::new(&self.checksum, Part { left: left.as_ref().map(ToString::to_string), body });
        append_line(&mut self.file, &part).map_err(|error| io_failure("written", &self.path, &error))?;
        self.checksum = part.checksum;
        self.bodies.push(part.content.body);
        self.remaining = left;
        Ok(())
    }

    /// Returns the number of stored parts and of all parts, as text.
    pub(crate) fn progress_text(&self) -> String {
        let (done, left) = (self.bodies.len(), self.remaining.as_ref().map_or(0, |token| token.parts_left() as usize));
        format!("{done} of {} parts", done + left)
    }

    pub(crate) fn display_path(&self) -> String {
        clean_path(&self.path)
    }

    /// Removes the file, because its output is complete or it has no part. Ignores errors, because a later run can still complete a
    /// remaining file.
    pub(crate) fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(locked(path)),
        // Some file systems do not support locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Rejects a file of another user, who could read the parts that are appended to it.
fn reject_file_of_others(path: &Path, metadata: io::Result<Metadata>) -> Result<(), Failure> {
    match metadata {
        Ok(metadata) if is_of_others(&metadata) => {
            Err(Failure::File(format!("{} must not belong to another user", clean_path(path)), ANOTHER_NAME.to_owned()))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(io_failure("read", path, &error)),
    }
}

/// Appends a line and syncs it to disk.
fn append_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)?;
    file.sync_data()
}

fn missing(path: &Path) -> Failure {
    Failure::File(format!("there is no unfinished output {}", clean_path(path)), "omit --resume to read the whole range".to_owned())
}

fn locked(path: &Path) -> Failure {
    Failure::File(format!("another program is writing {}", clean_path(path)), "wait for it, or name another file with --output".to_owned())
}

const ANOTHER_NAME: &str = "name another file with --output";

fn io_failure(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::File(format!("{} cannot be {what}: {error}", clean_path(path)), ANOTHER_NAME.to_owned())
}
