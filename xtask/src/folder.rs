//! Lists, reads, copies and removes folders.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Lists every file below a folder, by name. Links are not followed.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
            let entry = entry?;
            let list = if entry.file_type()?.is_dir() { &mut folders } else { &mut found };
            list.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Reads every file below a folder. Returns the relative name, with `/`, and the content of each.
///
/// # Errors
/// If a file cannot be read, or its name is not UTF-8.
pub(crate) fn contents(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let content = |file: PathBuf| Ok((relative_name(&file, folder)?, fs::read(&file)?));
    files(folder)?.into_iter().map(content).collect()
}

/// Returns the relative name of a file below a folder, with `/`.
///
/// # Errors
/// If the file is not below the folder, or its name is not UTF-8.
pub(crate) fn relative_name(file: &Path, folder: &Path) -> anyhow::Result<String> {
    let name = file.strip_prefix(folder)?.to_str().with_context(|| format!("{} is not UTF-8", file.display()))?;
    Ok(name.replace('\\', "/"))
}

/// Copies every file below a folder into another one. Creates the other folder.
///
/// # Errors
/// If a file cannot be copied.
pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in files(from)? {
        let target = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(&file, target)?;
    }
    Ok(())
}

/// Removes a folder and its contents, if it exists.
///
/// # Errors
/// If something cannot be removed.
pub(crate) fn remove(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).with_context(|| format!("removing {}", folder.display())),
        _ => Ok(()),
    }
}
