//! The specifications that the sandbox serves beside its page: copies in its own folder, because a package holds no file from
//! outside of it.

use super::File;
use crate::spec::{SERVICES, Sources};

/// Where the copies are.
const FOLDER: &str = "crates/vitalwire-sandbox/src/generated";

/// Each base specification as it is, without overlays.
pub(super) fn emit(sources: &Sources) -> Vec<File> {
    let base = |path: &str| sources.files.iter().find(|(known, _)| known == path);
    SERVICES
        .iter()
        .filter_map(|(_, path)| base(path))
        .map(|(path, text)| File::new(format!("{FOLDER}/{}", path.rsplit('/').next().unwrap_or(path)), text))
        .collect()
}
