//! Exit codes.

use vitalwire::ErrorKind;

/// Exit codes without an error kind of the client: the codes below and the codes above those of error kinds.
const FIRST_CODES: [(&str, &str); 3] = [
    ("0", "success, including a read command whose output pipe was closed early"),
    ("1", "failure on this machine, such as a port in use or an output that cannot be written"),
    ("2", "invalid command line"),
];
const LAST_CODES: [(&str, &str); 4] = [
    ("20", "the analysis failed; the printed record states the reason"),
    ("21", "some users of a cohort could not be read; the dataset has the others"),
    ("22", "users of a cohort have no recent data (--fail-without-data-for)"),
    ("130", "ended by Ctrl-C (143: by SIGTERM, 129: by SIGHUP)"),
];

/// Exit codes of error kinds. A code is the first two digits of the kinds' numbers.
const KIND_CODES: [(u8, &str); 8] = [
    (10, "invalid setting or argument; nothing was sent"),
    (11, "the credentials were rejected"),
    (12, "the request was rejected"),
    (13, "the service failed"),
    (14, "the network failed"),
    (15, "the response cannot be decoded, or the webhook signature does not match"),
    (16, "the call was cancelled"),
    (19, "a bug in this program"),
];

/// Returns the exit codes, as `--help` prints them.
pub(crate) fn exit_codes() -> String {
    let kinds = |code: u8| {
        let kinds = ErrorKind::ALL.iter().filter(|kind| group(kind.code()) == code).map(|kind| kind.as_str());
        kinds.collect::<Vec<_>>().join(", ")
    };
    let line = |code: &str, meaning: &str| format!("\n {code:>3}  {meaning}");
    let fixed = |lines: &[(&str, &str)]| lines.iter().map(|(code, meaning)| line(code, meaning)).collect::<String>();
    let groups = KIND_CODES.iter().map(|(code, meaning)| line(&code.to_string(), &format!("{}: {meaning}", kinds(*code))));
    format!("Exit codes:{}{}{}", fixed(&FIRST_CODES), groups.collect::<String>(), fixed(&LAST_CODES))
}

/// A failure on this machine.
pub(super) const LOCAL: u8 = 1;
/// A failed analysis. Separate from the numbers of errors, because the call succeeded.
pub(super) const ANALYSIS: u8 = 20;
/// Users of a cohort that could not be read.
pub(super) const PARTIAL: u8 = 21;
/// Users of a cohort without recent data.
pub(super) const WITHOUT_DATA: u8 = 22;
/// An invalid command line.
pub(super) const USAGE: u8 = 2;

pub(crate) fn exit_code(error: &vitalwire::Error) -> u8 {
    group(error.code())
}

/// Returns the group of an error number: the number without its last two digits.
pub(super) fn group(code: u16) -> u8 {
    u8::try_from(code / 100).unwrap_or(LOCAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_the_line_of_its_exit_code() {
        let text = exit_codes();
        for kind in ErrorKind::ALL {
            let error = vitalwire::Error::new(*kind);
            let line = text.lines().find(|line| line.starts_with(&format!(" {:>3}  ", exit_code(&error))));
            let (kinds, _) = line.and_then(|line| line[6..].split_once(": ")).unwrap_or_else(|| panic!("no exit code for {kind}"));
            assert!(kinds.split(", ").any(|name| name == kind.as_str()), "{kind} is missing in: {kinds}");
        }
    }

    #[test]
    fn the_text_is_the_documented_one() {
        let text = exit_codes();
        assert!(text.contains("\n   1  failure on this machine"), "{text}");
        assert!(text.contains("\n  12  not_found, invalid_request, too_large: the request was rejected\n"), "{text}");
        assert!(text.ends_with("\n 130  ended by Ctrl-C (143: by SIGTERM, 129: by SIGHUP)"), "{text}");
    }
}
