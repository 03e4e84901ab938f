//! TLS: rustls with ring, given explicitly, so that no process-wide provider is installed or needed.
//!
//! Trust comes from the platform (`rustls-platform-verifier`): on Apple systems and Windows the system itself judges, elsewhere
//! its certificate store counts. The HTTP library carries that crate anyway, so it costs nothing more. It is set up at the first
//! handshake only. On Android it would need a handle of the Java machine before the first call, so there the roots are bundled.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::pins::{Pinned, Pins};
use crate::error::Error;

/// Whom to trust.
pub(crate) enum Roots {
    /// The platform's roots, and these.
    PlatformAnd(Vec<CertificateDer<'static>>),
    /// These alone.
    Only(Vec<CertificateDer<'static>>),
}

impl Roots {
    /// Reads PEM texts and bundles of them, by the setting that names each. Each must hold a certificate; of bundles, what cannot be
    /// trusted is passed over: they are made for many programs. So it is of `platform`, which stands in for the platform's roots.
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
                certificates.push(certificate.map_err(|_| Error::setting("ca_certificate", "not valid PEM"))?);
            }
            if certificates.len() == before {
                return Err(Error::setting("ca_certificate", "the PEM text holds no certificate"));
            }
        }
        for (setting, text) in bundles {
            certificates.extend(usable(setting, text)?);
        }
        if !only {
            let Some(platform) = platform else { return Ok(Self::PlatformAnd(certificates)) };
            certificates.extend(usable("platform_trust", platform)?);
            return Ok(Self::Only(certificates));
        }
        if certificates.is_empty() {
            return Err(Error::setting("only_custom_certificates", "no certificate is given"));
        }
        Ok(Self::Only(certificates))
    }
}

/// The certificates of a bundle that can be trusted.
fn usable(setting: &'static str, bundle: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let usable = |certificate: &CertificateDer<'static>| RootCertStore::empty().add(certificate.clone()).is_ok();
    let found: Vec<_> = CertificateDer::pem_slice_iter(bundle).filter_map(Result::ok).filter(usable).collect();
    if found.is_empty() { Err(Error::setting(setting, "no certificate is in it")) } else { Ok(found) }
}

/// TLS 1.2 and later, HTTP/1.1. Where keys are pinned, no other is accepted.
pub(crate) fn client_config(roots: &Roots, pins: Option<&Pins>) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| Error::internal("the TLS provider knows no TLS version"))?;
    let mut verifier = match roots {
        Roots::Only(certificates) => web_pki(store(certificates)?, provider)?,
        Roots::PlatformAnd(certificates) => {
            // Certificates that cannot be trusted at all are told at once, not at the first call.
            store(certificates)?;
            platform(certificates.clone(), provider)?
        }
    };
    if let Some(pins) = pins {
        verifier = Arc::new(Pinned { pins: pins.clone(), verifier });
    }
    let mut config = versions.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn store(certificates: &[CertificateDer<'static>]) -> Result<RootCertStore, Error> {
    let mut store = RootCertStore::empty();
    for certificate in certificates {
        store.add(certificate.clone()).map_err(|_| Error::setting("ca_certificate", "not a certificate that can be trusted"))?;
    }
    Ok(store)
}

fn web_pki(store: RootCertStore, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    match WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider).build() {
        Ok(verifier) => Ok(verifier),
        Err(_) => Err(Error::internal("the root certificates cannot be used")),
    }
}

#[cfg(target_os = "android")]
fn platform(certificates: Vec<CertificateDer<'static>>, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    let mut store = store(&certificates)?;
    store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    web_pki(store, provider)
}

#[cfg(not(target_os = "android"))]
#[expect(clippy::unnecessary_wraps, reason = "fails on Android")]
fn platform(certificates: Vec<CertificateDer<'static>>, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    Ok(Arc::new(lazy::PlatformVerifier::new(certificates, provider)))
}

/// The system has no root certificates.
#[derive(Debug)]
pub(super) struct NoRoots;

impl std::fmt::Display for NoRoots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no trusted root certificates were found on this system")
    }
}

impl std::error::Error for NoRoots {}

#[cfg(not(target_os = "android"))]
mod lazy {
    //! The platform's verifier, set up when the first certificate is to be judged: reading a certificate store takes milliseconds.

    use std::fmt;
    use std::fs::File;
    use std::sync::{Arc, OnceLock};

    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{self, CryptoProvider};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, OtherError, SignatureScheme};
    use rustls_platform_verifier::Verifier;

    use super::NoRoots;
    use crate::error::system::is_exhausted;

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
            // The loader hides why it opens no file, and roots that were read in part would be kept.
            if let Some(error) = File::open("/").err().filter(is_exhausted) {
                return Err(rustls::Error::Other(OtherError(Arc::new(error))));
            }
            // A failure is not kept: a store that comes later is found.
            let provider = Arc::clone(&self.provider);
            let made = if self.extra.is_empty() {
                Verifier::new(provider)
            } else {
                Verifier::new_with_extra_roots(self.extra.iter().cloned(), provider)
            };
            let verifier = made.map_err(|_| rustls::Error::Other(OtherError(Arc::new(NoRoots))))?;
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
