//! While a picture is stripped there are the file and its result, and nothing for each of its parts.

#![cfg(target_os = "linux")]

use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire::upload::Image;
use vitalwire_testkit::memory;

const FILE: usize = 10 << 20;
const SLACK: usize = 2 << 20;

/// A frame header, a scan and so many bytes of coded data, all zero.
fn jpeg(coded: usize) -> Vec<u8> {
    let mut file = Vec::with_capacity(coded + 64);
    file.extend(b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00");
    file.resize(file.len() + coded, 0);
    file.extend(b"\xff\xd9");
    file
}

#[test]
fn a_stripped_upload_takes_no_more_than_another() {
    memory::run_in_child("upload::strip::memory::child_strips_and_uploads", &[]);
}

#[test]
fn child_strips_and_uploads() {
    if !memory::is_child() {
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = Client::builder().base_url(format!("http://127.0.0.1:{port}")).token("t").no_proxy().local_checks(false).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let call =
            |coded| client.nutrition_records().upload_image(Image::from_bytes(jpeg(coded)).without_metadata().unwrap()).max_retries(0);
        call(100).await.unwrap_err();
        let before = memory::peak_bytes();
        assert_eq!(call(FILE).await.unwrap_err().kind(), ErrorKind::Transport);
        let took = usize::try_from(memory::peak_bytes() - before).unwrap();
        // The stripped file and its text: the file itself is gone by then.
        assert!(took < FILE + FILE.div_ceil(3) * 4 + SLACK, "{took} bytes");
        assert!(took > FILE * 2, "{took} bytes: the text was not made");
    });
}

#[test]
fn parts_take_no_memory_of_their_own() {
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
    let took = usize::try_from(memory::peak_bytes() - before).unwrap();
    assert_eq!(image.size(), Some(jpeg(10).len()));
    // Two bytes for each of the 2.6 million parts would be more.
    assert!(took < 2 * SLACK, "{took} bytes");
}
