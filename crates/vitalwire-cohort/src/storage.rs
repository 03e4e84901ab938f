//! File operations of a dataset. Files are private, and are written completely or not at all. No link below the folder is followed.

use std::fs::TryLockError;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, File, OpenOptions};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use vitalwire::private_files;
#[cfg(unix)]
use vitalwire::private_files::Access;

use crate::error::CohortError;

/// Maximum time to wait for a lock.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// Size of the blocks in which the last line of a file is searched.
const BLOCK_BYTES: u64 = 64 << 10;

/// Number of bytes before an offset that identify the content of a file.
const CHECKED_BYTES: u64 = 1024;

/// Folder of a dataset, or of states and changes of syncs.
#[derive(Debug)]
pub(crate) struct Storage {
    root: PathBuf,
    /// Identity of the folder when it was first opened.
    identity: OnceLock<(u64, u64)>,
    #[cfg(test)]
    pub(crate) crash: crash::Crash,
}

impl Storage {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            identity: OnceLock::new(),
            #[cfg(test)]
            crash: crash::Crash::default(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a file of the dataset, for messages.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Opens the folder of a file. Returns it with the name of the file in it.
    fn open<'a>(&self, name: &'a str) -> io::Result<(Dir, &'a str)> {
        self.walk(name, |_, _| Ok(()))
    }

