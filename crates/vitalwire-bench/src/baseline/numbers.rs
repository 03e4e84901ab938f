//! Baseline of wide objects, with one `Option<f64>` per name. The names are generated.

macro_rules! numbers {
    ($($name:ident { $($field:ident $wire:literal)* })*) => {
        $(
            /// A wide object with one field per name.
            #[derive(Debug, Deserialize)]
            #[allow(missing_docs, reason = "the names are the wire's")]
            pub struct $name {
                $(#[serde(rename = $wire)] pub $field: Option<f64>,)*
            }

            impl $name {
                /// Returns every name with its value, in the order of declaration.
                pub fn all(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
                    [$(($wire, self.$field),)*].into_iter()
                }
            }
        )*
    };
}

#[path = "generated/numbers.rs"]
mod all;

pub use all::*;
