//! What is shown of a value.

use std::fmt;

/// Shows whether a value is there, and nothing of it: `..` or `absent`.
pub struct Presence(pub bool);

impl fmt::Debug for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { ".." } else { "absent" })
    }
}
