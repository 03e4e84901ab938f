//! Public key pinning: a certificate is verified as usual, then its key is compared with the pins.
//!
//! A pin is the Base64 SHA-256 of a key (its SubjectPublicKeyInfo), the format of OkHttp and HPKP. Only the server's own certificate is
//! compared, because the rest of the presented chain is not verified as such.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, SignatureScheme};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// Prefix of a pin.
const PREFIX: &str = "sha256/";

/// Separator between pins.
const SEPARATOR: char = ';';

/// SHA-256 hashes of the pinned keys.
#[derive(Clone)]
pub(crate) struct Pins(Vec<[u8; 32]>);

impl Pins {
    /// Parses pins separated by semicolons.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let pins = text.split(SEPARATOR).map(str::trim).filter(|pin| !pin.is_empty()).map(parse_pin).collect::<Result<Vec<_>, Error>>()?;
        if pins.is_empty() {
            return Err(invalid("must contain a pin"));
        }
        Ok(Self(pins))
    }

    fn has_key_of(&self, certificate: &CertificateDer<'_>) -> Result<bool, rustls::Error> {
        let key = ParsedCertificate::try_from(certificate)?.subject_public_key_info();
        let found = Sha256::digest(&key);
        Ok(self.0.iter().any(|pin| pin[..] == found[..]))
    }
}

fn parse_pin(pin: &str) -> Result<[u8; 32], Error> {
    let text = pin.strip_prefix(PREFIX).ok_or_else(|| invalid("a pin must begin with `sha256/`"))?;
    let bytes = STANDARD.decode(text).map_err(|_| invalid("a pin must be base64"))?;
    bytes.try_into().map_err(|_| invalid("a pin must encode 32 bytes"))
}

fn invalid(reason: &'static str) -> Error {
    Error::invalid_setting("pinned_keys", reason)
}

/// Delegates to another verifier, and then accepts pinned keys only.
pub(super) struct PinnedKeyVerifier {
    pub(super) pins: Pins,
    pub(super) verifier: Arc<dyn ServerCertVerifier>,
}

impl ServerCertVerifier for PinnedKeyVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self.verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)?;
        if self.pins.has_key_of(end_entity)? { Ok(verified) } else { Err(CertificateError::ApplicationVerificationFailure.into()) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }

    fn root_hint_subjects(&self) -> Option<&[DistinguishedName]> {
        self.verifier.root_hint_subjects()
    }
}

impl fmt::Debug for PinnedKeyVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PinnedKeyVerifier")
    }
}
