//! Reads the header of a document: dates and laboratory. Patient data is skipped, because the service removes it.

use jiff::civil::Date;
use jiff::fmt::strtime::BrokenDownTime;

use super::Contents;

/// Maximum length of a laboratory's name, in characters.
const MAX_NAME_LENGTH: usize = 120;

// Keys of header lines, in lower case.
const COLLECTED: &str =
    "collected|collection date|date collected|sample date|specimen date|entnahme|entnahmedatum|abnahme|abnahmedatum|prélèvement";
const REPORTED: &str = "reported|report date|date reported|result date|date of report|date|datum|befunddatum|date du rapport";
const LABORATORY: &str = "laboratory|lab|labor|laboratoire";
const PERSONAL: &str = "name|first name|last name|surname|dob|date of birth|birth date|born|address|phone|telephone|tel|email|e-mail|mrn|\
    ssn|sex|gender|age|geburtsdatum|anschrift|geschlecht|nom|né le|adresse|insurance";

/// Words of a laboratory's name, and of titles that only look like one.
const LABORATORY_WORDS: &str = "lab|labs|labor|labore|laboratory|laboratories|laboratoire|laboratoires|diagnostics";
const TITLE_WORDS: &str = "report|results|result|test|tests|findings|befund|laborbefund|bericht|werte|compte|rapport|résultats|data|values";

fn is_one_of(words: &str, word: &str) -> bool {
    words.split('|').any(|known| known == word)
}

/// Whether a line without a key is the name of a laboratory: a few words, one of which says so.
fn is_laboratory_name(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let any = |known| words.iter().any(|word| is_one_of(known, word));
    (2..=8).contains(&words.len()) && any(LABORATORY_WORDS) && !any(TITLE_WORDS) && !line.contains([':', '\t'])
}

impl Contents {
    /// Reads a header line. Returns true if the line is one, or is about a person.
    pub(super) fn read_header_line(&mut self, line: &str) -> bool {
        let line = line.trim();
        let (key, text) = line.split_once([':', '\t']).unwrap_or((line, ""));
        let (key, text) = (key.trim().to_lowercase(), text.trim());
        if key.starts_with("patient") || is_one_of(PERSONAL, &key) {
            return true;
        }
        let name = if is_laboratory_name(line) { line } else { text };
        if !name.is_empty() && (name == line || is_one_of(LABORATORY, &key)) {
            self.laboratory.get_or_insert_with(|| name.chars().take(MAX_NAME_LENGTH).collect());
            return true;
        }
        // A date may follow a colon or only a space.
        let after = |keys: &str| {
            keys.split('|').filter_map(|word| strip_word(line, word)).find_map(|rest| parse_date(rest.trim_start_matches([':', ' ', '\t'])))
        };
        let (field, found) = match after(COLLECTED) {
            Some(date) => (&mut self.collected, Some(date)),
            None => (&mut self.reported, after(REPORTED)),
        };
        if field.is_none() {
            *field = found;
        }
        found.is_some()
    }
}

/// Returns the rest of a line that begins with this word, ignoring case.
fn strip_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let start = line.get(..word.len())?;
    let rest = &line[word.len()..];
    (start.to_lowercase() == word && !rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// Parses the date at the start of a text: `2025-11-20`, `20.11.2025`, `20 Nov 2025` or `Nov 20, 2025`.
/// Dates with slashes are accepted if only one order of day and month is valid. No sample was taken before 1950.
pub(super) fn parse_date(text: &str) -> Option<Date> {
    let parse =
        |format| BrokenDownTime::parse_prefix(format, text).ok()?.0.to_date().ok().filter(|date| (1_950..2_200).contains(&date.year()));
    let found = match (parse("%m/%d/%Y"), parse("%d/%m/%Y")) {
        (Some(one), Some(other)) => Some(one).filter(|one| *one == other),
        (one, other) => one.or(other),
    };
    found.or_else(|| FORMATS.into_iter().find_map(parse))
}

/// Formats of dates without slashes.
const FORMATS: [&str; 8] = ["%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y"];

#[cfg(test)]
mod tests {
    use jiff::civil::date as day;

    use super::*;

    #[test]
    fn common_date_forms_are_parsed() {
        let texts = "2025-11-20;2025-11-20T08:30:00Z;20.11.2025 08:30;20 Nov 2025;Nov 20, 2025;November 20 2025;11/20/2025;20/11/2025";
        for text in texts.split(';') {
            assert_eq!(parse_date(text), Some(day(2025, 11, 20)), "{text}");
        }
        assert_eq!(parse_date("5/5/2025"), Some(day(2025, 5, 5)));
        for text in ["", "soon", "5/6/2025", "2025-13-01", "31.2.2025", "0003-01-01", "20 Nov", "2025-11"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn the_header_is_read_without_patient_data() {
        let mut header = Contents::default();
        let personal = ["Patient: Jane Doe", "patient id 4711-22", "DOB: 1980-01-02", "Name:\tJane Doe"];
        for line in personal.into_iter().chain(["Laboratory: Example Labs", "Collected: 2025-11-20 08:30", "Report date 21.11.2025"]) {
            assert!(header.read_header_line(line), "{line}");
        }
        for line in ["HEMATOLOGY", "Sex hormone binding globulin 40 nmol/L", "Collected samples: 3", "Glucose: 92"] {
            assert!(!header.read_header_line(line), "{line}");
        }
        let laboratory = Some("Example Labs".to_owned());
        let (collected, reported) = (Some(day(2025, 11, 20)), Some(day(2025, 11, 21)));
        assert_eq!(header, Contents { collected, reported, laboratory, ..Contents::default() });
    }

    #[test]
    fn a_title_names_the_laboratory_and_a_plain_date_is_the_date_of_the_report() {
        let mut header = Contents::default();
        assert!(!header.read_header_line("Laboratory Report") && !header.read_header_line("Lab results of Jane Doe"));
        assert!(header.read_header_line("Labor Nord") && header.read_header_line("Date: 2026-11-20"));
        assert_eq!((header.laboratory.as_deref(), header.reported, header.collected), (Some("Labor Nord"), Some(day(2026, 11, 20)), None));
        let mut header = Contents::default();
        assert!(header.read_header_line("Example Diagnostics GmbH") && !header.read_header_line("Date of the next visit: 2026-12-01"));
        assert_eq!((header.laboratory.as_deref(), header.reported), (Some("Example Diagnostics GmbH"), None));
    }
}
