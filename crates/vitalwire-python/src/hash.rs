//! Hashes of records, over fields that are cheap to read. Equal records have equal hashes.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::LazyLock;

use crate::view::Record;

/// Random keys per process, as for `str`, so that nobody can send records with colliding hashes.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

pub(crate) fn hash_record<V: Record>(core: &V::Core) -> u64 {
    let mut hasher = KEYS.build_hasher();
    V::digest(core, &mut hasher);
    hasher.finish()
}

/// Adds a nested record to a hash, if the record is present.
pub(crate) fn child<V: Record>(core: Option<&V::Core>, hasher: &mut DefaultHasher) {
    core.is_some().hash(hasher);
    if let Some(core) = core {
        V::digest(core, hasher);
    }
}

/// Adds pairs to a hash, independent of their order.
pub(crate) fn pairs<T: Hash>(pairs: impl Iterator<Item = T>, hasher: &mut DefaultHasher) {
    pairs.fold(0_u64, |sum, pair| sum.wrapping_add(KEYS.hash_one(pair))).hash(hasher);
}

/// Returns the hash of fields.
pub(crate) fn of(fields: &impl Hash) -> u64 {
    KEYS.hash_one(fields)
}
