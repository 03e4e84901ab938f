//! File operations of a dataset. Files are private, and are written completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::error::CohortError;

/// Prefix of files that are being written.
const TEMPORARY: &str = ".vitalwire-";

/// Maximum time to wait for a lock.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// Folder of a dataset.
#[derive(Debug)]
pub(super) struct Storage {
    root: PathBuf,
    #[cfg(test)]
    pub(super) crash: crash::Crash,
}

impl Storage {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            #[cfg(test)]
            crash: crash::Crash::default(),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a file of the dataset.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Whether a file exists.
    pub(super) fn exists(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// Reads a file. Returns `None` if it does not exist.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, CohortError> {
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(metadata) if !metadata.is_file() => return Err(CohortError::dataset(&path, "must be a regular file")),
            _ => {}
        }
        fs::read(&path).map(Some).map_err(CohortError::io(&path))
    }

    /// Writes the content of a file under a temporary name, and flushes it to the disk.
    pub(super) fn stage(&self, name: &str, content: &[u8]) -> Result<(), CohortError> {
        let (path, temporary) = (self.path(name), self.temporary(name));
        let write = || -> io::Result<()> {
            self.step()?;
            create_folder(path.parent().unwrap_or(&self.root))?;
            self.step()?;
            match fs::remove_file(&temporary) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = new_file(&temporary)?;
            self.step()?;
            file.write_all(content)?;
            file.sync_all()
        };
        write().map_err(CohortError::io(&path))
    }

    /// Whether a file was staged with this checksum.
    pub(super) fn is_staged(&self, name: &str, sha256: &str) -> bool {
        fs::read(self.temporary(name)).is_ok_and(|content| checksum(&content) == sha256)
    }

    /// Gives a staged file its name. Replaces an earlier file.
    pub(super) fn publish(&self, name: &str) -> Result<(), CohortError> {
        self.rename_path(&self.temporary(name), name)
    }

    /// Writes a file completely or not at all. Replaces an earlier file.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<(), CohortError> {
        self.stage(name, content)?;
        self.publish(name)
    }

    /// Renames a file of the dataset.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), CohortError> {
        self.rename_path(&self.path(from), to)
    }

    fn rename_path(&self, from: &Path, to: &str) -> Result<(), CohortError> {
        let path = self.path(to);
        let rename = || -> io::Result<()> {
            self.step()?;
            fs::rename(from, &path)?;
            sync_folder(path.parent().unwrap_or(&self.root))
        };
        rename().map_err(CohortError::io(&path))
    }

    /// Removes a file, if it exists.
    pub(super) fn remove(&self, name: &str) -> Result<(), CohortError> {
        let path = self.path(name);
        let remove = || -> io::Result<()> {
            self.step()?;
            fs::remove_file(&path)?;
            sync_folder(path.parent().unwrap_or(&self.root))
        };
        match remove() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(CohortError::io(&path)),
        }
    }

    /// Locks the dataset for writing. Dropping the file releases the lock.
    pub(super) fn lock(&self, name: &str) -> Result<File, CohortError> {
        let path = self.path(name);
        let open = || {
            create_folder(path.parent().unwrap_or(&self.root))?;
            if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(io::Error::other("must be a regular file"));
            }
            let mut options = OpenOptions::new();
            private(options.create(true).truncate(false).write(true)).open(&path)
        };
        let file = open().map_err(CohortError::io(&path))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                // A run that was just cancelled may still finish a write.
                Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_WAIT => std::thread::sleep(LOCK_WAIT / 100),
                Err(TryLockError::WouldBlock) => {
                    return Err(CohortError::dataset(&self.root, "another program is writing to the dataset; wait until it has ended"));
                }
                Err(TryLockError::Error(error)) => return Err(CohortError::io(&path)(error)),
            }
        }
    }

    /// Returns the names of all files of tables, with whether they are temporary. Follows no link.
    pub(super) fn table_files(&self) -> Result<Vec<(String, bool)>, CohortError> {
        let mut files = Vec::new();
        for table in self.entries("")? {
            if table.starts_with("table=") {
                self.collect_files(&table, &mut files)?;
            }
        }
        files.sort();
        Ok(files)
    }

    fn collect_files(&self, folder: &str, files: &mut Vec<(String, bool)>) -> Result<(), CohortError> {
        for entry in self.entries(folder)? {
            let name = format!("{folder}/{entry}");
            match fs::symlink_metadata(self.path(&name)) {
                Ok(metadata) if metadata.is_dir() => self.collect_files(&name, files)?,
                _ => files.push((name, entry.starts_with(TEMPORARY))),
            }
        }
        Ok(())
    }

    /// Removes temporary files that an interrupted run has left.
    pub(super) fn remove_temporary(&self, manifests: &str) -> Result<(), CohortError> {
        for name in self.entries(manifests)?.into_iter().filter(|name| name.starts_with(TEMPORARY)) {
            self.remove(&format!("{manifests}/{name}"))?;
        }
        self.table_files()?.into_iter().filter(|(_, is_temporary)| *is_temporary).try_for_each(|(name, _)| self.remove(&name))
    }

    /// Returns the names in a folder of the dataset. Empty if the folder does not exist.
    pub(super) fn entries(&self, folder: &str) -> Result<Vec<String>, CohortError> {
        let path = self.path(folder);
        let names = fs::read_dir(&path).and_then(|entries| entries.map(|entry| entry.map(|entry| entry.file_name())).collect());
        match names {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            names => {
                let names: Vec<OsString> = names.map_err(CohortError::io(&path))?;
                Ok(names.iter().map(|name| name.to_string_lossy().into_owned()).collect())
            }
        }
    }

    fn temporary(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Readers of a folder of Parquet files must not take it for one of them.
        path.with_file_name(format!("{TEMPORARY}{file}.tmp"))
    }

    /// Simulates a crash in tests.
    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        self.crash.step()
    }

    #[cfg(not(test))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "fails in tests")]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a folder, and the folders above it, that only the owner can read.
fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates a file that only its owner can read.
fn new_file(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().create_new(true).write(true)).open(path)
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    options.mode(0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Returns the SHA-256 of content, as lower-case hex.
pub(super) fn checksum(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems cannot open a folder as a file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Simulated crashes: an error before a file operation, after which no operation succeeds.
#[cfg(test)]
pub(super) mod crash {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Number of operations until the crash.
    #[derive(Debug)]
    pub(crate) struct Crash(AtomicUsize);

    impl Default for Crash {
        fn default() -> Self {
            Self(AtomicUsize::new(usize::MAX))
        }
    }

    impl Crash {
        pub(crate) fn after(&self, operations: usize) {
            self.0.store(operations, Ordering::Relaxed);
        }

        pub(super) fn step(&self) -> io::Result<()> {
            match self.0.load(Ordering::Relaxed) {
                usize::MAX => Ok(()),
                0 => Err(io::Error::other("crash")),
                left => {
                    self.0.store(left - 1, Ordering::Relaxed);
                    if left == 1 { Err(io::Error::other("crash")) } else { Ok(()) }
                }
            }
        }
    }
}
