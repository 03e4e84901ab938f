//! The wide objects, one `Option<f64>` a name; the names are generated.

macro_rules! numbers {
    ($($name:ident { $($member:ident $wire:literal)* })*) => {
        $(
            /// One field for each name.
            #[derive(Debug, Deserialize)]
            #[allow(missing_docs, reason = "the names are the wire's")]
            pub struct $name {
                $(#[serde(rename = $wire)] pub $member: Option<f64>,)*
            }

            impl $name {
                /// Every name with its value, in the order declared.
                pub fn all(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
                    [$(($wire, self.$member),)*].into_iter()
                }
            }
        )*
    };
}

#[path = "generated/numbers.rs"]
mod all;

pub use all::*;
