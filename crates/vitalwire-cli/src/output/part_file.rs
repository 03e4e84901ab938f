//! An unfinished output: the parts of a range that were read so far, in a file beside the place of the output.
//!
//! The file is lines of JSON: first what was requested, then a line for each part, in order, with its body as received. Lines are only ever
//! added, and each is on the disk before the next part is read. Whatever ends the program leaves whole lines, and perhaps half of the last one,
//! which is ignored: its part is read again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vitalwire::range::ResumeToken;

use super::check::pending;
use crate::failure::Failure;
use crate::render::style::clean;

/// What is added to the name of the output.
const SUFFIX: &str = ".part";
/// The version of the format.
const VERSION: u32 = 1;

/// What an unfinished output is of. Only the same command continues it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) format: String,
    pub(crate) table: Option<String>,
    pub(crate) split_days: Option<u32>,
    /// Whose data it is, by the service's id of the user.
    pub(crate) user: Option<String>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    vitalwire_part: u32,
    #[serde(flatten)]
    made: Made,
    /// The parts that were to be read.
    all: String,
}

/// The line of a part.
#[derive(Serialize, Deserialize)]
struct Part {
    /// The parts that are left after this one.
    left: Option<String>,
    body: String,
}

/// An unfinished output, open for one program at a time.
pub(crate) struct PartFile {
    path: PathBuf,
    file: File,
    pub(crate) made: Made,
    /// The parts that were to be read.
    pub(crate) all: ResumeToken,
    /// The parts that are left.
    pub(crate) left: Option<ResumeToken>,
    pub(crate) bodies: Vec<String>,
}

impl PartFile {
    /// Where the unfinished output of a file is.
    pub(crate) fn path(output: &Path) -> PathBuf {
        let mut path = output.as_os_str().to_owned();
        path.push(SUFFIX);
        path.into()
    }

    /// Creates it. One that exists is not replaced. It gets its name with its first line in it: whatever ends the program, no file without
    /// that line is left under the name.
    pub(crate) fn create(output: &Path, made: Made, all: ResumeToken) -> Result<Self, Failure> {
        let path = Self::path(output);
        let written = |error: &io::Error| cannot("written", &path, error);
        // Only its owner can read it, as every temporary file.
        let mut file = pending(&path).map_err(|error| written(&error))?;
        let head = Head { vitalwire_part: VERSION, made, all: all.to_string() };
        add(file.as_file_mut(), &head).map_err(|error| written(&error))?;
        let file = file.persist_noclobber(&path).map_err(|error| written(&error.error))?;
        let this = Self { path, file, made: head.made, left: Some(all.clone()), all, bodies: Vec::new() };
        this.lock()?;
        Ok(this)
    }

    /// Refuses to begin where an earlier run left one.
    pub(crate) fn refuse_existing(output: &Path) -> Result<(), Failure> {
        if fs::symlink_metadata(Self::path(output)).is_err() {
            return Ok(());
        }
        let part = Self::open(output)?;
        let text = format!("{} has {} of an earlier run", part.shown(), part.count());
        Err(Failure::File(text, "--resume continues it; remove it to read everything again".to_owned()))
    }

    /// Opens the one of an earlier run.
    pub(crate) fn open(output: &Path) -> Result<Self, Failure> {
        let path = Self::path(output);
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::File(
                format!("there is no unfinished output {}", shown(&path)),
                if output.exists() { "the output is complete already" } else { "without --resume the whole range is read" }.to_owned(),
            ),
            _ => cannot("read", &path, &error),
        })?;
        let mut text = Vec::new();
        let foreign = || Failure::File(format!("{} is not an unfinished output of this program", shown(&path)), ANOTHER_NAME.to_owned());
        file.read_to_end(&mut text).map_err(|error| cannot("read", &path, &error))?;
        let mut lines = text.split_inclusive(|byte| *byte == b'\n').take_while(|line| line.ends_with(b"\n"));
        let head = lines.next().and_then(|line| Some((line.len(), serde_json::from_slice::<Head>(line).ok()?)));
        let (mut whole, head) = head.filter(|(_, head)| head.vitalwire_part == VERSION).ok_or_else(foreign)?;
        let all: ResumeToken = head.all.parse().map_err(|_| foreign())?;
        let (mut left, mut bodies) = (Some(all.clone()), Vec::new());
        for line in lines {
            // Half a line can only be the last one.
            let Ok(part) = serde_json::from_slice::<Part>(line) else { break };
            left = part.left.map(|token| token.parse()).transpose().map_err(|_| foreign())?;
            bodies.push(part.body);
            whole += line.len();
        }
        let this = Self { path: path.clone(), file, made: head.made, all, left, bodies };
        this.lock()?;
        let end = u64::try_from(whole).unwrap_or(u64::MAX);
        let cut = this.file.set_len(end).and_then(|()| (&this.file).seek(SeekFrom::Start(end)));
        cut.map_err(|error| cannot("written", &path, &error))?;
        Ok(this)
    }

    /// Refuses to be continued by another command.
    pub(crate) fn check(&self, made: &Made) -> Result<(), Failure> {
        let differs = if self.made.user != made.user {
            "it has data of another user"
        } else if self.made.format != made.format {
            "it is of another format"
        } else if self.made.table != made.table {
            "it is of another table"
        } else if made.split_days.is_some() && self.made.split_days != made.split_days {
            "its parts have another number of days"
        } else {
            return Ok(());
        };
        Err(self.of_another(differs))
    }

    /// It was made by another command.
    pub(crate) fn of_another(&self, differs: &str) -> Failure {
        let text = format!("{} belongs to another command: {differs}", self.shown());
        Failure::File(text, "repeat the command that wrote it, or name another file with --output".to_owned())
    }

    /// The token of the run that continues it. With nothing left to read, it names the range.
    pub(crate) fn token(&self) -> &ResumeToken {
        self.left.as_ref().unwrap_or(&self.all)
    }

    /// Adds a part.
    pub(crate) fn push(&mut self, body: String, left: Option<ResumeToken>) -> Result<(), Failure> {
        let part = Part { left: left.as_ref().map(ToString::to_string), body };
        add(&mut self.file, &part).map_err(|error| cannot("written", &self.path, &error))?;
        self.bodies.push(part.body);
        self.left = left;
        Ok(())
    }

    /// How many of the parts it has.
    pub(crate) fn count(&self) -> String {
        let (done, left) = (self.bodies.len(), self.left.as_ref().map_or(0, |token| token.parts_left() as usize));
        format!("{done} of {} parts", done + left)
    }

    pub(crate) fn shown(&self) -> String {
        shown(&self.path)
    }

    /// Removes the file: its output is complete, or it has no part. An error of that leaves a file that says what it is.
    pub(crate) fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }

    fn lock(&self) -> Result<(), Failure> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Failure::File(
                format!("another program is writing {}", self.shown()),
                "wait for it, or name another file with --output".to_owned(),
            )),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }
}

/// Adds a line and waits until it is on the disk.
fn add(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)?;
    file.sync_data()
}

const ANOTHER_NAME: &str = "move it, or name another file with --output";

fn shown(path: &Path) -> String {
    clean(&path.display().to_string()).into_owned()
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::File(format!("{} cannot be {what}: {error}", shown(path)), "name another file with --output".to_owned())
}
