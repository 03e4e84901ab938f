use super::*;

fn parse(text: &str) -> Result<File, LineError> {
    File::parse(text, PathBuf::from("/etc/vw"))
}

#[test]
fn settings_have_lines_and_profiles() {
    let text = "# a comment\nbase_url = \"https://a.example\"\ntimeout = 1.5\nmax_retries = 3\nclient_side_validation = false\ntoken = \"\"\n\n\
                    [profile.test]\nbase_url = \"https://b.example\"\ncare_token_command = [\"pass\", \"x\"]\n";
    let file = parse(text).expect("valid");
    assert_eq!(file.common().text("base_url"), Some(("https://a.example", 2)));
    assert_eq!(file.common().text("timeout"), Some(("1.5", 3)));
    assert_eq!(file.common().text("max_retries"), Some(("3", 4)));
    assert_eq!(file.common().text("client_side_validation"), Some(("false", 5)));
    assert_eq!(file.common().text("token"), None, "empty is unset");
    let test = file.profile("test").expect("a profile");
    assert_eq!(test.text("base_url"), Some(("https://b.example", 9)));
    assert_eq!(test.list("care_token_command").expect("a list"), ["pass", "x"]);
    assert!(!file.contains_token() && file.profile("other").is_none());
    assert!(parse("[profile.a]\ncare_token = \"x\"").expect("valid").contains_token());
}

#[test]
fn errors_state_the_line_and_no_value() {
    for (text, line, expected) in [
        ("base_url = \"x\"\nbaseurl = \"CANARY\"", 2, "did you mean `base_url`?"),
        ("\n\nfavourite = \"CANARY\"", 3, "known settings are base_url"),
        ("[profile.a]\ntokn = \"CANARY\"", 2, "did you mean `token`?"),
        ("[profile.a]\ndefault_profile = \"CANARY\"", 2, "unknown setting"),
        ("\"a\\nb\" = \"CANARY\"", 1, "unknown setting `a\\nb`"),
        ("token_command = \"CANARY\"", 1, "`token_command` must be a list"),
        ("token_command = [\"CANARY\", 1]", 1, "`token_command` must be a list of texts"),
        ("timeout = [\"CANARY\"]", 1, "`timeout` must be a single value"),
        ("profile = \"CANARY\"", 1, "profiles must be tables"),
        ("token = \"CANARY\"\ntoken_file = \"CANARY\"", 2, "remove one of them"),
        ("base_url = \"x\"\ntoken = CANARY", 2, "must be TOML"),
        ("base_url = \"x\"\ntoken = \"CANARY", 2, "must be TOML"),
        ("base_url = \"x\"\ntoken = \"CANARY\\q\"", 2, "must be TOML"),
        ("base_url = \"x\"\ntoken = 12CANARY", 2, "must be TOML"),
        ("base_url = \"x\"\nCANARY", 2, "must be TOML"),
        ("token = \"CANARY\"\ntoken = \"CANARY\"", 2, "must be TOML"),
    ] {
        let (found_line, message) = parse(text).err().unwrap_or_else(|| panic!("{text:?} is refused"));
        assert_eq!(found_line, line, "{text:?}: {message}");
        assert!(message.contains(expected) && !message.contains("CANARY"), "{text:?}: {message}");
    }
}

#[test]
fn paths_are_relative_to_the_folder_of_the_file() {
    let file = parse("").expect("an empty file");
    assert_eq!(file.resolve("keys/t"), Path::new("/etc/vw/keys/t"));
    assert_eq!(file.resolve("/run/t"), Path::new("/run/t"));
    assert!(file.resolve("~/t").is_absolute() && !file.resolve("~/t").starts_with("/etc/vw"));
}
