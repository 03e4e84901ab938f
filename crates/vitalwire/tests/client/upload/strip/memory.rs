//! Tests that stripping uses memory for the file and its result but not per part of it.

#![cfg(target_os = "linux")]

use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire::upload::Image;
use vitalwire_testkit::memory;

const FILE: usize = 10 << 20;
const SLACK: usize = 2 << 20;

/// A frame header, a scan and `coded` zero bytes of coded data.
fn jpeg(coded: usize) -> Vec<u8> {
    let mut file = Vec::with_capacity(coded + 64);
    file.extend(b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00");
    file.resize(file.len() + coded, 0);
    file.extend(b"\xff\xd9");
    file
}

#[test]
fn a_stripped_upload_needs_no_more_memory_than_another_upload() {
    memory::run_in_child("upload::strip::memory::child_strips_and_uploads", &[]);
}

#[test]
fn child_strips_and_uploads() {
    if !memory::is_child() {
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client =
        Client::builder().base_url(format!("http://127.0.0.1:{port}")).token("t").no_proxy().client_side_validation(false).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let call =
            |coded| client.nutrition_records().upload_image(Image::from_bytes(jpeg(coded)).without_metadata().unwrap()).max_retries(0);
        call(100).await.unwrap_err();
        let before = memory::peak_bytes();
        assert_eq!(call(FILE).await.unwrap_err().kind(), ErrorKind::Transport);
        let used = usize::try_from(memory::peak_bytes() - before).unwrap();
        // The stripped file and its base64 text. The original file is already released.
        assert!(used < FILE + FILE.div_ceil(3) * 4 + SLACK, "{used} bytes");
        assert!(used > FILE * 2, "{used} bytes: the base64 text was not made");
    });
}

#[test]
fn stripping_needs_no_memory_per_part() {
    memory::run_in_child("upload::strip::memory::child_strips_a_million_parts", &[]);
}

#[test]
fn child_strips_a_million_parts() {
    if !memory::is_child() {
        return;
    }
    let mut file = Vec::with_capacity(FILE + 64);
    file.extend(b"\xff\xd8");
    while file.len() < FILE {
        file.extend(b"\xff\xe1\x00\x02");
    }
    file.extend(&jpeg(10)[2..]);
    let before = memory::peak_bytes();
    let image = Image::from_bytes(file).without_metadata().unwrap();
    let used = usize::try_from(memory::peak_bytes() - before).unwrap();
    assert_eq!(image.size(), Some(jpeg(10).len()));
    // Two bytes per part of the 2.6 million would exceed this.
    assert!(used < 2 * SLACK, "{used} bytes");
}
