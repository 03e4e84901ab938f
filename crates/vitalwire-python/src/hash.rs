//! Hashes of records: of the members that are cheap to read, so equal records have equal hashes.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::LazyLock;

use crate::view::Record;

/// Other keys in each process, as for Python's own texts: nobody can send records that all have one hash.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// The hash of a record.
pub(crate) fn of<V: Record>(core: &V::Core) -> u64 {
    let mut hasher = KEYS.build_hasher();
    V::digest(core, &mut hasher);
    hasher.finish()
}

/// Adds a child that may be absent.
pub(crate) fn child<V: Record>(core: Option<&V::Core>, hasher: &mut DefaultHasher) {
    core.is_some().hash(hasher);
    if let Some(core) = core {
        V::digest(core, hasher);
    }
}

/// Adds pairs in any order.
pub(crate) fn pairs<T: Hash>(pairs: impl Iterator<Item = T>, hasher: &mut DefaultHasher) {
    pairs.fold(0_u64, |sum, pair| sum.wrapping_add(KEYS.hash_one(pair))).hash(hasher);
}
