//! Detection of invalid handles, in builds with debug assertions only. Other builds trust the caller.
//!
//! A table maps the address of each live handle to its types; an object and its first field share an address. Freeing an object removes
//! its handle and the handles of its parts, so the table does not grow. A handle is only dereferenced after it was found in the table.
//! This is a debugging aid: an optimising compiler may assume that every reference is valid.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether handles are checked. False under the race detector, because the lock of the table would synchronise the threads under test.
pub(crate) const CHECKED: bool = cfg!(all(debug_assertions, not(race_detector)));

/// Reason why a handle is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvalidHandle {
    /// The handle has another type.
    OtherKind,
    /// The handle was freed, or never returned by this library.
    Unknown,
}

impl InvalidHandle {
    /// Returns the reason for an error message.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::OtherKind => "must be a handle of the expected type",
            Self::Unknown => "is not a valid handle: it was freed, or never returned by this library",
        }
    }
}

/// A handle that a function receives as an argument.
pub(crate) trait Handle {
    /// The type of the object.
    type Object: 'static;

    /// Whether the handle must own its object, because the function frees it.
    const OWNS_OBJECT: bool;

    /// Returns the address of the object.
    fn address(&self) -> Address;
}

impl<T: 'static> Handle for &T {
    type Object = T;
    const OWNS_OBJECT: bool = false;

    fn address(&self) -> Address {
        Address::new(&**self)
    }
}

impl<T: 'static> Handle for &mut T {
    type Object = T;
    const OWNS_OBJECT: bool = false;

    fn address(&self) -> Address {
        Address::new(&**self)
    }
}

impl<T: 'static> Handle for Box<T> {
    type Object = T;
    const OWNS_OBJECT: bool = true;

    fn address(&self) -> Address {
        Address::new(&**self)
    }
}

/// Returns the handle, or the reason why it is invalid. NULL is valid.
pub(crate) fn check<H: Handle>(handle: Option<H>) -> Result<Option<H>, InvalidHandle> {
    if CHECKED && let Some(checked) = &handle {
        let fault = lock_table().and_then(|table| table.find_fault(checked.address(), TypeId::of::<H::Object>(), H::OWNS_OBJECT));
        if let Some(invalid) = fault {
            INVALID_COUNT.fetch_add(1, Ordering::Relaxed);
            // The handle does not own a valid object, so nothing may be dropped.
            mem::forget(handle);
            return Err(invalid);
        }
    }
    Ok(handle)
}

/// Returns the handle; `None` if it is invalid.
pub(crate) fn valid<H: Handle>(handle: Option<H>) -> Option<H> {
    check(handle).ok().flatten()
}

/// Creates an object that the caller frees.
pub(crate) fn owned<T: 'static>(value: T) -> Box<T> {
    register_box(Box::new(value))
}

/// Registers a boxed object that the caller frees.
pub(crate) fn register_box<T: 'static>(object: Box<T>) -> Box<T> {
    register(&*object);
    object
}

/// Registers an object that is passed to a callback.
pub(crate) fn register<T: 'static>(object: &T) {
    if CHECKED && let Some(mut table) = lock_table() {
        table.add_owner(object.address(), TypeId::of::<T>());
    }
}

/// Registers a part of an object, which is valid as long as the object.
pub(crate) fn register_part<'a, T: 'static, C: 'static>(of: &T, part: &'a C) -> &'a C {
    if CHECKED && let Some(mut table) = lock_table() {
        table.add_part((of.address(), TypeId::of::<T>()), (part.address(), TypeId::of::<C>()));
    }
    part
}

/// Removes an object and its parts from the table, before the object is dropped.
pub(crate) fn unregister<T: 'static>(object: &T) {
    if CHECKED && let Some(mut table) = lock_table() {
        table.remove(object.address());
    }
}

/// Returns how many invalid handles were detected.
#[cfg(feature = "__probe")]
pub(crate) fn invalid_count() -> usize {
    INVALID_COUNT.load(Ordering::Relaxed)
}

static INVALID_COUNT: AtomicUsize = AtomicUsize::new(0);
static TABLE: Mutex<HandleTable> = Mutex::new(HandleTable { entries: BTreeMap::new(), addresses: BTreeMap::new() });

/// Locks the table. Only the process that used the table first checks handles: in a forked child, a missing thread may hold the lock.
fn lock_table() -> Option<MutexGuard<'static, HandleTable>> {
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let first = PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|first| first, |_| own);
    (first == own).then(|| TABLE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Handles that were returned and not yet freed.
#[derive(Default)]
struct HandleTable {
    /// Types by address.
    entries: BTreeMap<Address, Vec<Entry>>,
    /// Addresses of the parts that were returned from an object, by the address of the object.
    addresses: BTreeMap<Address, BTreeSet<Address>>,
}

/// Address of an object, inverted so that leak checkers do not take it for a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address(usize);

impl Address {
    fn new<T>(object: &T) -> Self {
        Self(!(&raw const *object).addr())
    }
}

/// A type at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    kind: TypeId,
    /// Address of the owning object, which may be the object itself.
    owner: Address,
    is_owner: bool,
}

