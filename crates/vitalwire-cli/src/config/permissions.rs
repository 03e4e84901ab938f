//! Rights of other users to the configuration file and to token files.

use std::path::{Path, PathBuf};

use super::file::File;
use crate::failure::Failure;
use crate::render::style::{clean_path, may_be_secret_path};

/// Returns warnings about a configuration file that other users can read or change.
///
/// Fails if they can change a file that names a program to execute. Like ssh, it also checks the folders and the owners of all of them.
/// `changeable` is the result of [`changeable_part`] before the file was read: if that is `None`, nobody could exchange the file since.
pub(super) fn check(path: &Path, file: &File, changeable: Option<&Path>) -> Result<Vec<String>, Failure> {
    let (name, mut warnings) = (clean_path(path), Vec::new());
    if file.contains_token() {
        let others = if others_access(path) == Some("read") { ", which other users of this machine can read" } else { "" };
        warnings.push(format!("{name} contains a token in plain text{others}: use token_file or token_command"));
    }
    if let Some(part) = changeable {
        let remedy = remedy(part);
        if file.names_command() {
            return Err(Failure::Settings(format!(
                "{name} names a program to execute, but other users of this machine can write or replace {name}: {remedy}"
            )));
        }
        warnings.push(format!(
            "other users of this machine can write {name} or replace it, and redirect tokens and health data to themselves: {remedy}"
        ));
    }
    Ok(warnings)
}

/// Fails if other users can change the program of a token command, the folders or links on the way to it, or own them.
pub(super) fn check_program(program: &Path) -> Result<(), Failure> {
    let name = shown_path(program);
    changeable_part(program).map_or(Ok(()), |part| {
        let remedy = remedy(&part);
        Err(Failure::Settings(format!("other users of this machine can write the token command {name} or replace it: {remedy}")))
    })
}

fn remedy(part: &Path) -> String {
    format!("run chmod go-w on {}, and chown if another user owns it", clean_path(part))
}

/// Returns a path for a message, unless it may be a token that was given in its place.
pub(super) fn shown_path(path: &Path) -> String {
    if may_be_secret_path(path) { "(path not shown: it may be a token)".to_owned() } else { clean_path(path) }
}

/// Maximum number of links that are followed to a file, as on Linux.
#[cfg(unix)]
const MAX_LINKS: usize = 40;

/// Returns whether other users can `read` or `change` a file. `None` for a missing file.
#[cfg(unix)]
pub(super) fn others_access(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    match path.metadata().ok()?.mode() {
        mode if mode & 0o044 != 0 => Some("read"),
        mode if mode & 0o022 != 0 => Some("change"),
        _ => None,
    }
}

/// Returns the file, or the folder or link on the way to it, that other users can change.
#[cfg(unix)]
pub(super) fn changeable_part(path: &Path) -> Option<PathBuf> {
    let mut paths: Vec<PathBuf> = path.canonicalize().into_iter().collect();
    let mut link = std::path::absolute(path).ok()?;
    for _ in 0..MAX_LINKS {
        paths.push(link.clone());
        let Ok(target) = link.read_link() else { break };
        link = link.parent()?.join(target);
    }
    paths.iter().flat_map(|path| path.ancestors()).find(|part| others_can_change(part)).map(Path::to_owned)
}

/// Whether another user owns a file, a folder or a link to it, or can write to it. In a folder with the sticky bit, they cannot replace
/// files and links of others.
#[cfg(unix)]
fn others_can_change(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owners = [0, rustix::process::geteuid().as_raw()];
    let is_link_of_others = path.symlink_metadata().is_ok_and(|link| !owners.contains(&link.uid()));
    is_link_of_others
        || path.metadata().is_ok_and(|found| {
            let is_sticky_folder = found.is_dir() && found.mode() & 0o1000 != 0;
            !owners.contains(&found.uid()) || found.mode() & 0o022 != 0 && !is_sticky_folder
        })
}

/// Returns `None`, because other systems do not state rights in permission bits.
#[cfg(not(unix))]
pub(super) fn others_access(_: &Path) -> Option<&'static str> {
    None
}

#[cfg(not(unix))]
pub(super) fn changeable_part(_: &Path) -> Option<PathBuf> {
    None
}
