//! Certificates for tests.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, PublicKeyData as _, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

/// A private certificate authority.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// Creates an authority with a new key.
    #[must_use]
    pub fn new() -> Self {
        Self::with_key(KeyPair::generate().unwrap())
    }

    /// Creates an authority with the key returned by [`key_pem`](Self::key_pem).
    #[must_use]
    pub fn from_key(pem: &str) -> Self {
        Self::with_key(KeyPair::from_pem(pem).unwrap())
    }

    fn with_key(key: KeyPair) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    /// Returns the certificate, for clients to trust.
    #[must_use]
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Returns the key, for another process that signs with it.
    #[must_use]
    pub fn key_pem(&self) -> String {
        self.0.key().serialize_pem()
    }

    /// Returns a server configuration with a certificate for one name or address.
    #[must_use]
    pub fn server(&self, name: &str) -> Arc<ServerConfig> {
        self.server_with_key(name).0
    }

    /// Like [`server`](Self::server). Also returns the server's key as a SubjectPublicKeyInfo.
    #[must_use]
    pub fn server_with_key(&self, name: &str) -> (Arc<ServerConfig>, Vec<u8>) {
        self.server_with_params(CertificateParams::new(vec![name.to_owned()]).unwrap())
    }

    /// Returns a server configuration with a certificate for one name or address that is valid from 1 January of a year to 1 January of
    /// another one.
    #[must_use]
    pub fn server_valid_in(&self, name: &str, years: std::ops::Range<i32>) -> Arc<ServerConfig> {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(years.start, 1, 1), date_time_ymd(years.end, 1, 1));
        self.server_with_params(params).0
    }

    /// Returns a server configuration with a certificate for one name or address that requires a client certificate of this authority.
    #[must_use]
    pub fn server_for_clients(&self, name: &str) -> Arc<ServerConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let clients = WebPkiClientVerifier::builder_with_provider(roots.into(), Arc::clone(&provider)).build().unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap();
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        Arc::new(config.with_client_cert_verifier(clients).with_single_cert(vec![certificate.der().clone()], key).unwrap())
    }

    /// Returns a client certificate and its key, as PEM.
    #[must_use]
    pub fn client(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap();
        (certificate.pem(), key.serialize_pem())
    }

    fn server_with_params(&self, params: CertificateParams) -> (Arc<ServerConfig>, Vec<u8>) {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()));
        (Arc::new(config.unwrap()), key.subject_public_key_info())
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}
