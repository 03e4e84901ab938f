//! Tests with handwritten PDF files.

use std::io::Read;

use super::*;
use crate::analysis::document::pdf::{MAX_PIECES, extract_lines};

/// Returns a PDF file of these objects, numbered from 1. The first is the catalog; `more` is added to the trailer.
fn pdf(objects: &[String], more: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).bytes());
    }
    let start = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer\n<< /Size {} /Root 1 0 R {more}>>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1).bytes());
    file
}

/// Returns the objects of a document with one page of this content.
fn page(content: &str) -> Vec<String> {
    vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ]
}

/// Returns [`REPORT`] as page content. Each column of a line is a piece of its own.
fn drawn() -> String {
    let mut content = "BT /F1 10 Tf 12 TL 50 800 Td\n".to_owned();
    for (number, line) in REPORT.lines().enumerate() {
        let cells = line.split("   ").map(str::trim).filter(|cell| !cell.is_empty());
        for (column, cell) in cells.enumerate() {
            let cell = cell.replace('(', "\\(").replace(')', "\\)");
            let (x, y) = (50 + 150 * column, 800 - 12 * number);
            content += &match column {
                // Kerning within a word, in thousandths of the font size.
                0 if cell.len() > 4 => format!("1 0 0 1 {x} {y} Tm [({}) 20 ({})] TJ\n", &cell[..3], &cell[3..]),
                _ => format!("1 0 0 1 {x} {y} Tm ({cell}) Tj\n"),
            };
        }
    }
    content + "ET\n"
}

#[test]
fn a_pdf_and_its_text_have_the_same_results() {
    let (contents, sections) = sections(&pdf(&page(&drawn()), ""));
    assert_eq!(contents.mime, "application/pdf");
    assert_eq!(sections, expected());
    assert_eq!(contents.collected, Some(jiff::civil::date(2025, 11, 20)));
}

#[test]
fn every_text_operator_is_supported() {
    let content = "q 1 0 0 1 40 0 cm BT /F1 12 Tf 0 700 Td (Glucose) Tj 100 0 Td (92) Tj 60 0 Td (mg/dL) Tj ET Q\n\
        BT /F1 12 Tf 14 TL 40 650 Td (Sodium 140 mmol/L) Tj T* (Potassium) Tj ( 4.1 mmol/L) Tj (Chloride 101 mmol/L) ' 0 0 (Albumin 4.2 g/dL) \" ET\n";
    let Ok(lines) = extract_lines(&pdf(&page(content), "")) else { panic!("it is read") };
    assert_eq!(lines, ["Glucose 92 mg/dL", "Sodium 140 mmol/L", "Potassium 4.1 mmol/L", "Chloride 101 mmol/L", "Albumin 4.2 g/dL"]);
}

#[test]
fn encrypted_and_corrupt_files_fail() {
    let failed = |text: &'static str| DocumentOutcome::Failed(text);
    let standard = "<< /Filter /Standard /V 1 /R 2 /P -4 /O <0000000000000000000000000000000000000000000000000000000000000000> \
        /U <1111111111111111111111111111111111111111111111111111111111111111> >>";
    let within = pdf(&page(&drawn()), &format!("/Encrypt {standard} /ID [<00> <00>] "));
    let mut objects = page(&drawn());
    objects.push(standard.to_owned());
    let escaped = pdf(&page(&drawn()), &format!("/#45ncrypt {standard} /ID [<00> <00>] "));
    for encrypted in [within, escaped, pdf(&objects, "/Encrypt 6 0 R /ID [<00> <00>] ")] {
        assert_eq!(read(&encrypted), failed("The PDF file is encrypted"));
    }
    let whole = pdf(&page(&drawn()), "");
    for broken in [&b"%PDF-1.7 something"[..], &whole[..200], b"%PDF-1.4\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF"] {
        assert_eq!(read(broken), failed("The PDF file is corrupt"), "{}", String::from_utf8_lossy(broken));
    }
    assert_eq!(read(&pdf(&page("0 0 100 100 re f"), "")), DocumentOutcome::NeedsReview("application/pdf"), "a page without text");
}

#[test]
fn hostile_documents_end_quickly() {
    // The reader ends by itself after 10 s; the rest allows for a slow and busy machine.
    let read_in_time = |bytes: &[u8]| {
        let started = std::time::Instant::now();
        let outcome = read(bytes);
        assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
        outcome
    };
    let too_large = DocumentOutcome::Failed("The PDF file takes too much time or memory to read");
    let many = pdf(&page(&format!("BT /F1 1 Tf {} ET", "(a) Tj ".repeat(MAX_PIECES + 1))), "");
    assert_eq!(read_in_time(&many), too_large);
    // 130 MiB of zeros in 130 KiB.
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::io::repeat(0).take(130 << 20), &mut encoder).unwrap();
    let mut bomb = pdf(&page(&drawn()), "");
    bomb.extend(b"9 0 obj\n<< /Filter /FlateDecode >>\nstream\r\n");
    bomb.extend(encoder.finish().unwrap());
    assert_eq!(read_in_time(&bomb), too_large);
    let pages = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>".to_owned();
    let circle = pdf(&[page("")[0].clone(), pages], "");
    let deep = pdf(&page(&"[".repeat(400_000)), "");
    let operands = pdf(&page(&format!("BT /F1 1 Tf [{}] TJ ET", "()".repeat(1_000_000))), "");
    // A form that draws itself, and objects that are all the same array.
    let mut form = page("/X Do");
    form[2] = form[2].replace("/Font <<", "/XObject << /X 6 0 R >> /Font <<");
    form.push(
        "<< /Type /XObject /Subtype /Form /Resources << /XObject << /X 6 0 R >> >> /Length 10 >>\nstream\n/X Do /X Do\nendstream"
            .to_owned(),
    );
    let index: String = (10..5_000).map(|id| format!("{id} 0 ")).collect();
    let content = format!("{index}[{}]", "0 ".repeat(400_000));
    let mut objects = page("");
    objects.push(format!("<< /Type /ObjStm /N 4990 /First {} /Length {} >>\nstream\n{content}\nendstream", index.len(), content.len()));
    // Each form draws the next one three times: 3^30 forms.
    let mut forms = page("/X Do");
    forms[2] = forms[2].replace("/Font <<", "/XObject << /X 6 0 R >> /Font <<");
    for next in 7..37 {
        forms.push(format!(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {next} 0 R >> >> /Length 17 >>\nstream\n\
             /X Do /X Do /X Do\nendstream"
        ));
    }
    for hostile in [circle, deep, operands, pdf(&form, ""), pdf(&objects, ""), pdf(&forms, "")] {
        assert!(!matches!(read_in_time(&hostile), DocumentOutcome::Read(_)));
    }
}
