//! TLS with rustls and ring. The provider is passed explicitly, so no process-wide provider is installed or required.
//!
//! Trust comes from the platform (`rustls-platform-verifier`). Apple systems and Windows verify certificates themselves; elsewhere the
//! system's certificate store is used. The HTTP library already depends on that crate, so it adds no size. It is initialized at the first
//! handshake. On Android it would need a Java VM handle before the first call, so the roots are bundled there.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, RootCertStore};

use super::pins::{PinnedKeyVerifier, Pins};
use crate::error::Error;

/// Trusted root certificates.
pub(crate) enum Roots {
    /// The platform's roots, and additional certificates.
    PlatformAnd(Vec<CertificateDer<'static>>),
    /// Only these certificates.
    Only(Vec<CertificateDer<'static>>),
}

impl Roots {
    /// Reads PEM texts and bundles, each with the setting that names it. Each must contain a certificate. Bundles are made for many
    /// programs, so unusable certificates in them are skipped. The same applies to `platform`, which replaces the platform's roots.
    pub(crate) fn from_pem(
        texts: &[Vec<u8>],
        bundles: &[(&'static str, Vec<u8>)],
        platform: Option<&[u8]>,
        only: bool,
    ) -> Result<Self, Error> {
        let mut certificates = Vec::new();
        for text in texts {
            let before = certificates.len();
            for certificate in CertificateDer::pem_slice_iter(text) {
                certificates.push(certificate.map_err(|_| Error::invalid_setting("ca_certificate", "must be valid PEM"))?);
            }
            if certificates.len() == before {
                return Err(Error::invalid_setting("ca_certificate", "must contain a certificate"));
            }
        }
        for (setting, text) in bundles {
            certificates.extend(usable_certificates(setting, text)?);
        }
        if !only {
            let Some(platform) = platform else { return Ok(Self::PlatformAnd(certificates)) };
            certificates.extend(usable_certificates("platform_trust", platform)?);
            return Ok(Self::Only(certificates));
        }
        if certificates.is_empty() {
            return Err(Error::invalid_setting("only_custom_certificates", "requires a custom certificate; set ca_certificate or ca_file"));
        }
        Ok(Self::Only(certificates))
    }
}

/// Returns the usable certificates of a bundle.
fn usable_certificates(setting: &'static str, bundle: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let usable = |certificate: &CertificateDer<'static>| RootCertStore::empty().add(certificate.clone()).is_ok();
    let found: Vec<_> = CertificateDer::pem_slice_iter(bundle).filter_map(Result::ok).filter(usable).collect();
    if found.is_empty() { Err(Error::invalid_setting(setting, "must contain a certificate")) } else { Ok(found) }
}

/// Creates a configuration for TLS 1.2 and later, and HTTP/1.1. With pins, only servers with a pinned key are accepted. The certificate
/// is presented to servers that request one.
pub(crate) fn client_config(roots: &Roots, pins: Option<&Pins>, certificate: Option<&Arc<CertifiedKey>>) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| Error::internal("the TLS provider supports no TLS version"))?;
    let mut verifier = match roots {
        Roots::Only(certificates) => webpki_verifier(root_store(certificates)?, provider)?,
        Roots::PlatformAnd(certificates) => {
            // Report unusable certificates now instead of at the first call.
            root_store(certificates)?;
            platform_verifier(certificates.clone(), provider)?
        }
    };
    if let Some(pins) = pins {
        verifier = Arc::new(PinnedKeyVerifier { pins: pins.clone(), verifier });
    }
    let config = versions.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = match certificate {
        Some(certificate) => config.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(certificate)))),
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn root_store(certificates: &[CertificateDer<'static>]) -> Result<RootCertStore, Error> {
    let mut store = RootCertStore::empty();
    for certificate in certificates {
        store
            .add(certificate.clone())
            .map_err(|_| Error::invalid_setting("ca_certificate", "must be a certificate that can be a trust anchor"))?;
    }
    Ok(store)
}

fn webpki_verifier(store: RootCertStore, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    match WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider).build() {
        Ok(verifier) => Ok(verifier),
        Err(_) => Err(Error::internal("the root certificates cannot be used")),
    }
}

#[cfg(target_os = "android")]
fn platform_verifier(
    certificates: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    let mut store = root_store(&certificates)?;
    store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    webpki_verifier(store, provider)
}

#[cfg(not(target_os = "android"))]
#[expect(clippy::unnecessary_wraps, reason = "fails on Android")]
fn platform_verifier(
    certificates: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    Ok(Arc::new(lazy::PlatformVerifier::new(certificates, provider)))
}

/// Error of a system without root certificates.
#[derive(Debug)]
pub(super) struct NoRootCertificates;

impl std::fmt::Display for NoRootCertificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no trusted root certificates were found on this system")
    }
}

impl std::error::Error for NoRootCertificates {}

#[cfg(not(target_os = "android"))]
mod lazy {
    //! Lazy platform verifier: it is created for the first certificate, because reading a certificate store takes milliseconds.

    use std::fmt;
    use std::fs::File;
    use std::sync::{Arc, OnceLock};

    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{self, CryptoProvider};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, OtherError, SignatureScheme};
    use rustls_platform_verifier::Verifier;

    use super::NoRootCertificates;
    use crate::error::os_error::is_out_of_descriptors;

    pub(super) struct PlatformVerifier {
        extra: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
        verifier: OnceLock<Verifier>,
    }

    impl PlatformVerifier {
        pub(super) fn new(extra: Vec<CertificateDer<'static>>, provider: Arc<CryptoProvider>) -> Self {
            Self { extra, provider, verifier: OnceLock::new() }
        }

        fn verifier(&self) -> Result<&Verifier, rustls::Error> {
            if let Some(verifier) = self.verifier.get() {
                return Ok(verifier);
            }
            // The loader does not report why it cannot open a file, and a partly read set of roots would be cached.
            if let Some(error) = File::open("/").err().filter(is_out_of_descriptors) {
                return Err(rustls::Error::Other(OtherError(Arc::new(error))));
            }
            // A failure is not cached, so that a certificate store installed later is found.
            let provider = Arc::clone(&self.provider);
            let created = if self.extra.is_empty() {
                Verifier::new(provider)
            } else {
                Verifier::new_with_extra_roots(self.extra.iter().cloned(), provider)
            };
            let verifier = created.map_err(|_| rustls::Error::Other(OtherError(Arc::new(NoRootCertificates))))?;
            Ok(self.verifier.get_or_init(|| verifier))
        }
    }

    impl ServerCertVerifier for PlatformVerifier {
        fn verify_server_cert(
            &self,
            end_entity: &CertificateDer<'_>,
            intermediates: &[CertificateDer<'_>],
            server_name: &ServerName<'_>,
            ocsp_response: &[u8],
            now: UnixTime,
        ) -> Result<ServerCertVerified, rustls::Error> {
            self.verifier()?.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            crypto::verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            crypto::verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.provider.signature_verification_algorithms.supported_schemes()
        }
    }

    impl fmt::Debug for PlatformVerifier {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("PlatformVerifier")
        }
    }
}
