//! A structural scan: the upper bound of a JSON decoder.
//!
//! It finds brackets, colons, commas and quotes outside of strings, 64 bytes at a time, like the first stage of simdjson, and does nothing
//! else. It uses the vector instructions of the target that is built, as our own code does.

use wide::u8x32;

/// Returns the indices of structural characters.
#[must_use]
pub fn scan(text: &[u8], mut found: Vec<u32>) -> Vec<u32> {
    found.clear();
    let mut in_string = 0_u64;
    let mut is_escaped = 0_u64;
    let (blocks, rest) = text.as_chunks::<64>();
    let mut last = [b' '; 64];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    for (at, block) in blocks.iter().chain([&last]).enumerate() {
        let halves = block.as_chunks::<32>().0;
        let equal = |byte: u8| {
            let of = |half: &[u8; 32]| u64::from(u8x32::from(*half).simd_eq(u8x32::splat(byte)).to_bitmask());
            of(&halves[0]) | of(&halves[1]) << 32
        };
        let backslashes = equal(b'\\');
        let escaped = if backslashes == 0 { std::mem::take(&mut is_escaped) } else { escaped(backslashes, &mut is_escaped) };
        let quotes = equal(b'"') & !escaped;
        let strings = prefix_xor(quotes) ^ in_string;
        in_string = 0_u64.wrapping_sub(strings >> 63);
        // Brackets and braces differ in one bit only.
        let brackets = [b'{', b'}', b'[', b']', b':', b','].map(equal).into_iter().fold(0, |all, mask| all | mask);
        let mut structural = (brackets & !strings) | quotes;
        let start = u32::try_from(at * 64).unwrap_or(u32::MAX);
        while structural != 0 {
            found.push(start + structural.trailing_zeros());
            structural &= structural - 1;
        }
    }
    found
}

/// Returns the characters that are escaped. `carry` is whether the first character is.
fn escaped(backslashes: u64, carry: &mut u64) -> u64 {
    let mut escaped = 0;
    for bit in 0..64 {
        if *carry == 1 {
            escaped |= 1 << bit;
            *carry = 0;
        } else {
            *carry = backslashes >> bit & 1;
        }
    }
    escaped
}

/// Sets each bit to the parity of the bits up to it.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_in_strings_are_not_structural() {
        let text = format!(r#"{{"a\\\"{{":[1,"{}"],"b":2}}"#, "x:,".repeat(40));
        let mut expected = Vec::new();
        let (mut in_string, mut is_escaped) = (false, false);
        for (at, byte) in (0..).zip(text.bytes()) {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    in_string = !in_string;
                    expected.push(at);
                }
                b'{' | b'}' | b'[' | b']' | b':' | b',' if !in_string => expected.push(at),
                _ => {}
            }
        }
        assert_eq!(scan(text.as_bytes(), Vec::new()), expected);
    }
}
