//! Tests of users, files of users, credentials and pseudonyms.

use vitalwire::cohort::{CohortError, Credential, KeySource, People, PseudonymKey};

const SECRET: &str = "canary-heron-token";

fn read(text: &str) -> Result<People, CohortError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    People::from_file(file.path())
}

#[test]
fn a_file_may_mix_kinds_of_credentials() {
    let text = format!(
        "\u{feff}application_id,user,token,note,signature,key_env,key_file\r\n\
         ,anna,{SECRET},\"a, b\",,,\r\n\r\n7, ben ,,,0af1,,\r\n7,carl,,,,APPLICATION_KEY,\r\n7,dora,,,,,key.txt\r\n"
    );
    let people = read(&text).unwrap();
    assert_eq!(people.ids().collect::<Vec<_>>(), ["anna", "ben", "carl", "dora"]);
    assert!(!format!("{people:?}").contains("heron"));
}

#[test]
fn an_error_states_the_line_but_none_of_its_text() {
    for (text, expected) in [
        ("user,token\nanna,a\nanna,b\n", "line 3: the user id must be unique"),
        ("user,token\nanna,a\n,b\n", "line 3: the user id must have 1 to 128 bytes"),
        ("user,token\nanna,\n", "line 2: a user must have a token, or an application_id and one of signature, key_env and key_file"),
        ("user,application_id,signature\nanna,heron,a\n", "line 2: application_id must be an integer"),
        ("heron\nanna\n", "the first line must name the columns, including user"),
        ("user,token\n", "the file must have at least one user"),
        ("", "the first line must name the columns, including user"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(!format!("{error} {error:?}").contains("heron"), "{error:?}");
    }
}

#[test]
fn an_error_states_the_line_that_is_not_utf_8() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"user,token\nanna,a\nb\xff,c\n").unwrap();
    assert!(People::from_file(file.path()).unwrap_err().to_string().contains("line 3"));
    assert!(matches!(People::from_file("/no/such/file"), Err(CohortError::Io { .. })));
}

#[test]
fn debug_output_of_credentials_is_redacted() {
    let credential = Credential::Token(SECRET.to_owned().into());
    assert_eq!(format!("{credential:?}"), "Token(..)");
    let key = Credential::Key { application_id: 1, source: KeySource::Environment("KEY".to_owned()) };
    assert_eq!(format!("{key:?}"), "Key(..)");
}

/// HMAC-SHA256 of `user-1` under `an-application-key`, whose hex form is in the documentation of `sign_user_id`.
#[test]
fn a_pseudonym_is_the_first_half_of_the_hmac() {
    let key = PseudonymKey::new(b"\xef\xbb\xbfan-application-key\r\n").unwrap();
    assert_eq!(key.pseudonym("user-1"), "b6d21240a619a16353e8c662685627a2");
    assert_eq!(format!("{key:?}"), "PseudonymKey(..)");
    assert_eq!(PseudonymKey::new(b"  fifteen bytes..  ").unwrap_err().argument(), Some("pseudonym_key"));
}
