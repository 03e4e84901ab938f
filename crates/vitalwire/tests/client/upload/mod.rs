//! Tests of uploads from files and readers with real sockets: requests, errors, privacy and memory.

mod mistaken;
mod prepared;
#[cfg(unix)]
mod slow;
mod strip;

use std::io::{self, Read};
use std::path::PathBuf;

use serde_json::{Value, json as value};
use vitalwire::Error;
use vitalwire::client::{Client, ClientBuilder};
use vitalwire::error::ErrorKind;
use vitalwire::upload::{Document, Image, MAX_READ, Upload};
use vitalwire_testkit::{Server, json};

fn builder(server: &Server) -> ClientBuilder {
    Client::builder().base_url(server.url()).token("t").no_proxy()
}

fn accepting_server() -> Server {
    Server::always(json(200, r#"{"record_id":"n-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z"}"#))
}

fn request_body(server: &Server) -> Value {
    let seen = server.requests();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].header("content-type"), Some("application/json"));
    serde_json::from_slice(&seen[0].body).unwrap()
}

/// Temporary file of a test, which is removed at its end.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("vitalwire-upload-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

/// First bytes of a JPEG file, by its specification like those of the other formats.
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR";
const WEBP: &[u8] = b"RIFF\x24\x00\x00\x00WEBPVP8 ";
const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00";
const HEIC: &[u8] = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic";
const PDF: &[u8] = b"%PDF-1.7\n";

#[tokio::test]
async fn pictures_from_paths_bytes_and_readers_are_equal() {
    let file = TempFile::new("lunch.jpg", JPEG);
    let images = [Image::from_path(&file.0).await.unwrap(), Image::from_bytes(JPEG), Image::from_reader(JPEG).unwrap()];
    for image in images {
        let server = accepting_server();
        assert_eq!((image.media_type(), image.size()), (Some("image/jpeg"), Some(12)));
        builder(&server).build().unwrap().nutrition_records().upload_image(image).include_ingredients(true).await.unwrap();
        // ff d8 ff | e0 00 10 | 4a 46 49 | 46 00 01
        assert_eq!(request_body(&server), value!({"body": "/9j/4AAQSkZJRgAB", "include_ingredients": true}));
    }
}

#[tokio::test]
async fn all_sources_of_uploads_have_one_type() {
    let file = TempFile::new("lunch.jpg", JPEG);
    let given = [Upload::path(&file.0), Upload::text(file.0.to_str().unwrap()), Upload::bytes(JPEG), Upload::reader(JPEG).unwrap()];
    for upload in given.clone() {
        assert_eq!(upload.into_image().await.unwrap(), Image::from_bytes(JPEG));
    }
    let names = given.map(|upload| upload.filename().map(str::to_owned));
    assert_eq!(names, [Some("lunch.jpg".to_owned()), Some("lunch.jpg".to_owned()), None, None]);
    let url = Upload::text("HTTPS://images.example/1.png");
    assert!(url.is_url() && !Upload::text("https.jpg").is_url());
    assert_eq!(url.clone().into_image().await.unwrap(), Image::from_url("HTTPS://images.example/1.png").unwrap());
    // A document has the name of its file or one from the caller. It cannot be a URL.
    let named = [Upload::path(&file.0), Upload::path(&file.0).with_filename("other"), Upload::bytes(PDF).with_filename("report.pdf")];
    let mut names = Vec::new();
    for upload in named {
        names.push(upload.into_document().await.unwrap().filename().to_owned());
    }
    assert_eq!(names, ["lunch.jpg", "other", "report.pdf"]);
    for (upload, argument) in [(Upload::bytes(PDF), "filename"), (url.clone(), "body"), (Upload::path("/no/such/file"), "path")] {
        assert_eq!(upload.into_document().await.unwrap_err().argument(), Some(argument));
    }
    let error = Upload::path(&file.0).without_metadata(true).into_document().await.unwrap_err();
    assert_eq!(error.argument(), Some("without_metadata"));
    // URLs, unsupported formats and invalid files cannot be stripped and are errors.
    for upload in [url, Upload::bytes(GIF), Upload::bytes(JPEG)] {
        let error = upload.without_metadata(true).into_image().await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("image")));
    }
    let shown =
        format!("{:?} {:?} {:?}", Upload::path(&file.0), Upload::bytes(PDF).with_filename("Rosa.pdf"), Upload::url("https://rosa.example"));
    assert_eq!(shown, "Upload(path) Upload(9 bytes) Upload(url)");
}

