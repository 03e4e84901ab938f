//! Tests of files that never end: named pipes without a writer.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use vitalwire::client::{CallOptions, CancelToken, CloseMode};
use vitalwire::error::ErrorKind;
use vitalwire::operations::NutritionRecordsUploadParams;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire_testkit::Server;

use super::{TempFile, accepting_server, builder};

const END: Duration = Duration::from_millis(300);

/// Creates a named pipe in a temporary folder.
fn pipe(name: &str) -> (TempFile, PathBuf) {
    let scratch = TempFile::new(name, b"");
    let path = scratch.0.with_extension("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    (scratch, path)
}

async fn error_after_end(server: &Server, path: PathBuf, options: CallOptions, close: bool) -> ErrorKind {
    let client = builder(server).build().unwrap();
    if close {
        let client = client.clone();
        tokio::spawn(async move {
            tokio::time::sleep(END).await;
            client.close(CloseMode::Abort);
        });
    }
    let started = Instant::now();
    let parameters = Upload::path(path).into_image().map(|image| image.map(|image| image.set(NutritionRecordsUploadParams::new())));
    let error = client.prepare::<NutritionRecordsUploadParams, _, _>(parameters, options).await.map(drop).unwrap_err();
    let time = started.elapsed();
    assert!(time >= END && time < END + Duration::from_millis(500), "{time:?}");
    assert_eq!((error.operation(), error.attempts(), error.may_have_taken_effect()), (Some("upload_nutrition_record"), 0, false));
    error.kind()
}

#[tokio::test]
async fn reading_an_endless_file_ends_with_its_call() {
    let server = accepting_server();
    let (_scratch, path) = pipe("endless");
    assert_eq!(error_after_end(&server, path.clone(), CallOptions::new().timeout(END), false).await, ErrorKind::Timeout);
    let token = CancelToken::new();
    let canceller = token.clone();
    tokio::spawn(async move {
        tokio::time::sleep(END).await;
        canceller.cancel();
    });
    assert_eq!(error_after_end(&server, path.clone(), CallOptions::new().cancel_token(&token), false).await, ErrorKind::Cancelled);
    assert_eq!(error_after_end(&server, path, CallOptions::new(), true).await, ErrorKind::Closed);
    assert_eq!(server.count(), 0);
}

/// A runtime waits for its blocking threads when it is dropped.
#[test]
fn a_runtime_ends_during_the_read_of_a_file() {
    let (_scratch, path) = pipe("runtime");
    let started = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        assert!(tokio::time::timeout(Duration::from_millis(50), Image::from_path(&path)).await.is_err());
        assert!(tokio::time::timeout(Duration::from_millis(50), Document::from_path(&path)).await.is_err());
    });
    drop(runtime);
    assert!(started.elapsed() < Duration::from_secs(5));
}
