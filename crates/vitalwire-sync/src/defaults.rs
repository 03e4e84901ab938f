//! Defaults and limits.

/// Number of days of the look-back, which a later run requests again because providers deliver late.
pub const LOOKBACK_DAYS: u32 = 7;

/// Maximum number of days of the look-back.
pub const MAX_LOOKBACK_DAYS: u32 = 3_660;

/// Number of days that a first sync reads unless the caller sets the first day, today included.
pub const FIRST_SYNC_DAYS: i32 = 365;
