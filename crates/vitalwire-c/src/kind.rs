//! Whether a handle is one of its kind that is still there: only builds with debug assertions know, the others believe what they are given.
//!
//! A table has the address of each handle that was handed out, with its kinds: the first member of an object lies where the object does.
//! What is known of an object, and of all that was read from it, ends when it is freed, so the table holds no more than the program does.
//! Nothing is read through a handle before the table knows it. That is as far as a test can go: to the compiler a reference is one of its
//! kind from the beginning, and a build that optimises may act on it.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether handles are checked. Not where races are looked for: the table's lock would put in order what is not.
pub(crate) const CHECKED: bool = cfg!(all(debug_assertions, not(race_detector)));

/// Why a handle is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stranger {
    /// It is of another kind.
    OtherKind,
    /// It was freed, or never made here.
    Unknown,
}

impl Stranger {
    /// As errors say it.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::OtherKind => "it is a handle of another kind",
            Self::Unknown => "it is no handle: it was freed, or never made by this library",
        }
    }
}

/// What functions are given as a handle.
pub(crate) trait Handle {
    /// Its kind.
    type Of: 'static;

    /// Whether it has to be the whole that was handed out, and no part of another.
    const WHOLE: bool;

    /// Where it leads to.
    fn address(&self) -> Address;
}

impl<T: 'static> Handle for &T {
    type Of = T;
    const WHOLE: bool = false;

    fn address(&self) -> Address {
        Address::of(&**self)
    }
}

impl<T: 'static> Handle for &mut T {
    type Of = T;
    const WHOLE: bool = false;

    fn address(&self) -> Address {
        Address::of(&**self)
    }
}

impl<T: 'static> Handle for Box<T> {
    type Of = T;
    const WHOLE: bool = true;

    fn address(&self) -> Address {
        Address::of(&**self)
    }
}

/// The handle, or why it is none. NULL is no stranger.
pub(crate) fn checked<H: Handle>(handle: Option<H>) -> Result<Option<H>, Stranger> {
    if CHECKED && let Some(given) = &handle {
        let refused = here().and_then(|known| known.refusal(given.address(), TypeId::of::<H::Of>(), H::WHOLE));
        if let Some(stranger) = refused {
            REFUSED.fetch_add(1, Ordering::Relaxed);
            // Whatever it is, it is not this function's to end.
            mem::forget(handle);
            return Err(stranger);
        }
    }
    Ok(handle)
}

/// The handle; nothing where it is none.
pub(crate) fn known<H: Handle>(handle: Option<H>) -> Option<H> {
    checked(handle).ok().flatten()
}

/// A new object for the caller, who frees it.
pub(crate) fn owned<T: 'static>(value: T) -> Box<T> {
    handed_out(Box::new(value))
}

/// The same of what is in a box already.
pub(crate) fn handed_out<T: 'static>(object: Box<T>) -> Box<T> {
    shown(&*object);
    object
}

/// An object that a function of the caller's is given, until it is gone.
pub(crate) fn shown<T: 'static>(object: &T) {
    if CHECKED && let Some(mut known) = here() {
        known.add_whole(object.address(), TypeId::of::<T>());
    }
}

/// Part of an object, for the caller, as long as the object is there.
pub(crate) fn lent<'a, T: 'static, C: 'static>(of: &T, part: &'a C) -> &'a C {
    if CHECKED && let Some(mut known) = here() {
        known.add_part((of.address(), TypeId::of::<T>()), (part.address(), TypeId::of::<C>()));
    }
    part
}

/// An object is about to end.
pub(crate) fn gone<T: 'static>(object: &T) {
    if CHECKED && let Some(mut known) = here() {
        known.remove(object.address());
    }
}

/// How many handles were refused.
#[cfg(feature = "__probe")]
pub(crate) fn refused() -> usize {
    REFUSED.load(Ordering::Relaxed)
}

static REFUSED: AtomicUsize = AtomicUsize::new(0);
static KNOWN: Mutex<StoredMetadata> = Mutex::new(StoredMetadata { at: BTreeMap::new(), of: BTreeMap::new() });

/// The table, in the process that used it first. A child of fork() checks nothing: a thread that it does not have may have locked the table.
fn here() -> Option<MutexGuard<'static, StoredMetadata>> {
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let first = PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|first| first, |_| own);
    (first == own).then(|| KNOWN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What was handed out and is there.
#[derive(Default)]
struct StoredMetadata {
    /// By address.
    at: BTreeMap<Address, Vec<Entry>>,
    /// The addresses of parts that were read from an object, by that of the object.
    of: BTreeMap<Address, BTreeSet<Address>>,
}

/// Where an object lies, written so that no tool takes it for a pointer: what looks for leaks would find a forgotten handle in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address(usize);

impl Address {
    fn of<T>(object: &T) -> Self {
        Self(!(&raw const *object).addr())
    }
}

/// One kind at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    kind: TypeId,
    /// The object that it is part of, or itself.
    root: Address,
    whole: bool,
}

