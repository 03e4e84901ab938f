//! Tests of users, their files and credentials, and pseudonyms.

use vitalwire::Client;
use vitalwire_cohort::{CohortError, CohortReader, Credential, KeySource, PseudonymKey, RateLimits, UserCredentials};

const SECRET: &str = "canary-heron-token";

fn read(text: &str) -> Result<UserCredentials, CohortError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    UserCredentials::from_file(file.path())
}

#[test]
fn a_file_may_mix_kinds_of_credentials() {
    let text = format!(
        "\u{feff}application_id,user,token,note,signature,key_env,key_file\r\n\
         ,anna,{SECRET},\"a, b\",,,\r\n\r\n7, ben ,,,0af1,,\r\n7,carl,,,,APPLICATION_KEY,\r\n7,dora,,,,,key.txt\r\n"
    );
    let users = read(&text).unwrap();
    assert_eq!(users.ids().collect::<Vec<_>>(), ["anna", "ben", "carl", "dora"]);
    assert!(!format!("{users:?}").contains("heron"));
}

#[test]
fn an_error_states_the_line_but_none_of_its_text() {
    for (text, expected) in [
        ("user,token\nanna,a\nanna,b\n", "line 3: the user id must be unique"),
        ("user,token\nanna,a\n,b\n", "line 3: the user id must have 1 to 128 bytes"),
        ("user,token\nanna,\n", "line 2: a user must have a token, or an application_id and one of signature, key_env and key_file"),
        ("user,application_id,signature\nanna,heron,a\n", "line 2: application_id must be an integer"),
        ("user,token,key_env\nanna,a,KEY\n", "line 2: a user must have only one of token, signature, key_env and key_file"),
        ("user,token,token\nanna,a,b\n", "the first line must name each column once"),
        ("user,token\nanna,a,heron\n", "line 2: the line must not have more values than the first line has columns"),
        ("heron\nanna\n", "the first line must name the columns, including user"),
        ("user,token\n", "the file must have at least one user"),
        ("", "the first line must name the columns, including user"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(!format!("{error} {error:?}").contains("heron"), "{error:?}");
    }
}

/// A reader checks all credentials before its first request.
#[test]
fn mistakes_on_this_machine_are_found_without_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("users.csv"), folder.path().join("key"));
    std::fs::write(&key, "canary-heron").unwrap();
    let key = key.display().to_string();
    for (text, expected) in [
        (
            "user,token\nanna,canary-heron-1\nben,canary-heron-1\n".to_owned(),
            "line 3: the token must differ from the token of the user of line 2; each user needs their own token",
        ),
        (
            "user,token\nanna,ok\nben,Bearer canary-heron\n".to_owned(),
            "line 3: the token must not begin with `Bearer `; the client adds it",
        ),
        (
            "user,application_id,key_env\nanna,7,NO_SUCH_KEY\n".to_owned(),
            "line 2: the environment variable with the key must be set (NO_SUCH_KEY)",
        ),
        ("user,token\nanna,canary heron\n".to_owned(), "line 2: the token must not contain white space"),
        // The value may be the key itself.
        ("user,application_id,key_env\nanna,7,canary-heron-key\n".to_owned(), "line 2: the environment variable with the key must be set"),
        (
            "user,application_id,key_file\nanna,7,/no/such/key\n".to_owned(),
            "line 2: the key file cannot be read; check its path and permissions (/no/such/key)",
        ),
        (format!("user,application_id,key_file\nanna,7,{key}\n"), "line 2: the key must be at least 16 bytes long"),
    ] {
        std::fs::write(&file, text).unwrap();
        let users = UserCredentials::from_file(&file).unwrap();
        let error = users.check().unwrap_err();
        let reader = CohortReader::new(Client::builder().base_url("http://127.0.0.1:9"), users, RateLimits::new());
        for text in [error.to_string(), reader.unwrap_err().to_string()] {
            assert!(text.contains("users.csv, line") && text.contains(expected), "{text}");
            assert!(!text.contains("heron"), "{text}");
        }
    }
}

#[test]
fn an_error_states_the_line_that_is_not_utf_8() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"user,token\nanna,a\nb\xff,c\n").unwrap();
    assert!(UserCredentials::from_file(file.path()).unwrap_err().to_string().contains("line 3"));
    assert!(matches!(UserCredentials::from_file("/no/such/file"), Err(CohortError::Io { .. })));
}

#[test]
fn an_empty_token_is_found_without_a_request() {
    let users = UserCredentials::new([("anna", Credential::Token(String::new().into()))]).unwrap();
    assert_eq!(users.check().unwrap_err().to_string(), "the users: the token must not be empty");
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
