//! CA bundles: PEM files, directories of PEM files, and bundles named by environment variables.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::error::os_error::is_out_of_descriptors;

/// The setting that names a bundle, and the path of the bundle.
pub(crate) type Bundle = (&'static str, PathBuf);

/// Returns the CA bundles that environment variables name.
///
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` are OpenSSL's variables. Where the platform's trust store is a file, the platform verifier reads
/// them itself.
pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Vec<Bundle> {
    let value_of = |name: &'static str| variable(name).filter(|value| !value.is_empty());
    let mut bundles: Vec<Bundle> = value_of("REQUESTS_CA_BUNDLE").map(|path| ("REQUESTS_CA_BUNDLE", path.into())).into_iter().collect();
    if cfg!(any(target_vendor = "apple", windows)) {
        bundles.extend(value_of("SSL_CERT_FILE").map(|path| ("SSL_CERT_FILE", path.into())));
        let folders = value_of("SSL_CERT_DIR").map(|folders| std::env::split_paths(&folders).collect::<Vec<_>>()).unwrap_or_default();
        bundles.extend(folders.into_iter().map(|folder| ("SSL_CERT_DIR", folder)));
    }
    bundles
}

/// Reads the files of a bundle. Errors do not quote the path.
pub(crate) fn read((setting, path): &Bundle) -> Result<Vec<u8>, Error> {
    let unreadable = |error| Error::from_os_error(&error, Error::invalid_setting(*setting, "the file cannot be read"));
    if !path.is_dir() {
        return std::fs::read(path).map_err(unreadable);
    }
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        // Such directories also contain subdirectories and dangling links.
        let path: &Path = &entry.map_err(unreadable)?.path();
        if !path.is_file() {
            continue;
        }
        match std::fs::read(path) {
            Ok(text) => {
                texts.extend_from_slice(&text);
                texts.push(b'\n');
            }
            Err(error) if is_out_of_descriptors(&error) => return Err(unreadable(error)),
            Err(_) => {}
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_are_named_by_environment_variables() {
        let bundles = from_environment(|name| (name == "REQUESTS_CA_BUNDLE").then(|| "/a/b.pem".into()));
        assert_eq!(bundles, [("REQUESTS_CA_BUNDLE", PathBuf::from("/a/b.pem"))]);
        assert_eq!(from_environment(|_| Some("".into())), []);
        let own = from_environment(|name| (name != "REQUESTS_CA_BUNDLE").then(|| "/a".into()));
        assert_eq!(own.len(), if cfg!(any(target_vendor = "apple", windows)) { 2 } else { 0 });
    }

    #[test]
    fn an_unreadable_bundle_is_reported_by_its_setting_only() {
        let error = read(&("REQUESTS_CA_BUNDLE", "/nowhere/CANARY.pem".into())).expect_err("refused");
        assert_eq!(error.argument(), Some("REQUESTS_CA_BUNDLE"));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
}
