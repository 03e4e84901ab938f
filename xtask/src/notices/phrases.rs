//! Removes common licence texts from licence files, so that each is printed once. Copyright lines, notices and other text of the package
//! remain.

use std::ops::Range;

use super::expression::Licences;

/// A word of a text and its position. Case, line ends, punctuation and bullets are ignored.
pub(super) struct Word {
    pub(super) text: String,
    at: Range<usize>,
}

pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, character)| character.is_alphanumeric()) {
        let end = at + character.len_utf8();
        match words.last_mut() {
            Some(word) if word.at.end == at => {
                word.text.extend(character.to_lowercase());
                word.at.end = end;
            }
            _ => words.push(Word { text: character.to_lowercase().collect(), at: at..end }),
        }
    }
    for word in words.iter_mut().filter(|word| word.text == "https") {
        word.text = "http".to_owned();
    }
    words
}

/// A text that is printed once for all packages.
pub(super) struct Phrase {
    /// The text's licence. `None` for text without content, such as how to apply a licence.
    pub(super) id: Option<String>,
    words: Vec<String>,
}

impl Phrase {
    pub(super) fn new(id: Option<&str>, text: &str) -> Self {
        Self { id: id.map(str::to_owned), words: words(text).into_iter().map(|word| word.text).collect() }
    }

    fn starts(&self, words: &[Word]) -> bool {
        words.len() >= self.words.len() && self.words.iter().zip(words).all(|(own, word)| *own == word.text)
    }
}

/// The remaining text of a file, and the licences that were removed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RemainingText {
    pub(super) removed: Licences,
    /// Empty if the package has no text of its own.
    pub(super) text: String,
}

/// Lines that name a licence, or placeholders that were not filled in, as words of [`words`].
const TITLES: [&str; 19] = [
    "apache license",
    "apache license version 2 0 january 2004",
    "copyright and permission notice",
    "copyright yyyy name of copyright owner",
    "bsd 3 clause license",
    "http www apache org licenses",
    "http www apache org licenses license 2 0",
    "isc license",
    "license",
    "mit license",
    "mit license mit",
    "the apache license version 2 0 apache 2 0",
    "the bsd 3 clause license",
    "the mit license",
    "the mit license mit",
    "unicode license v3",
    "version 2 0 january 2004",
    "version 2 0 january 2004 http www apache org licenses",
    "zlib license",
];

/// Placeholder for a removed text, followed by the licence's id.
const MARK: char = '\u{1}';

pub(super) fn remove_phrases(text: &str, phrases: &[Phrase]) -> RemainingText {
    let words = words(text);
    let (mut left, mut ids) = (String::new(), Licences::new());
    let (mut at, mut kept) = (0, 0);
    while at < words.len() {
        // Choose the longest phrase, because one text may be the start of another.
        let found = phrases.iter().filter(|phrase| !phrase.words.is_empty() && phrase.starts(&words[at..]));
        let Some(phrase) = found.max_by_key(|phrase| phrase.words.len()) else {
            at += 1;
            continue;
        };
        left.push_str(&text[kept..words[at].at.start]);
        at += phrase.words.len();
        kept = words[at - 1].at.end;
        left.push('\n');
        if let Some(id) = &phrase.id {
            left.push_str(&format!("{MARK}{id}\n"));
            ids.insert(id.clone());
        }
    }
    left.push_str(&text[kept..]);
    RemainingText { text: tidy(&left, !ids.is_empty()), removed: ids }
}

/// Returns the lines with content, without their common indentation. Names removed licences between them, and drops titles.
fn tidy(text: &str, was_cut: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let (is_mark, after_mark) = (line.starts_with(MARK), lines.last().is_some_and(|last| last.starts_with(MARK)));
        let has_text = is_mark || line.chars().any(char::is_alphanumeric);
        let repeated = lines.last() == Some(&line) && (is_mark || line.is_empty());
        // Drop the punctuation that remains of the last line of a removed text.
        let left_over = !has_text && (lines.is_empty() || after_mark);
        if !(repeated || left_over || was_cut && is_title(line)) {
            lines.push(line);
        }
    }
    let is_empty = |line: &&str| line.starts_with(MARK) || !line.chars().any(char::is_alphanumeric);
    while lines.last().is_some_and(is_empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !is_empty(line)).unwrap_or(lines.len());
    let lines = &lines[first..];
    let blanks = |line: &&&str| line.len() - line.trim_start().len();
    let margin = lines.iter().filter(|line| !line.is_empty() && !line.starts_with(MARK)).map(|line| blanks(&line)).min().unwrap_or(0);
    let shown = |line: &&str| match line.strip_prefix(MARK) {
        Some(id) => format!("[The text of {id} is at the end.]"),
        None => line.get(margin..).unwrap_or_default().to_owned(),
    };
    lines.iter().map(shown).collect::<Vec<_>>().join("\n")
}

fn is_title(line: &str) -> bool {
    let words = words(line).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    TITLES.contains(&words.as_str())
}
