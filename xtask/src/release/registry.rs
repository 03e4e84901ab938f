//! Local registries: one folder, whose subfolders have the layout that the ecosystems' clients expect, and a server of its files.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, ensure};

/// The registry of an ecosystem.
pub(crate) struct Registry<'a> {
    pub(super) folder: &'a Path,
}

impl Registry<'_> {
    /// Returns the folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder
    }

    /// Publishes a file under a path of the registry. Publishing the same bytes again has no effect.
    ///
    /// # Errors
    /// If the registry has another file of this name: a published version never changes.
    pub(crate) fn publish(&self, file: &Path, path: &str) -> anyhow::Result<()> {
        let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        self.publish_bytes(&bytes, path)
    }

    /// Publishes bytes, as [`publish`](Self::publish) does.
    ///
    /// # Errors
    /// If the registry has another file of this name.
    pub(crate) fn publish_bytes(&self, bytes: &[u8], path: &str) -> anyhow::Result<()> {
        let to = self.folder.join(path);
        if let Ok(published) = fs::read(&to) {
            ensure!(published == bytes, "{path} is already published with another content; raise the version");
            return Ok(());
        }
        fs::create_dir_all(to.parent().unwrap_or(self.folder))?;
        Ok(fs::write(to, bytes)?)
    }

    /// Publishes every file below a folder under the same path.
    ///
    /// # Errors
    /// If the registry has another file of one of the names.
    pub(crate) fn publish_folder(&self, folder: &Path) -> anyhow::Result<()> {
        for file in crate::folder::files(folder)? {
            self.publish(&file, &crate::folder::relative_name(&file, folder)?)?;
        }
        Ok(())
    }
}

/// A server of all registries on this machine.
pub(super) struct Server {
    child: Child,
    pub(super) address: String,
}

impl Server {
    /// Serves the files below a folder. Clients read its lists of files as an index.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Self> {
        let log = fs::File::create(folder.with_extension("log"))?;
        let mut child = Command::new("python3")
            .args(["-I", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .arg("0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("python3 cannot be started")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the server has no output")?).read_line(&mut line)?;
        let address = line.split(['(', ')']).nth(1).map(|address| address.trim_end_matches('/').to_owned());
        let address = address.with_context(|| format!("the server did not start: {line}"));
        match address {
            Ok(address) => Ok(Self { child, address }),
            Err(error) => {
                let _ = child.kill();
                Err(error)
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the folder of an ecosystem's registry.
pub(super) fn folder(registries: &Path, ecosystem: &str) -> PathBuf {
    registries.join(ecosystem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_file_never_changes() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry { folder: folder.path() };
        registry.publish_bytes(b"1", "a/b-1.2.3.whl").unwrap();
        registry.publish_bytes(b"1", "a/b-1.2.3.whl").unwrap();
        let error = registry.publish_bytes(b"2", "a/b-1.2.3.whl").unwrap_err().to_string();
        assert_eq!(error, "a/b-1.2.3.whl is already published with another content; raise the version");
        assert_eq!(fs::read(folder.path().join("a/b-1.2.3.whl")).unwrap(), b"1");
    }
}
