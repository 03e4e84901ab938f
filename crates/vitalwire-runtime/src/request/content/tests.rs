use super::*;

/// Signatures of the file formats, from their specifications.
const FILES: [&[u8]; 6] = [
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    b"RIFF\x24\x00\x00\x00WEBPVP8 ",
    b"GIF89a\x01\x00\x01\x00",
    b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
    b"%PDF-1.7\n",
];

#[test]
fn base64_text_of_files_is_detected_in_every_form() {
    for file in FILES {
        assert_eq!(detect_encoded_file(file), None);
        let file: Vec<u8> = file.iter().copied().chain(b"canary>>>???".repeat(40)).collect();
        let text = base64::engine::general_purpose::STANDARD.encode(&file);
        let lines: Vec<&str> = text.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let forms = [
            text.clone(),
            lines.join("\r\n") + "\r\n",
            text.trim_end_matches('=').to_owned(),
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&file),
            format!("\u{feff} \"{text}\"\n"),
            format!("b'{text}'"),
        ];
        for form in forms {
            assert_eq!((detect_encoded_file(form.as_bytes()), detect_invalid_path(&form)), (Some(BASE64), Some(BASE64)), "{form}");
            assert!(detect_invalid_path(&format!("/home/app/{form}")).is_some(), "{form}");
        }
        for url in [format!("data:image/jpeg;base64,{text}"), format!("DATA:;base64,{text}"), format!("data:text/plain,{text}")] {
            assert_eq!((detect_encoded_file(url.as_bytes()), detect_invalid_path(&url)), (Some(DATA_URL), Some(DATA_URL)), "{url}");
            assert_eq!(detect_invalid_path(&format!("/home/app/{url}")), Some(DATA_URL), "{url}");
        }
        assert_eq!(detect_encoded_file(format!("{text} and more").as_bytes()), None, "a text file about base64");
    }
}

#[test]
fn content_of_unknown_types_is_accepted() {
    for content in ["", "=", "Qk0=", "no picture at all", "data: 5, 6", "data:5", "HDL 1.4 mmol/L", "JVBERi is how PDF begins", "A"] {
        assert_eq!(detect_encoded_file(content.as_bytes()), None, "{content}");
    }
    let text = base64::engine::general_purpose::STANDARD.encode("canary of no known type, 12345".repeat(9));
    assert_eq!((detect_encoded_file(text.as_bytes()), detect_base64_text(text.as_bytes())), (None, Some(BASE64)));
    assert_eq!((detect_base64_text("a".repeat(500).as_bytes()), detect_base64_text(b"Lunch1")), (None, None));
}

#[test]
fn plausible_paths_are_accepted() {
    let deep = "/data/user/0/org.example.app/files/Pictures/2025/11/20/lunch/with/friends/in/Berlin/Mitte/near/the/river/IMG0001";
    let hash = format!("/var/cache/{}/{}", "0123456789abcdef".repeat(4), "0123456789abcdef".repeat(4));
    let wide = "ü".repeat(255);
    for path in ["lunch.jpg", "", "/", "C:\\Users\\Ida\\lunch.jpg", "data:", "9j/4AAQ", "a b c", deep, &hash, &wide] {
        assert_eq!(detect_invalid_path(path), None, "{path}");
    }
}

#[test]
fn content_is_rejected_as_a_path() {
    let long = "HDL 1.4 mmol/L, ".repeat(70_000);
    for text in ["HDL\n1.4", "lunch\0.jpg", &"ü".repeat(256), &"a/".repeat(2_100), &long] {
        assert_eq!(detect_invalid_path(text), Some(NOT_A_PATH));
    }
    let text = base64::engine::general_purpose::STANDARD.encode("canary of no known type, 12345".repeat(9));
    assert_eq!(detect_invalid_path(&text), Some(BASE64));
}
