//! Uploads that another HTTP client sends to the sandbox, whose responses the client reads.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use vitalwire::bytes::Bytes;
use vitalwire::client::PreparedUpload;
use vitalwire::error::{BoxError, ErrorKind};
use vitalwire::http;

use crate::common::{RunningSandbox, control};

const PDF: &[u8] = b"%PDF-1.7\n";

/// Sends a prepared upload, as a service of an operating system does.
async fn send(upload: &PreparedUpload) -> Result<http::Response<Bytes>, BoxError> {
    let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let tls = tls.with_safe_default_protocol_versions()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    let client = reqwest::Client::builder().no_proxy().tls_backend_preconfigured(tls).build()?;
    let request = client.request(upload.method.clone(), &upload.url).headers(upload.headers.clone());
    let response = request.body(std::fs::read(&upload.file)?).send().await?;
    let mut received = http::Response::builder().status(response.status());
    received.headers_mut().into_iter().for_each(|headers| headers.clone_from(response.headers()));
    Ok(received.body(response.bytes().await?)?)
}

#[tokio::test]
async fn a_sent_upload_is_read_and_listed() {
    let (served, folder) = (RunningSandbox::start(&["--seed", "7"]), tempfile::tempdir().expect("a folder"));
    let upload = served.client().lab_reports().upload(PDF, "a.pdf").prepare_upload(folder.path().join("body")).await.expect("a file");
    let labs = served.client().lab_reports();
    let report = labs.read_upload_response(&upload.receipt, send(&upload).await).expect("a report").into_inner().lab_report;
    let uploaded_at = report.uploaded_at.expect("a time");
    let listed = labs.list().from_timestamp(uploaded_at).await.expect("a list");
    assert_eq!(listed.iter().filter(|listed| listed.record_id == report.record_id).count(), 1);
}

/// The service stores the record and the connection breaks before the response. Only a list can show the record.
#[tokio::test]
async fn the_record_of_a_lost_response_is_found_by_a_list() {
    let (served, folder) = (RunningSandbox::start(&["--seed", "7"]), tempfile::tempdir().expect("a folder"));
    let labs = served.client().lab_reports();
    let before: Vec<_> = labs.list().await.expect("a list").into_iter().map(|report| report.record_id).collect();
    let (status, _) = control(&served, "POST", "/faults", &json!({ "fault": "reset_after; operation=upload_lab_report" }).to_string());
    assert!((200..300).contains(&status), "{status}");
    let upload = labs.upload(PDF, "a.pdf").prepare_upload(folder.path().join("body")).await.expect("a file");
    let error = labs.read_upload_response(&upload.receipt, send(&upload).await).expect_err("no response");
    assert_eq!((error.kind(), error.may_have_taken_effect(), error.record_id()), (ErrorKind::Transport, true, None));
    let after = labs.list().await.expect("a list");
    assert_eq!(after.iter().filter(|report| !before.contains(&report.record_id)).count(), 1);
}
