use super::*;

#[test]
fn width_counts_columns_not_bytes_or_chars() {
    assert_eq!(width("Käse"), 4);
    assert_eq!(width("▁▂▃"), 3);
    // A wide character takes two columns, a combining accent none.
    assert_eq!(width("朝食"), 4);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width(&paint(BAD, "Käse")), 4);
}

#[test]
fn a_long_text_ends_in_an_ellipsis() {
    assert_eq!(truncate("steps", 5), "steps");
    assert_eq!(truncate("steps", 4), "ste…");
    assert_eq!(truncate("朝食朝食", 5), "朝食…");
    // One column stays empty: half of a wide character cannot be shown.
    assert_eq!(truncate("朝食朝食", 4), "朝…");
    assert_eq!(truncate("steps", 1), "…");
    assert_eq!(truncate("steps", 0), "");
}

#[test]
fn lines_break_between_words_and_long_words_stay_whole() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("one incomprehensible", 5), ["one", "incomprehensible"]);
    assert_eq!(wrap("", 5), [""]);
    assert_eq!(join_wrapped(["a b", "c d", "e"], " · ", 9), ["a b · c d", "e"]);
}

#[test]
fn a_text_of_the_service_does_not_control_the_terminal() {
    assert_eq!(clean("Käse 朝食"), "Käse 朝食");
    assert_eq!(clean("a\u{1b}[31mb\u{9b}2J\u{7}c\nd\te"), "a\u{fffd}[31mb\u{fffd}2J\u{fffd}c d e");
    assert_eq!(clean("x\u{202e}y\u{2066}z"), "x\u{fffd}y\u{fffd}z");
}

#[test]
fn names_differ_from_secrets() {
    for secret in [
        "3e26f1a99b7c4d5e8f00112233445566",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "JBSWY3DPEHPK3PXP",
        "sk_live_AbCdEfGhIjKlMnOpQr",
        "q83vEjRWeJCrze8SNFZ4kA==",
        "correct/horse/battery",
        "eyJh.eyJz.c2ln",
    ] {
        assert_eq!(clean_name(secret), "(name not shown: it may be a secret)", "{secret}");
        assert!(secret.contains('/') || may_be_secret_path(Path::new(secret)), "{secret}");
    }
    for name in ["VITALWIRE_WEBHOOK_KEY_2", "no_such_key", "APPLICATION_KEY", "production-europe", "x", "staging 2"] {
        assert_eq!(clean_name(name), name);
    }
    for path in ["/run/secrets/vitalwire_token", "body-2025-11-21T10.json", "keys/a.b.pem"] {
        assert!(!may_be_secret_path(Path::new(path)), "{path}");
    }
}

#[test]
fn cleaned_lines_keep_their_breaks_and_tabs() {
    assert_eq!(clean_lines("a,\"b\nc\"\r\n\td\re\u{1b}[31m\u{9b}\u{202e}\r\n"), "a,\"b\nc\"\n\td\u{fffd}e\u{fffd}[31m\u{fffd}\u{fffd}\n");
}

#[test]
fn a_cleaned_line_keeps_its_styles() {
    let line = paint(HEADING, "title");
    assert_eq!(clean_line(&line), line);
    let steering = "\u{1b}]0;x\u{7}\u{1b}[2J\u{1b}[?25l\u{1b}[1;31mred\u{1b}[0m\u{1b}";
    let guarded = "\u{fffd}]0;x\u{fffd}\u{fffd}[2J\u{fffd}[?25l\u{1b}[1;31mred\u{1b}[0m\u{fffd}";
    assert_eq!(clean_line(steering), guarded);
}

#[test]
fn only_visible_text_is_painted() {
    assert_eq!(paint(PLAIN, "x"), "x");
    assert_eq!(paint(BAD, "  "), "  ");
    assert_eq!(paint(BAD, "x"), "\u{1b}[31mx\u{1b}[0m");
}