impl HandleTable {
    fn find_fault(&self, address: Address, kind: TypeId, is_owner: bool) -> Option<InvalidHandle> {
        match self.entries.get(&address) {
            None => Some(InvalidHandle::Unknown),
            Some(entries) if entries.iter().any(|entry| entry.kind == kind && (entry.is_owner || !is_owner)) => None,
            Some(_) => Some(InvalidHandle::OtherKind),
        }
    }

    /// Adds an owning object and removes whatever was at its address before.
    fn add_owner(&mut self, address: Address, kind: TypeId) {
        self.remove(address);
        self.entries.insert(address, vec![Entry { kind, owner: address, is_owner: true }]);
    }

    /// Adds a part. The part belongs to every owner of the object that contains it.
    fn add_part(&mut self, (parent, parent_kind): (Address, TypeId), (address, kind): (Address, TypeId)) {
        let owners = self.entries.get(&parent).into_iter().flatten().filter(|entry| entry.kind == parent_kind).map(|entry| entry.owner);
        for owner in owners.collect::<Vec<_>>() {
            let entry = Entry { kind, owner, is_owner: false };
            let entries = self.entries.entry(address).or_default();
            if !entries.contains(&entry) {
                entries.push(entry);
                self.addresses.entry(owner).or_default().insert(address);
            }
        }
    }

    fn remove(&mut self, owner: Address) {
        for address in self.addresses.remove(&owner).into_iter().flatten().chain([owner]) {
            if let Some(entries) = self.entries.get_mut(&address) {
                entries.retain(|entry| entry.owner != owner);
                if entries.is_empty() {
                    self.entries.remove(&address);
                }
            }
        }
        if self.entries.is_empty() {
            // Releases the memory of the table, because the library may be unloaded next.
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Inner(u64);
    struct Outer(Inner, Inner);

    fn find_fault<H: Handle>(handle: H) -> Option<InvalidHandle> {
        let find_fault = check(Some(handle));
        find_fault.map(mem::forget).err()
    }

    #[test]
    fn a_handle_is_valid_until_its_object_is_freed() {
        let outer = owned(Outer(Inner(1), Inner(2)));
        assert_eq!((outer.0.0, outer.1.0), (1, 2));
        assert_eq!(find_fault(&*outer), None);
        assert_eq!(find_fault(&outer.0), Some(InvalidHandle::OtherKind));
        assert_eq!(find_fault(&outer.1), Some(InvalidHandle::Unknown));
        // The first field shares the address of the object, but has a type of its own.
        register_part(&*outer, &outer.0);
        register_part(&*outer, &outer.1);
        assert_eq!((find_fault(&*outer), find_fault(&outer.0), find_fault(&outer.1)), (None, None, None));
        unregister(&*outer);
        let unknown = Some(InvalidHandle::Unknown);
        assert_eq!((find_fault(&*outer), find_fault(&outer.0), find_fault(&outer.1)), (unknown, unknown, unknown));
    }

    #[test]
    fn a_shared_part_is_valid_until_its_last_owner_is_freed() {
        let kind = TypeId::of::<Inner>();
        let mut table = HandleTable::default();
        for owner in [Address(16), Address(32)] {
            table.add_owner(owner, TypeId::of::<Outer>());
            table.add_part((owner, TypeId::of::<Outer>()), (Address(64), kind));
            table.add_part((Address(64), kind), (Address(64), TypeId::of::<u64>()));
        }
        assert_eq!(table.find_fault(Address(64), kind, true), Some(InvalidHandle::OtherKind));
        table.remove(Address(16));
        assert_eq!(table.find_fault(Address(64), TypeId::of::<u64>(), false), None);
        assert_eq!(table.find_fault(Address(16), TypeId::of::<Outer>(), false), Some(InvalidHandle::Unknown));
        table.remove(Address(32));
        assert!(table.entries.is_empty() && table.addresses.is_empty());
    }

    #[test]
    fn reused_memory_has_the_type_of_its_new_object() {
        let (outer, inner) = (TypeId::of::<Outer>(), TypeId::of::<Inner>());
        let mut table = HandleTable::default();
        table.add_owner(Address(16), outer);
        table.add_part((Address(16), outer), (Address(24), inner));
        table.add_owner(Address(16), inner);
        assert_eq!(table.find_fault(Address(16), outer, false), Some(InvalidHandle::OtherKind));
        assert_eq!(table.find_fault(Address(16), inner, true), None);
        assert_eq!(table.find_fault(Address(24), inner, false), Some(InvalidHandle::Unknown));
    }
}
