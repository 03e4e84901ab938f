//! Local registries: folders with the layout that the ecosystems' clients expect.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

/// The registry of an ecosystem.
pub(crate) struct Registry<'a> {
    pub(crate) folder: &'a Path,
}

impl Registry<'_> {
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