#[tokio::test]
async fn the_url_of_a_picture_is_sent_to_the_service() {
    let server = accepting_server();
    let image = Image::from_url("https://images.example/1.png?size=2").unwrap();
    builder(&server).build().unwrap().nutrition_records().upload_image(image).await.unwrap();
    assert_eq!(request_body(&server), value!({"body_url": "https://images.example/1.png?size=2"}));
    assert!(Image::from_url("https://bücher.example/1.png").is_ok(), "the service interprets the host");
    for url in [
        "",
        "lunch.jpg",
        "ftp://bücher.example/1.png",
        "ftp://images.example/1.png",
        "file:///etc/hosts",
        "https://",
        "javascript:alert(1)",
    ] {
        let error = Image::from_url(url).unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("body_url")), "{url}");
    }
}

#[tokio::test]
async fn a_document_has_the_name_of_its_file_or_a_given_one() {
    let file = TempFile::new("Bericht µ.pdf", PDF);
    let document = Document::from_path(&file.0).await.unwrap();
    assert_eq!((document.filename(), document.media_type()), ("Bericht µ.pdf", Some("application/pdf")));
    for (document, name) in [(document.clone(), "Bericht µ.pdf"), (document.with_filename("report.pdf"), "report.pdf")] {
        let server = Server::always(json(200, r#"{"lab_report":{"record_id":"r-1","status":"pending"}}"#));
        builder(&server).build().unwrap().lab_reports().upload_document(document).await.unwrap();
        // 25 50 44 | 46 2d 31 | 2e 37 0a
        assert_eq!(request_body(&server), value!({"body": "JVBERi0xLjcK", "filename": name}));
    }
}

/// The last part of such a path is a number.
#[test]
fn a_pipe_has_no_file_name() {
    for (path, name) in [
        ("/dev/fd/63", None),
        ("/dev/stdin", None),
        ("/proc/self/fd/13", None),
        ("/dev/shm/report.pdf", Some("report.pdf")),
        ("/home/dev/fd/63", Some("63")),
    ] {
        assert_eq!(Upload::path(path).filename(), name, "{path}");
        assert_eq!(Upload::path(path).with_filename("blood.pdf").filename(), Some("blood.pdf"));
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_document_from_a_pipe_needs_a_name() {
    let file = std::fs::File::open(&TempFile::new("r.pdf", PDF).0).unwrap();
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    for error in [Document::from_path(&path).await.unwrap_err(), Upload::path(&path).into_document().await.unwrap_err()] {
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("filename")));
    }
    assert_eq!(Upload::path(&path).with_filename("blood.pdf").into_document().await.unwrap().filename(), "blood.pdf");
}

#[tokio::test]
async fn unknown_formats_are_errors_for_pictures_only() {
    for (bytes, accepted_as_picture) in
        [(JPEG, true), (PNG, true), (WEBP, true), (&b"no picture at all"[..], true), (GIF, false), (HEIC, false), (PDF, false)]
    {
        let server = accepting_server();
        let client = builder(&server).build().unwrap();
        let result = client.nutrition_records().upload_image(Image::from_bytes(bytes)).await;
        assert_eq!(result.is_ok(), accepted_as_picture, "{bytes:?}");
        assert_eq!(server.count(), usize::from(accepted_as_picture));
        if let Err(error) = result {
            assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("body")));
        }
        // A client without client-side validation sends an image of any format. Documents may have any format.
        let unchecked = builder(&server).client_side_validation(false).build().unwrap();
        unchecked.nutrition_records().upload_image(Image::from_bytes(bytes)).await.unwrap();
        let reports = Server::always(json(200, r#"{"lab_report":{"record_id":"r-1","status":"pending"}}"#));
        builder(&reports).build().unwrap().lab_reports().upload_document(Document::from_bytes(bytes, "x")).await.unwrap();
    }
}

fn assert_invalid_argument(error: &Error, argument: &str, reason: &str, canary: &str) {
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some(argument)));
    let mut text = format!("{error} {error:?}");
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text += &format!("{cause} {cause:?}");
        source = cause.source();
    }
    assert!(text.contains(reason), "{text}");
    assert!(!text.contains(canary), "{text}");
}

