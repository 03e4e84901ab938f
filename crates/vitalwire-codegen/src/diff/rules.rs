//! Kinds of change, and the breakage that each causes in a language.
//!
//! * Source: code that uses the part no longer compiles, or in Python fails at run time or in the type checker.
//! * Binary: code that was compiled against the previous release fails with the next one (a jar, a shared library).
//! * Behaviour: code still runs, but the meaning differs.

use crate::ir::features::Language;

/// Defines the kinds of change, with what each breaks in Rust, Python, Swift, Kotlin and C.
macro_rules! rules {
    ($($(#[$about:meta])* $rule:ident: $rust:literal $python:literal $swift:literal $kotlin:literal $c:literal,)*) => {
        /// A kind of change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[$about])* $rule,)*
        }

        impl Rule {
            /// Returns what the change breaks in a language that has the part: `s` source, `b` binary, `h` behaviour.
            #[must_use]
            pub const fn breaks(self, language: Language) -> &'static str {
                let [rust, python, swift, kotlin, c] = match self {
                    $(Self::$rule => [$rust, $python, $swift, $kotlin, $c],)*
                };
                match language {
                    Language::Rust => rust,
                    Language::Python => python,
                    Language::Swift => swift,
                    Language::Kotlin => kotlin,
                    Language::C => c,
                }
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
