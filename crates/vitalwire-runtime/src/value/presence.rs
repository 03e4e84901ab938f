//! Redacted `Debug` output of optional values.

use std::fmt;

/// Shows only whether a value is present: `..` or `absent`.
pub struct Presence(pub bool);

impl fmt::Debug for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { ".." } else { "absent" })
    }
}
