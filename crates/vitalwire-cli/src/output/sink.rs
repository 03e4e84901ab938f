//! Writers for the bytes of a response: stdout, or a file that is replaced atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use super::Destination;
use super::check::{already_exists, create_temporary, is_device, is_open_as, parent_folder, resolve_links, without_path};
use crate::failure::Failure;
use crate::render::style::clean_lines;

/// The file being written, for an exit without destructors. A command writes at most one.
static TEMPORARY_PATH: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes the incomplete file before an immediate exit.
pub(crate) fn remove_temporary() {
    if let Some(path) = TEMPORARY_PATH.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // An error cannot be reported any more.
        let _ = fs::remove_file(path);
    }
}

impl Destination {
    /// Opens the destination. A file does not appear at its path before [`Sink::finish`].
    pub(crate) fn sink(&self, is_binary: bool) -> Result<Sink, Failure> {
        self.check(is_binary)?;
        let target = match self.file() {
            None => Target::stream(io::stdout()),
            Some(path) if is_device(path) => Target::stream(open_device(path)?),
            Some(path) => Target::File(Box::new(TemporaryFile::new(path, self.force)?)),
        };
        Ok(Sink { target, first_error: None })
    }
}

/// Opens a device, a named pipe or a file descriptor. Writes to the end of a file, and to stderr where its last message ends.
fn open_device(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if is_open_as(&io::stderr(), path) {
        return Ok(std::os::fd::AsFd::as_fd(&io::stderr()).try_clone_to_owned()?.into());
    }
    OpenOptions::new().append(true).open(path)
}

/// A writer for the destination of a response. A file appears with [`finish`](Sink::finish). Dropping the sink before that leaves no file.
pub(crate) struct Sink {
    target: Target,
    /// The first write error, which a format's writer may have wrapped in its own error.
    first_error: Option<io::Error>,
}

type Stream = Box<dyn Write + Send>;

enum Target {
    /// Stdout, a device or a named pipe, which has no content to lose.
    Stream(BufWriter<Stream>),
    /// The text for a terminal. It is cleaned when it is complete.
    Terminal(Vec<u8>, Stream),
    File(Box<TemporaryFile>),
}

impl Target {
    fn stream(stream: impl Write + IsTerminal + Send + 'static) -> Self {
        match stream.is_terminal() {
            true => Self::Terminal(Vec::new(), Box::new(stream)),
            false => Self::Stream(BufWriter::new(Box::new(stream))),
        }
    }
}

/// A temporary file beside the final path. Only its owner can read it, because responses are health data. A replaced file keeps its group
/// and mode.
struct TemporaryFile {
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
    force: bool,
}

impl TemporaryFile {
    fn new(path: &Path, force: bool) -> io::Result<Self> {
        let path = resolve_links(path);
        let file = create_temporary(&path)?;
        *TEMPORARY_PATH.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.path().to_owned());
        Ok(Self { writer: BufWriter::new(file), path, force })
    }

    /// Syncs the file and renames it to its final path, so that readers never see an incomplete file.
    fn commit(self) -> Result<(), Failure> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        #[cfg(unix)]
        if self.force
            && let Ok(earlier) = fs::metadata(&self.path)
        {
            vitalwire::private_files::Access::from(&earlier).apply(file.as_file())?;
        }
        file.as_file().sync_all()?;
        let moved = if self.force { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
        match moved {
            Ok(_) => {
                sync_folder(&self.path);
                Ok(())
            }
            // An earlier run wrote the file, or another program created it during the call.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => match fs::read(&self.path) {
                Ok(written) if fs::read(error.file.path())? == written => Ok(()),
                _ => Err(already_exists(&self.path)),
            },
            Err(error) => Err(without_path(error.error).into()),
        }
    }
}

impl Sink {
    /// Flushes the output, or moves the file to its final path.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self.target {
            Target::Stream(_) | Target::Terminal(..) => Ok(()),
            Target::File(pending) => pending.commit(),
        }
    }

    /// Returns the write error behind the failure of a format's writer, if there was one, such as a broken pipe.
    #[cfg(any(test, feature = "tables"))]
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        self.first_error.take()
    }

    fn remember_error<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &outcome
            && error.kind() != io::ErrorKind::Interrupted
            && self.first_error.is_none()
        {
            self.first_error = Some(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error));
        }
        outcome
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = match &mut self.target {
            Target::Stream(stream) => stream.write(bytes),
            Target::Terminal(text, _) => text.write(bytes),
            Target::File(pending) => pending.writer.write(bytes),
        };
        self.remember_error(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = match &mut self.target {
            Target::Stream(stream) => stream.flush(),
            Target::Terminal(text, stream) => {
                let text = clean_lines(&String::from_utf8_lossy(&std::mem::take(text)));
                stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
            }
            Target::File(pending) => pending.writer.flush(),
        };
        self.remember_error(outcome)
    }
}

/// Syncs the folder of a file. Ignores errors: some file systems do not support this, and the file exists anyway.
fn sync_folder(path: &Path) {
    if cfg!(unix) {
        let _ = File::open(parent_folder(path)).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests;