#[tokio::test]
async fn an_unreadable_file_is_an_error_without_its_path() {
    let file = TempFile::new("canary.jpg", b"");
    let folder = file.0.parent().unwrap().to_owned();
    assert_invalid_argument(&Image::from_path(&file.0).await.unwrap_err(), "path", "is empty", "canary");
    assert_invalid_argument(&Image::from_path(folder.join("canary-2.jpg")).await.unwrap_err(), "path", "there is no such file", "canary");
    assert_invalid_argument(&Document::from_path(&folder).await.unwrap_err(), "path", "is a directory", "vitalwire-upload");
    assert_invalid_argument(&Document::from_reader(io::empty(), "x").unwrap_err(), "reader", "is empty", "canary");
}

#[tokio::test]
async fn an_endless_reader_is_an_error() {
    assert_invalid_argument(&Image::from_reader(io::repeat(7)).unwrap_err(), "reader", "is larger than", "canary");
    assert_eq!(Image::from_reader(io::repeat(7).take(MAX_READ as u64)).unwrap().size(), Some(MAX_READ));
    // A sparse file takes no disk space.
    let file = TempFile::new("huge.jpg", b"");
    std::fs::File::options().write(true).open(&file.0).unwrap().set_len(10 << 30).unwrap();
    assert_invalid_argument(&Image::from_path(&file.0).await.unwrap_err(), "path", "is larger than", "huge");
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("canary"))
    }
}

#[test]
fn errors_of_readers_are_not_shown() {
    assert_invalid_argument(&Image::from_reader(Broken).unwrap_err(), "reader", "cannot be read", "canary");
}

#[tokio::test]
async fn a_picture_over_the_limit_names_its_argument() {
    let server = accepting_server();
    let client = builder(&server).build().unwrap();
    let error = client.nutrition_records().upload_image(Image::from_bytes(vec![0; 10 * 1_048_576 + 1])).await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::TooLarge, Some("body")));
    // 9 MiB are within the limit of the picture, but their base64 text of 12 MiB is over the request limit of 11 MiB.
    let error = client.nutrition_records().upload_image(Image::from_bytes(vec![0; 9 << 20])).await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::TooLarge, Some("body")));
    assert_eq!(server.count(), 0);
}

#[test]
fn debug_shows_sizes_only() {
    assert_eq!(format!("{:?}", Image::from_bytes(GIF)), "Image(10 bytes)");
    assert_eq!(format!("{:?}", Image::from_url("https://canary.example/").unwrap()), "Image(url)");
    assert_eq!(format!("{:?}", Document::from_bytes(GIF, "canary.gif")), "Document(10 bytes)");
}

/// During a request, memory contains the file and its base64 text, which is a third longer, and nothing else of that size.
#[cfg(target_os = "linux")]
#[test]
fn an_upload_needs_memory_for_the_file_and_its_base64_text_only() {
    vitalwire_testkit::memory::run_in_child("upload::child_uploads_ten_megabytes", &[]);
}

/// Does nothing unless the test above runs it in a separate process.
#[cfg(target_os = "linux")]
#[test]
fn child_uploads_ten_megabytes() {
    if !vitalwire_testkit::memory::is_child() {
        return;
    }
    // The base64 text is over the limit of 11 MB, so client-side validation is off.
    const FILE: usize = 10 << 20;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client =
        Client::builder().base_url(format!("http://127.0.0.1:{port}")).token("t").no_proxy().client_side_validation(false).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let call = |bytes: Vec<u8>| client.nutrition_records().upload_image(Image::from_bytes(bytes)).max_retries(0);
        call(vec![1; 100]).await.unwrap_err();
        let before = vitalwire_testkit::memory::peak_bytes();
        assert_eq!(call(vec![1; FILE]).await.unwrap_err().kind(), ErrorKind::Transport);
        let used = vitalwire_testkit::memory::peak_bytes() - before;
        let max = u64::try_from(FILE + FILE.div_ceil(3) * 4 + (2 << 20)).unwrap();
        assert!(used < max, "{used} bytes instead of at most {max}");
        assert!(used > u64::try_from(FILE * 2).unwrap(), "{used} bytes: the base64 text was not made");
    });
}
