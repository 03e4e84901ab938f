//! What a change breaks for callers, by kind of change and language.
//!
//! Source: code that named the thing no longer compiles, or in Python fails where it is used or checked. Binary: what was compiled
//! against the last release no longer runs with the next (a jar, a shared library). Behaviour: it still runs and means something else.

use std::fmt;

use crate::ir::faces::Face;

/// What is broken for a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaks {
    /// Its code has to change.
    pub source: bool,
    /// It has to be compiled again.
    pub binary: bool,
    /// What it gets or sends is another thing.
    pub behaviour: bool,
}

impl Breaks {
    /// Nobody notices.
    pub const NOTHING: Self = Self { source: false, binary: false, behaviour: false };

    /// From letters: `s`ource, `b`inary, be`h`aviour.
    const fn of(letters: &str) -> Self {
        let (mut breaks, mut at, letters) = (Self::NOTHING, 0, letters.as_bytes());
        while at < letters.len() {
            match letters[at] {
                b's' => breaks.source = true,
                b'b' => breaks.binary = true,
                _ => breaks.behaviour = true,
            }
            at += 1;
        }
        breaks
    }
}

impl fmt::Display for Breaks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.source, "source"), (self.binary, "binary"), (self.behaviour, "behaviour")];
        let parts: Vec<&str> = parts.into_iter().filter(|(broken, _)| *broken).map(|(_, name)| name).collect();
        formatter.write_str(if parts.is_empty() { "nothing" } else { "" })?;
        formatter.write_str(&parts.join(", "))
    }
}

/// Writes the kinds of change with what each breaks in Rust, Python, Swift, Kotlin and C.
macro_rules! rules {
    ($($(#[$about:meta])* $rule:ident: $rust:literal $python:literal $swift:literal $kotlin:literal $c:literal,)*) => {
        /// A kind of change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[$about])* $rule,)*
        }

        impl Rule {
            /// What it breaks for callers in a language that has the thing.
            #[must_use]
            pub const fn breaks(self, face: Face) -> Breaks {
                let [rust, python, swift, kotlin, c] = match self {
                    $(Self::$rule => [$rust, $python, $swift, $kotlin, $c],)*
                };
                Breaks::of(match face {
                    Face::Rust => rust,
                    Face::Python => python,
                    Face::Swift => swift,
                    Face::Kotlin => kotlin,
                    Face::C => c,
                })
            }
        }
    };
}

rules! {
    /// A thing that callers need not know of is new.
    Added: "" "" "" "" "",
    /// A thing that callers may name is gone, or has another name or type.
    Gone: "s" "s" "s" "sb" "sb",
    /// A call needs a token that it did not need: a client without one has to be given one.
    Secured: "sh" "sh" "sh" "sh" "sh",
    /// A limit is tighter: an argument that was taken is refused.
    Tightened: "h" "h" "h" "h" "h",
    /// A limit is looser.
    Relaxed: "" "" "" "" "",
    /// Leaving an argument out means another value.
    Defaulted: "h" "h" "h" "h" "h",
    /// What is sent, or how, is another.
    Sent: "h" "h" "h" "h" "h",
    /// What an answer means is another.
    Meant: "h" "h" "h" "h" "h",
    /// A call needs one argument more: every call of it is written anew.
    Needed: "s" "s" "s" "sb" "sb",
    /// An argument may be left out: it moves behind those that may not.
    Spared: "s" "s" "s" "sb" "sb",
    /// A field is new: it was among the unknown ones, where callers may have looked for it.
    Read: "h" "h" "h" "h" "h",
    /// A field is always there: its type is no longer that of something absent, and an answer without it cannot be read.
    Promised: "sh" "h" "sh" "bh" "sbh",
    /// A field may be absent.
    Doubted: "s" "h" "s" "sb" "sb",
    /// A value of an open set has a name: in Rust it was the variant of unknown texts.
    Named: "h" "" "" "" "",
    /// A table is gone, or has another name: Swift, Kotlin and C have none by name.
    Untabled: "s" "h" "" "" "",
    /// A column is gone or of another type.
    Column: "h" "h" "" "" "",
    /// Words only.
    Words: "" "" "" "" "",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_said_in_words() {
        assert_eq!(Rule::Gone.breaks(Face::Kotlin).to_string(), "source, binary");
        assert_eq!(Rule::Added.breaks(Face::Rust).to_string(), "nothing");
        assert_eq!(Rule::Promised.breaks(Face::C).to_string(), "source, binary, behaviour");
        assert_eq!(Rule::Named.breaks(Face::Swift), Breaks::NOTHING);
    }
}
