//! Target for unfinished outputs of the command line, which may come from other people.

// The command line is a program, so no crate can use its items.
#[path = "../../../vitalwire-cli/src/output/part_file/format.rs"]
mod format;

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use self::format::{Content, Head, Line, Part, VERSION};
use crate::allocations::measure_peak;
use crate::oracle::{memory, text};

/// Maximum memory in bytes per byte of the lines after the first: the line, its body and the text of its checksum, each in a buffer that
/// doubles its capacity.
const FACTOR_OF_PARTS: usize = 8;

/// Reads any bytes as an unfinished output. Reads them again with the right checksum in each line, because anyone can compute checksums.
pub fn run(input: &[u8]) {
    check(input, &|input| Content::read(input));
    check(&with_checksums(input), &|input| Content::read(input));
}

/// Reads an unfinished output. An error has a reason and a remedy.
type Read<'a> = &'a dyn Fn(&[u8]) -> io::Result<Result<Content, (&'static str, &'static str)>>;

/// Checks that a file is rejected, or is written as an equal file.
fn check(input: &[u8], read: Read<'_>) {
    let (content, peak) = measure_peak(|| memory::check_memory(input, read));
    let head = input.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    let (_, peak_of_head) = measure_peak(|| read(head));
    let limit = peak_of_head + memory::BASE + FACTOR_OF_PARTS * (input.len() - head.len());
    assert!(peak <= limit, "{} bytes took {peak} bytes of memory, more than {limit}", input.len());
    let content = match content.expect("memory can be read") {
        Ok(content) => content,
        Err((reason, hint)) => {
            text::check_text(reason, input.len());
            text::check_text(hint, input.len());
            return;
        }
    };
    let lines = input.split_inclusive(|byte| *byte == b'\n').take(1 + content.bodies.len()).map(<[u8]>::len).sum::<usize>();
    assert_eq!(content.length, lines as u64, "the length is not that of the lines");
    let written = write(&content);
    let again = read(&written).expect("memory can be read").unwrap_or_else(|(reason, _)| panic!("a file that was written {reason}"));
    assert!(content.request == again.request && content.bodies == again.bodies, "a file changes when it is written and read");
    assert!(
        content.whole_range == again.whole_range && content.remaining == again.remaining,
        "a token changes when it is written and read"
    );
    assert_eq!(again.length, written.len() as u64, "a written line is not read");
}

/// Writes an unfinished output. Only the last part has a token, because a reader keeps only that one.
fn write(content: &Content) -> Vec<u8> {
    let Content { request, whole_range, remaining, bodies, .. } = content;
    let head = Line::new("", Head { vitalwire_part: VERSION, request: request.clone(), all: whole_range.to_string() });
    let (mut written, mut previous) = (line(&head), head.checksum);
    for (at, body) in bodies.iter().enumerate() {
        let left = remaining.as_ref().filter(|_| at + 1 == bodies.len()).map(ToString::to_string);
        let part = Line::new(&previous, Part { left, body: body.clone() });
        written.extend(line(&part));
        previous = part.checksum;
    }
    written
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("a line can be written");
    line.push(b'\n');
    line
}

/// Replaces the checksum of each line by the right one. Keeps a line that has no content to hash.
fn with_checksums(input: &[u8]) -> Vec<u8> {
    let mut previous = String::new();
    let lines = input.split_inclusive(|byte| *byte == b'\n').enumerate();
    let signed = lines.map(|(at, text)| {
        let checksum = if at == 0 { checksum::<Head>(text, "") } else { checksum::<Part>(text, &previous) };
        let (Some(checksum), Ok(mut fields)) = (checksum, serde_json::from_slice::<Map<String, Value>>(text)) else {
            return text.to_owned();
        };
        previous.clone_from(&checksum);
        fields.insert("checksum".to_owned(), checksum.into());
        let mut signed = line(&fields);
        if !text.ends_with(b"\n") {
            signed.pop();
        }
        signed
    });
    signed.flatten().collect()
}

fn checksum<T: Serialize + DeserializeOwned>(line: &[u8], previous: &str) -> Option<String> {
    Some(Line::new(previous, serde_json::from_slice::<T>(line).ok()?).checksum)
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const FILE: &[u8] = include_bytes!("../../corpus/part_files/two.part");

    #[test]
    fn a_reader_that_loses_or_changes_something_is_reported() {
        let change = |change: fn(&mut Content)| {
            let read = move |input: &[u8]| {
                let mut content = Content::read(input)?;
                if let Ok(content) = &mut content {
                    change(content);
                }
                Ok(content)
            };
            catch_unwind(|| check(FILE, &read)).is_err()
        };
        assert!(!change(|_| ()), "the reader itself is not reported");
        assert!(change(|content| drop(content.bodies.pop())));
        assert!(change(|content| content.bodies[0].push('1')));
        assert!(change(|content| content.request.user.push('1')));
        assert!(change(|content| content.length -= 1));
    }

    /// Without the right checksums, mutations of a part would only be read as the end of the file.
    #[test]
    fn checksums_are_replaced_by_the_right_ones() {
        let changed = String::from_utf8(FILE.to_vec()).expect("text").replace("1.50", "2.50");
        let bodies = |file: &[u8]| Content::read(file).expect("read").expect("accepted").bodies;
        assert_eq!(bodies(changed.as_bytes()).len(), 0);
        assert_eq!(bodies(&with_checksums(changed.as_bytes())).len(), 2);
        assert_eq!(bodies(FILE).len(), 2);
    }

    /// An unknown field takes no memory, however long a file's lines are.
    #[test]
    fn unknown_fields_take_no_memory() {
        let [head, ..] = FILE.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>()[..] else { panic!("no line") };
        let unknown = "\"\":0,".repeat(1 << 20);
        let file = [head, b"{", unknown.as_bytes(), b"\"left\":null,\"body\":\"{}\",\"checksum\":\"\"}\n"].concat();
        run(&file);
    }
}
