//! The exit codes.

/// The exit codes, as `--help` prints them. The codes of calls are the first two digits of the client's error numbers.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
   0  success, including a read command whose output pipe was closed early
   1  failure on this machine, such as a port in use or an output that cannot be written
   2  invalid command line
  10  configuration, invalid_argument: invalid setting or argument; nothing was sent
  11  authentication, permission: the credentials were rejected
  12  not_found, invalid_request, too_large: the request was rejected
  13  rate_limited, service, unexpected_status: the service failed
  14  timeout, transport: the network failed
  15  decode, signature: the response or webhook is not as documented
  16  cancelled, closed: the call was cancelled
  19  internal: a bug in this program
  20  the analysis failed; the printed record states the reason
 130  ended by Ctrl-C (143: by SIGTERM, 129: by SIGHUP)";

/// Something on this machine failed.
pub(super) const LOCAL: u8 = 1;
/// What was waited for has no result. Apart from the numbers of errors: the call succeeded.
pub(super) const ANALYSIS: u8 = 20;
/// The command line is not understood.
pub(super) const USAGE: u8 = 2;

/// The exit code when a call fails with this error.
pub(crate) fn exit_code(error: &vitalwire::Error) -> u8 {
    group(error.code())
}

/// The exit code of a kind of error: its group, which is the number without its last two digits.
pub(super) fn group(code: u16) -> u8 {
    u8::try_from(code / 100).unwrap_or(LOCAL)
}

#[cfg(test)]
mod tests {
    use vitalwire::ErrorKind;

    use super::*;

    #[test]
    fn every_kind_has_its_documented_exit_code() {
        // Written out by hand from the table that `--help` prints.
        let documented = [
            (10, &["configuration", "invalid_argument"][..]),
            (11, &["authentication", "permission"]),
            (12, &["not_found", "invalid_request", "too_large"]),
            (13, &["rate_limited", "service", "unexpected_status"]),
            (14, &["timeout", "transport"]),
            (15, &["decode", "signature"]),
            (16, &["cancelled", "closed"]),
            (19, &["internal"]),
        ];
        for (code, kinds) in documented {
            let line = EXIT_CODES.lines().find(|line| line.starts_with(&format!("  {code}  "))).expect("a line of the table");
            for kind in kinds {
                assert!(line.contains(kind), "{kind} is missing in: {line}");
            }
        }
        for kind in ErrorKind::ALL {
            let (code, _) = documented.iter().find(|(_, kinds)| kinds.contains(&kind.as_str())).expect("a documented kind");
            assert_eq!(group(kind.code()), *code, "{kind}");
            assert_eq!(exit_code(&vitalwire::Error::new(*kind)), *code);
        }
    }
}
