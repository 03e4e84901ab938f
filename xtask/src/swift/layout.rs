//! Paths of the Swift package in the workspace.

/// The package's folder.
pub(super) const FOLDER: &str = "bindings/swift";
/// The package's manifest, which names targets and products.
pub(super) const MANIFEST: &str = "Package.swift";
/// Folder of the package's articles.
pub(super) const ARTICLES: &str = "Sources/Vitalwire/Vitalwire.docc";
/// The C functions that the package calls, as uniffi declares them, and their module.
pub(super) const HEADER: &str = "bindings/swift/Sources/CVitalwireFFI/CVitalwireFFI.h";
pub(super) const MODULE: &str = "CVitalwireFFI";
/// The functions that only the libraries for Linux and macOS have.
pub(super) const SERVER_HEADER: &str = "bindings/swift/Sources/CVitalwireFFI/CVitalwireServerFFI.h";
/// The package's privacy manifest for Apple.
pub(super) const PRIVACY: &str = "bindings/swift/Sources/Vitalwire/PrivacyInfo.xcprivacy";
