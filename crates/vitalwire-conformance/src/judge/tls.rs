//! Certificates created at run time.

use std::sync::Arc;

use anyhow::Context;
use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, Issuer, KeyPair, SanType};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use time::{Duration, OffsetDateTime};

/// A certificate authority and the server configurations.
pub(super) struct Certificates {
    /// The authority's certificate, as PEM.
    pub(super) ca: String,
    pub(super) valid: Arc<ServerConfig>,
    pub(super) self_signed: Arc<ServerConfig>,
    /// Server configuration with a certificate that expired yesterday.
    pub(super) expired: Arc<ServerConfig>,
    /// Server configuration with a certificate for another host.
    pub(super) wrong_host: Arc<ServerConfig>,
}

/// Creates an authority and its certificates.
pub(super) fn create() -> anyhow::Result<Certificates> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key)?;
    let issuer = Issuer::new(params, key);
    let signed = |params: &CertificateParams| -> anyhow::Result<Arc<ServerConfig>> {
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &issuer)?;
        config(&certificate, &key)
    };
    let mut expired = leaf()?;
    expired.not_before = OffsetDateTime::now_utc() - Duration::days(30);
    expired.not_after = OffsetDateTime::now_utc() - Duration::days(1);
    let self_signed_key = KeyPair::generate()?;
    Ok(Certificates {
        ca: authority.pem(),
        valid: signed(&leaf()?)?,
        self_signed: config(&leaf()?.self_signed(&self_signed_key)?, &self_signed_key)?,
        expired: signed(&expired)?,
        wrong_host: signed(&CertificateParams::new(vec!["elsewhere.example".to_owned()])?)?,
    })
}

fn leaf() -> anyhow::Result<CertificateParams> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.subject_alt_names = vec![SanType::IpAddress([127, 0, 0, 1].into())];
    Ok(params)
}

fn config(certificate: &Certificate, key: &KeyPair) -> anyhow::Result<Arc<ServerConfig>> {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .context("protocol versions")?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .context("a certificate")?;
    Ok(Arc::new(config))
}

/// Returns the first message of a server that supports only TLS 1.1: a `ServerHello` of version 3.2 in its own record, with
/// 32 random bytes, no session, `TLS_RSA_WITH_AES_128_CBC_SHA` and no compression.
pub(super) fn outdated_hello() -> Vec<u8> {
    const VERSION: [u8; 2] = [3, 2];
    let mut hello = VERSION.to_vec();
    hello.extend([7; 32]);
    hello.push(0);
    hello.extend([0x00, 0x2f]);
    hello.push(0);
    let length = |bytes: usize| u16::try_from(bytes).unwrap_or_default().to_be_bytes();
    let mut handshake = vec![2, 0];
    handshake.extend(length(hello.len()));
    handshake.extend(hello);
    let mut record = vec![22];
    record.extend(VERSION);
    record.extend(length(handshake.len()));
    record.extend(handshake);
    record
}