    /// Opens the folder of a file, and creates it if it does not exist.
    fn create<'a>(&self, name: &'a str) -> io::Result<(Dir, &'a str)> {
        private_files::create_folder(&self.root)?;
        self.walk(name, create_folder)
    }

    fn walk<'a>(&self, name: &'a str, prepare: impl Fn(&Dir, &str) -> io::Result<()>) -> io::Result<(Dir, &'a str)> {
        let mut folder = Dir::open_ambient_dir(&self.root, ambient_authority())?;
        // Files in another folder would not belong to the dataset.
        let opened = identity(&folder)?;
        if *self.identity.get_or_init(|| opened) != opened {
            return Err(io::Error::other("the folder of the dataset was moved or replaced during the run"));
        }
        let (parents, file) = name.rsplit_once('/').unwrap_or(("", name));
        for parent in parents.split('/').filter(|parent| !parent.is_empty()) {
            prepare(&folder, parent)?;
            if !folder.symlink_metadata(parent)?.is_dir() {
                return Err(io::Error::other("its folder must not be a link or a file"));
            }
            folder = folder.open_dir_nofollow(parent)?;
        }
        Ok((folder, file))
    }

    /// Whether a file exists.
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.open(name).and_then(|(folder, file)| folder.symlink_metadata(file)).is_ok()
    }

    /// Returns the length of a file. `None` if it does not exist.
    pub(crate) fn length(&self, name: &str) -> Result<Option<u64>, CohortError> {
        match self.open(name).and_then(|(folder, file)| folder.symlink_metadata(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map(|found| Some(found.len())).map_err(CohortError::io(&self.path(name))),
        }
    }

    /// Reads a file. Returns `None` if it does not exist, and at most one byte more than the limit.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, CohortError> {
        let read = || -> io::Result<Vec<u8>> {
            let (folder, file) = self.open(name)?;
            let mut content = Vec::new();
            open_file(&folder, file, OpenOptions::new().read(true))?.take(limit.saturating_add(1)).read_to_end(&mut content)?;
            Ok(content)
        };
        match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            content => content.map(Some).map_err(CohortError::io(&self.path(name))),
        }
    }

    /// Opens a file for reading.
    pub(crate) fn open_lines(&self, name: &str) -> Result<BufReader<File>, CohortError> {
        let opened = self.open(name).and_then(|(folder, file)| open_file(&folder, file, OpenOptions::new().read(true)));
        opened.map(BufReader::new).map_err(CohortError::io(&self.path(name)))
    }

    /// Writes the content of a file under a temporary name, and flushes it to the disk. Keeps the access to an earlier file.
    pub(crate) fn stage(&self, name: &str, content: &[u8]) -> Result<(), CohortError> {
        self.stage_with(name, |staged| staged.write_all(content))
    }

    /// Stages a file as [`stage`](Self::stage) does. `content` writes it.
    pub(crate) fn stage_with(&self, name: &str, content: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), CohortError> {
        let write = || -> io::Result<()> {
            self.step()?;
            let (folder, file) = self.create(name)?;
            self.step()?;
            match folder.remove_file(temporary(file)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut staged = open_file(&folder, &temporary(file), private().create_new(true))?;
            self.step()?;
            content(&mut staged)?;
            keep_access(&folder, file, &staged.try_clone()?.into_std())?;
            staged.sync_all()
        };
        write().map_err(CohortError::io(&self.path(name)))
    }

    /// Appends a line to a file, and flushes it to the disk. Creates the file if it does not exist. Returns its length.
    pub(crate) fn append_line(&self, name: &str, line: &str) -> Result<u64, CohortError> {
        let append = || -> io::Result<u64> {
            let (folder, file) = self.create(name)?;
            let mut opened = open_file(&folder, file, private().read(true).append(true).create(true))?;
            let mut last = Vec::new();
            if opened.seek(SeekFrom::End(-1)).is_ok() {
                opened.read_to_end(&mut last)?;
            }
            // A crash can leave a part of a line.
            let start = if matches!(&*last, [] | [b'\n']) { "" } else { "\n" };
            opened.write_all(format!("{start}{line}\n").as_bytes())?;
            opened.sync_all()?;
            sync(&folder)?;
            Ok(opened.metadata()?.len())
        };
        append().map_err(CohortError::io(&self.path(name)))
    }

    /// Returns the checksum of the last kilobyte before an offset of a file. `None` if the file does not exist, or is shorter.
    pub(crate) fn checksum_before(&self, name: &str, offset: u64) -> Result<Option<String>, CohortError> {
        let read = || -> io::Result<Option<String>> {
            let (folder, file) = self.open(name)?;
            let mut opened = open_file(&folder, file, OpenOptions::new().read(true))?;
            let start = offset.saturating_sub(CHECKED_BYTES);
            opened.seek(SeekFrom::Start(start))?;
            let mut content = Vec::new();
            opened.take(offset - start).read_to_end(&mut content)?;
            Ok((content.len() as u64 == offset - start).then(|| checksum(&content)))
        };
        match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map_err(CohortError::io(&self.path(name))),
        }
    }

    /// Removes an incomplete last line, which a crash can leave.
    pub(crate) fn cut_incomplete_line(&self, name: &str) -> Result<(), CohortError> {
        let cut = || -> io::Result<()> {
            let (folder, file) = self.open(name)?;
            let mut opened = open_file(&folder, file, OpenOptions::new().read(true).write(true))?;
            check_links(&opened)?;
            let mut end = opened.seek(SeekFrom::End(0))?;
            let mut block = Vec::new();
            let length = loop {
                let start = end.saturating_sub(BLOCK_BYTES);
                opened.seek(SeekFrom::Start(start))?;
                block.clear();
                Read::by_ref(&mut opened).take(end - start).read_to_end(&mut block)?;
                match block.iter().rposition(|byte| *byte == b'\n') {
                    Some(at) => break start + at as u64 + 1,
                    None if start == 0 => break 0,
                    None => end = start,
                }
            };
            opened.set_len(length)?;
            opened.sync_all()
        };
        cut().map_err(CohortError::io(&self.path(name)))
    }

    /// Whether a file was staged with this size and checksum.
    pub(crate) fn is_staged(&self, name: &str, bytes: u64, sha256: &str) -> bool {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let staged = self.read(&format!("{folder}/{}", temporary(file)), bytes);
        staged.is_ok_and(|content| content.is_some_and(|content| checksum(&content) == sha256))
    }

    /// Gives a staged file its name. Replaces an earlier file.
    pub(crate) fn publish(&self, name: &str) -> Result<(), CohortError> {
        self.change(name, |folder, file| folder.rename(temporary(file), folder, file))
    }

    /// Writes a file completely or not at all. Replaces an earlier file.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> Result<(), CohortError> {
        self.stage(name, content)?;
        self.publish(name)
    }

    /// Renames a file in its folder. Replaces an earlier file, and keeps the access to it.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), CohortError> {
        let from = from.rsplit_once('/').map_or(from, |(_, file)| file);
        self.change(to, |folder, file| {
            keep_access(folder, file, &open_file(folder, from, OpenOptions::new().read(true))?.into_std())?;
            folder.rename(from, folder, file)
        })
    }

    /// Renames a file in its folder.
    ///
    /// # Errors
    /// If a file has the new name, or the file cannot be renamed.
    pub(crate) fn rename_new(&self, from: &str, to: &str) -> Result<(), CohortError> {
        if self.exists(to) {
            return Err(CohortError::dataset(&self.path(to), "must not exist; move it to another folder"));
        }
        self.change(to, |folder, file| folder.rename(from, folder, file))
    }

    /// Removes a file, if it exists.
    pub(crate) fn remove(&self, name: &str) -> Result<(), CohortError> {
        match self.change(name, |folder, file| folder.remove_file(file)) {
            Err(CohortError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Changes the entry of a file in its folder.
    fn change(&self, name: &str, change: impl FnOnce(&Dir, &str) -> io::Result<()>) -> Result<(), CohortError> {
        let work = || {
            self.step()?;
            let (folder, file) = self.open(name)?;
            change(&folder, file)?;
            sync(&folder)
        };
        work().map_err(CohortError::io(&self.path(name)))
    }

    /// Locks the dataset for writing. Dropping the file releases the lock.
    pub(crate) fn lock(&self, name: &str) -> Result<std::fs::File, CohortError> {
        self.lock_within(name, LOCK_WAIT)
    }

    /// Same as [`lock`](Self::lock), and waits at most this long for another program.
    pub(crate) fn lock_within(&self, name: &str, wait: Duration) -> Result<std::fs::File, CohortError> {
        let path = self.path(name);
        let open = || {
            let (folder, file) = self.create(name)?;
            open_file(&folder, file, private().create(true))
        };
        let file = open().map_err(CohortError::io(&path))?.into_std();
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                // A run that was just cancelled may still finish a write.
                Err(TryLockError::WouldBlock) if start.elapsed() < wait => std::thread::sleep(LOCK_WAIT / 100),
                Err(TryLockError::WouldBlock) => {
                    return Err(CohortError::dataset(&self.root, "another program is writing to the folder; wait until it has ended"));
                }
                Err(TryLockError::Error(error)) => return Err(CohortError::io(&path)(error)),
            }
        }
    }

    /// Returns the names of all files in the folders of tables and months, and of what is there in place of a folder.
    pub(crate) fn table_files(&self) -> Result<Vec<String>, CohortError> {
        let mut files = Vec::new();
        for table in self.entries("")?.into_iter().filter(|name| name.starts_with("table=")) {
            for month in self.entries_or_name(&table)? {
                files.extend(self.entries_or_name(&month)?);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Returns the names of the entries of a folder, or the name itself if it is no folder.
    fn entries_or_name(&self, name: &str) -> Result<Vec<String>, CohortError> {
        let is_folder = self.open(name).and_then(|(folder, file)| folder.symlink_metadata(file)).is_ok_and(|found| found.is_dir());
        if !is_folder {
            return Ok(vec![name.to_owned()]);
        }
        Ok(self.entries(name)?.into_iter().map(|entry| format!("{name}/{entry}")).collect())
    }

    /// Returns the names in a folder of the dataset. Empty if the folder does not exist.
    pub(crate) fn entries(&self, folder: &str) -> Result<Vec<String>, CohortError> {
        let read = || -> io::Result<Vec<String>> {
            let (opened, _) = self.open(&format!("{folder}/"))?;
            opened.entries()?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
        };
        match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            names => names.map_err(CohortError::io(&self.path(folder))),
        }
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

/// Returns the SHA-256 of content, as lower-case hex.
pub(crate) fn checksum(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

/// Returns the name under which a file is written. Readers of a folder of Parquet files must not take it for one of them.
pub(crate) fn temporary(file: &str) -> String {
    format!(".vitalwire-{file}.tmp")
}

/// Opens a regular file. Follows no link, and does not wait for a pipe.
fn open_file(folder: &Dir, file: &str, options: &mut OpenOptions) -> io::Result<File> {
    let irregular = || io::Error::other("must be a regular file");
    if folder.symlink_metadata(file).is_ok_and(|found| !found.is_file()) {
        return Err(irregular());
    }
    let opened = folder.open_with(file, options.follow(FollowSymlinks::No).nonblock(true))?;
    // Another program may have exchanged the file.
    if opened.metadata()?.is_file() { Ok(opened) } else { Err(irregular()) }
}

/// Rejects a file that also has a name elsewhere, which may be a file of others.
#[cfg(unix)]
fn check_links(file: &File) -> io::Result<()> {
    use cap_std::fs::MetadataExt as _;
    match file.metadata()?.nlink() {
        0..=1 => Ok(()),
        _ => Err(io::Error::other("the file must have one hard link only; copy it and remove the links")),
    }
}

#[cfg(not(unix))]
fn check_links(_: &File) -> io::Result<()> {
    Ok(())
}

/// Returns the device and inode number of a folder.
#[cfg(unix)]
fn identity(folder: &Dir) -> io::Result<(u64, u64)> {
    use cap_std::fs::MetadataExt as _;
    folder.dir_metadata().map(|folder| (folder.dev(), folder.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Dir) -> io::Result<(u64, u64)> {
    Ok((0, 0))
}

/// Gives a file the group and mode of the file that it replaces, if there is one of the same owner.
#[cfg(unix)]
fn keep_access(folder: &Dir, replaced: &str, by: &std::fs::File) -> io::Result<()> {
    use cap_std::fs::MetadataExt as _;
    match folder.symlink_metadata(replaced) {
        Ok(file) if file.is_file() => Access { owner: file.uid(), group: file.gid(), mode: file.mode() }.apply(by),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn keep_access(_: &Dir, _: &str, _: &std::fs::File) -> io::Result<()> {
    Ok(())
}

/// Options that create a file which only its owner can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, private_files::FILE_MODE);
    options
}

/// Creates a folder of the dataset that only its owner can read, unless it exists.
fn create_folder(parent: &Dir, name: &str) -> io::Result<()> {
    #[allow(unused_mut, reason = "for Unix")]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, private_files::FOLDER_MODE);
    match parent.create_dir_with(name, &builder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn sync(folder: &Dir) -> io::Result<()> {
    folder.open(".")?.sync_all()
}

/// Other systems cannot open a folder as a file.
#[cfg(not(unix))]
fn sync(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Simulated crashes: an error before a file operation, after which no operation succeeds.
#[cfg(test)]
pub(crate) mod crash {
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

        pub(crate) fn step(&self) -> io::Result<()> {
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
