//! Client certificates: a PEM text, or the path of a file, with a certificate, its chain and its private key.

use std::path::PathBuf;
use std::sync::Arc;

use memchr::memmem;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error as TlsError, InconsistentKeys};
use zeroize::Zeroizing;

use crate::error::Error;

const SETTING: &str = "client_certificate";

pub(crate) enum ClientCertificate {
    Pem(Zeroizing<Vec<u8>>),
    File(PathBuf),
}

impl ClientCertificate {
    /// Reads and checks the certificate and its key. Copies of the key are overwritten, except the TLS library's own.
    pub(crate) fn load(&self) -> Result<Arc<CertifiedKey>, Error> {
        match self {
            Self::Pem(pem) => parse(pem),
            Self::File(path) => {
                let pem = std::fs::read(path).map(Zeroizing::new);
                parse(&pem.map_err(|error| Error::from_os_error(&error, invalid("the file cannot be read")))?)
            }
        }
        .map(Arc::new)
    }
}

fn parse(pem: &[u8]) -> Result<CertifiedKey, Error> {
    // Both forms of an encrypted key: a label of its own, and a header before the data.
    if memmem::find(pem, b"BEGIN ENCRYPTED PRIVATE KEY").is_some() || memmem::find(pem, b"Proc-Type: 4,ENCRYPTED").is_some() {
        return Err(invalid("the private key must not be encrypted; decrypt it with openssl pkey"));
    }
    let malformed = |_| invalid("must be valid PEM");
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>().map_err(malformed)?;
    let keys = PrivateKeyDer::pem_slice_iter(pem).map(|key| key.map(Zeroizing::new));
    let keys = keys.collect::<Result<Vec<_>, _>>().map_err(malformed)?;
    if certificates.is_empty() {
        return Err(invalid("must contain a certificate"));
    }
    let key = match &keys[..] {
        [key] => any_supported_type(key).map_err(|_| {
            invalid(
                "the private key must be RSA, Ed25519 or ECDSA (P-256 or P-384), and an ECDSA key must include its public key; \
                 openssl ec adds the public key",
            )
        })?,
        [] => return Err(invalid("must contain the private key of the certificate")),
        _ => return Err(invalid("must contain only one private key")),
    };
    let certified = CertifiedKey::new(certificates, key);
    match certified.keys_match() {
        Ok(()) | Err(TlsError::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
        Err(TlsError::InconsistentKeys(_)) => Err(invalid("the private key must belong to the first certificate")),
        Err(_) => Err(invalid("must contain a valid X.509 certificate of version 3; openssl x509 -req writes one with -extfile")),
    }
}

fn invalid(reason: &'static str) -> Error {
    Error::invalid_setting(SETTING, reason)
}
