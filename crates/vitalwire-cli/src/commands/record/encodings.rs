//! Encoded forms of a secret.

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8] = b"0123456789ABCDEF";

/// Returns the base64, base32, hexadecimal, percent-encoded and JSON forms of a secret.
///
/// Base64 and base32 have one form for each position of the secret in the encoded bytes. The digits that also encode bytes beside the
/// secret are left out, and so padding does not matter.
pub(super) fn encoded_forms(secret: &str) -> Vec<String> {
    let base64 = (0..3).map(|before| digits(secret, before, 6, BASE64));
    let mut forms: Vec<String> = base64.flat_map(|form| [form.replace('+', "-").replace('/', "_"), form]).collect();
    let base32 = (0..5).map(|before| digits(secret, before, 5, BASE32));
    let in_both_cases = base32.chain([digits(secret, 0, 4, HEX)]);
    forms.extend(in_both_cases.flat_map(|form| [form.to_ascii_lowercase(), form]));
    let json = serde_json::Value::from(secret).to_string();
    let json = json.trim_start_matches('"').strip_suffix('"').unwrap_or_default();
    forms.extend([json.to_owned(), json.replace('/', "\\/")]);
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    for keeps_unreserved in [true, false] {
        let percent = |escape: fn(u8) -> String| {
            let kept = |byte: u8| Some(char::from(byte).to_string()).filter(|_| keeps_unreserved && is_unreserved(byte));
            secret.bytes().map(|byte| kept(byte).unwrap_or_else(|| escape(byte))).collect::<String>()
        };
        forms.extend([percent(|byte| format!("%{byte:02X}")), percent(|byte| format!("%{byte:02x}"))]);
    }
    let units = |escape: fn(u16) -> String| secret.encode_utf16().map(escape).collect::<String>();
    forms.extend([units(|unit| format!("\\u{unit:04x}")), units(|unit| format!("\\u{unit:04X}"))]);
    forms.sort_unstable();
    forms.dedup();
    forms.retain(|form| form != secret);
    forms
}

/// Returns the digits that encode nothing but the secret, after some bytes before it.
fn digits(secret: &str, before: usize, bits: usize, alphabet: &[u8]) -> String {
    let bytes = secret.as_bytes();
    let bit = |at: usize| usize::from(bytes[at / 8 - before] >> (7 - at % 8) & 1);
    let positions = (before * 8).div_ceil(bits)..(before + bytes.len()) * 8 / bits;
    let digit = |at: usize| char::from(alphabet[(at * bits..(at + 1) * bits).fold(0, |digit, at| digit << 1 | bit(at))]);
    positions.map(digit).collect()
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

    use super::*;

    #[test]
    fn base64_has_a_form_for_each_position_and_alphabet() {
        let secret = "s\u{fb}cr\u{ff}t?>~token";
        let forms = encoded_forms(secret);
        for (before, after) in
            ["", "a", "ab", "abc", "Bearer "].iter().flat_map(|before| ["", "x", "xy", "xyz"].map(|after| (before, after)))
        {
            let text = format!("{before}{secret}{after}");
            for encoded in [BASE64_STANDARD.encode(&text), BASE64_URL_SAFE_NO_PAD.encode(&text)] {
                let found = forms.iter().filter(|form| form.len() > 16).any(|form| encoded.contains(form.as_str()));
                assert!(found, "{before}|{after}: {encoded}");
            }
        }
    }

    #[test]
    fn other_encodings_are_those_of_their_standards() {
        let forms = encoded_forms("foob/r");
        // RFC 4648: base32 of `foob/r` begins with that of `foob`, MZXW6YQ=, without its last digit.
        for form in ["MZXW6YRPO", "mzxw6yrpo", "666F6F622F72", "666f6f622f72", "foob%2Fr", "foob%2fr", "%66%6F%6F%62%2F%72", "foob\\/r"] {
            assert!(forms.iter().any(|known| known == form), "{form}: {forms:?}");
        }
        assert!(forms.iter().any(|known| known == "\\u0066\\u006f\\u006f\\u0062\\u002f\\u0072"));
        assert!(encoded_forms("a\"b").iter().any(|known| known == "a\\\"b"));
    }
}
