//! Kinds of change, and the breakage that each causes in a language.
//!
//! * Source: code that uses the part no longer compiles, or in Python fails at run time or in the type checker.
//! * Binary: code that was compiled against the previous release fails with the next one (a jar, a shared library).
//! * Behaviour: code still runs, but the meaning differs.

use std::fmt;

use crate::ir::features::Language;

/// The kinds of breakage for callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakingChanges {
    /// Source code has to change.
    pub source: bool,
    /// Code has to be recompiled.
    pub binary: bool,
    /// Values that are sent or received change their meaning.
    pub behaviour: bool,
}

impl BreakingChanges {
    /// No breakage.
    pub const NOTHING: Self = Self { source: false, binary: false, behaviour: false };

    /// Parses the letters `s` (source), `b` (binary) and `h` (behaviour).
    const fn from_letters(letters: &str) -> Self {
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

impl fmt::Display for BreakingChanges {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.source, "source"), (self.binary, "binary"), (self.behaviour, "behaviour")];
        let parts: Vec<&str> = parts.into_iter().filter(|(broken, _)| *broken).map(|(_, name)| name).collect();
        formatter.write_str(if parts.is_empty() { "nothing" } else { "" })?;
        formatter.write_str(&parts.join(", "))
    }
}

/// Defines the kinds of change, with what each breaks in Rust, Python, Swift, Kotlin and C.
macro_rules! rules {
    ($($(#[$about:meta])* $rule:ident: $rust:literal $python:literal $swift:literal $kotlin:literal $c:literal,)*) => {
        /// A kind of change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[$about])* $rule,)*
        }

        impl Rule {
            /// Returns what the change breaks in a language that has the part.
            #[must_use]
            pub const fn breaks(self, language: Language) -> BreakingChanges {
                let [rust, python, swift, kotlin, c] = match self {
                    $(Self::$rule => [$rust, $python, $swift, $kotlin, $c],)*
                };
                BreakingChanges::from_letters(match language {
                    Language::Rust => rust,
                    Language::Python => python,
                    Language::Swift => swift,
                    Language::Kotlin => kotlin,
                    Language::C => c,
                })
            }
        }
    };
}

rules! {
    /// A part is new, and callers need not use it.
    Added: "" "" "" "" "",
    /// A part that callers may name was removed or renamed, or its type changed.
    Removed: "s" "s" "s" "sb" "sb",
    /// A call now requires a token. Clients without one have to set it.
    TokenRequired: "sh" "sh" "sh" "sh" "sh",
    /// A limit is tighter: some arguments that were valid are now rejected.
    LimitTightened: "h" "h" "h" "h" "h",
    /// A limit is looser.
    LimitRelaxed: "" "" "" "" "",
    /// The default of an argument changed.
    DefaultChanged: "h" "h" "h" "h" "h",
    /// The request changed.
    RequestChanged: "h" "h" "h" "h" "h",
    /// The meaning of a response changed.
    MeaningChanged: "h" "h" "h" "h" "h",
    /// A call has a new required argument, so that every use of it has to change.
    ArgumentRequired: "s" "s" "s" "sb" "sb",
    /// A required argument became optional and moved behind the required ones.
    ArgumentOptional: "s" "s" "s" "sb" "sb",
    /// A field is new. Callers may have read it from the unknown fields before.
    FieldAdded: "h" "h" "h" "h" "h",
    /// A field became required: its type is no longer optional, and a response without it cannot be decoded.
    FieldRequired: "sh" "h" "sh" "bh" "sbh",
    /// A field became optional.
    FieldOptional: "s" "h" "s" "sb" "sb",
    /// A value of an open set got a name. In Rust it was the variant for unknown values before.
    ValueNamed: "h" "" "" "" "",
    /// A table was removed or renamed. Swift, Kotlin and C do not have tables by name.
    TableRemoved: "s" "h" "" "" "",
    /// A column was removed, or its type changed.
    ColumnChanged: "h" "h" "" "" "",
    /// Only documentation changed.
    DocumentationChanged: "" "" "" "" "",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breakage_is_displayed_as_words() {
        assert_eq!(Rule::Removed.breaks(Language::Kotlin).to_string(), "source, binary");
        assert_eq!(Rule::Added.breaks(Language::Rust).to_string(), "nothing");
        assert_eq!(Rule::FieldRequired.breaks(Language::C).to_string(), "source, binary, behaviour");
        assert_eq!(Rule::ValueNamed.breaks(Language::Swift), BreakingChanges::NOTHING);
    }
}