impl StoredMetadata {
    fn refusal(&self, address: Address, kind: TypeId, whole: bool) -> Option<Stranger> {
        match self.at.get(&address) {
            None => Some(Stranger::Unknown),
            Some(entries) if entries.iter().any(|entry| entry.kind == kind && (entry.whole || !whole)) => None,
            Some(_) => Some(Stranger::OtherKind),
        }
    }

    /// Whatever was there before is there no more.
    fn add_whole(&mut self, address: Address, kind: TypeId) {
        self.remove(address);
        self.at.insert(address, vec![Entry { kind, root: address, whole: true }]);
    }

    /// A part belongs to the objects that the one belongs to of which it was read; several may share it.
    fn add_part(&mut self, (of, of_kind): (Address, TypeId), (address, kind): (Address, TypeId)) {
        let roots = self.at.get(&of).into_iter().flatten().filter(|entry| entry.kind == of_kind).map(|entry| entry.root);
        for root in roots.collect::<Vec<_>>() {
            let entry = Entry { kind, root, whole: false };
            let entries = self.at.entry(address).or_default();
            if !entries.contains(&entry) {
                entries.push(entry);
                self.of.entry(root).or_default().insert(address);
            }
        }
    }

    fn remove(&mut self, root: Address) {
        for address in self.of.remove(&root).into_iter().flatten().chain([root]) {
            if let Some(entries) = self.at.get_mut(&address) {
                entries.retain(|entry| entry.root != root);
                if entries.is_empty() {
                    self.at.remove(&address);
                }
            }
        }
        if self.at.is_empty() {
            // Without its memory: the library may be unloaded after this.
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Inner(u64);
    struct Outer(Inner, Inner);

    fn refusal<H: Handle>(handle: H) -> Option<Stranger> {
        let refusal = checked(Some(handle));
        refusal.map(mem::forget).err()
    }

    #[test]
    fn a_handle_is_of_its_kind_as_long_as_it_is_there() {
        let outer = owned(Outer(Inner(1), Inner(2)));
        assert_eq!((outer.0.0, outer.1.0), (1, 2));
        assert_eq!(refusal(&*outer), None);
        assert_eq!(refusal(&outer.0), Some(Stranger::OtherKind));
        assert_eq!(refusal(&outer.1), Some(Stranger::Unknown));
        // The first member lies where the object does, and is a kind of its own.
        lent(&*outer, &outer.0);
        lent(&*outer, &outer.1);
        assert_eq!((refusal(&*outer), refusal(&outer.0), refusal(&outer.1)), (None, None, None));
        gone(&*outer);
        let unknown = Some(Stranger::Unknown);
        assert_eq!((refusal(&*outer), refusal(&outer.0), refusal(&outer.1)), (unknown, unknown, unknown));
    }

    #[test]
    fn a_part_is_not_freed_and_stays_with_the_last_object_that_has_it() {
        let kind = TypeId::of::<Inner>();
        let mut known = StoredMetadata::default();
        for whole in [Address(16), Address(32)] {
            known.add_whole(whole, TypeId::of::<Outer>());
            known.add_part((whole, TypeId::of::<Outer>()), (Address(64), kind));
            known.add_part((Address(64), kind), (Address(64), TypeId::of::<u64>()));
        }
        assert_eq!(known.refusal(Address(64), kind, true), Some(Stranger::OtherKind));
        known.remove(Address(16));
        assert_eq!(known.refusal(Address(64), TypeId::of::<u64>(), false), None);
        assert_eq!(known.refusal(Address(16), TypeId::of::<Outer>(), false), Some(Stranger::Unknown));
        known.remove(Address(32));
        assert!(known.at.is_empty() && known.of.is_empty());
    }

    #[test]
    fn memory_that_is_used_again_has_the_kind_of_what_is_there() {
        let (outer, inner) = (TypeId::of::<Outer>(), TypeId::of::<Inner>());
        let mut known = StoredMetadata::default();
        known.add_whole(Address(16), outer);
        known.add_part((Address(16), outer), (Address(24), inner));
        known.add_whole(Address(16), inner);
        assert_eq!(known.refusal(Address(16), outer, false), Some(Stranger::OtherKind));
        assert_eq!(known.refusal(Address(16), inner, true), None);
        assert_eq!(known.refusal(Address(24), inner, false), Some(Stranger::Unknown));
    }
}
