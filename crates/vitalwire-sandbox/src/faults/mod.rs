//! Faults on demand, selected by a control route, a request header or the API.

mod action;
mod body;
mod catalogue;
mod effect;
mod fault;
mod rewrite;
mod wire;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use self::catalogue::{COMMON, FAULTS, Setting, ValueType};
pub(crate) use self::effect::InjectedFault;
use self::fault::RequestCount;
pub use self::fault::{Fault, FaultError};
pub(crate) use self::wire::ConnectionHandle;
use crate::spec::Operation;

/// Request header that selects a fault for its own request. For tests of clients only.
pub(crate) const HEADER: http::HeaderName = http::HeaderName::from_static("x-sandbox-fault");

/// Maximum number of active faults. The oldest are removed first.
const MAX_FAULTS: usize = 1_000;

/// Active faults of a sandbox.
///
/// At most one fault applies to a request: the first match in the order of activation. A fault is removed after its number of requests.
#[derive(Debug, Default)]
pub struct Faults {
    /// Number of active faults. Without faults, a request costs only this load.
    count: AtomicUsize,
    list: Mutex<FaultList>,
}

#[derive(Debug, Default)]
struct FaultList {
    last: u64,
    faults: VecDeque<ActiveFault>,
}

/// An active fault.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActiveFault {
    /// Id for [`Faults::remove`].
    pub id: u64,
    /// The fault.
    pub fault: Fault,
    /// Number of further requests that it applies to. `None` for unlimited.
    pub left: Option<u64>,
    /// Number of requests that it has applied to.
    pub met: u64,
}

impl Faults {
    fn lock(&self) -> MutexGuard<'_, FaultList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Activates a fault and returns its id for [`Self::remove`]. Applies to one request unless the fault has `times`.
    pub fn add(&self, fault: Fault) -> u64 {
        let mut list = self.lock();
        list.last += 1;
        let id = list.last;
        let left = match fault.times {
            None => Some(1),
            Some(RequestCount::Number(number)) => Some(number),
            Some(RequestCount::Always) => None,
        };
        if list.faults.len() == MAX_FAULTS {
            list.faults.pop_front();
        }
        list.faults.push_back(ActiveFault { id, fault, left, met: 0 });
        self.count.store(list.faults.len(), Ordering::Release);
        id
    }

    /// Deactivates a fault. Returns false if no active fault has this id.
    pub fn remove(&self, id: u64) -> bool {
        let mut list = self.lock();
        let before = list.faults.len();
        list.faults.retain(|entry| entry.id != id);
        self.count.store(list.faults.len(), Ordering::Release);
        list.faults.len() < before
    }

    /// Deactivates all faults.
    pub fn clear(&self) {
        let mut list = self.lock();
        list.faults.clear();
        self.count.store(0, Ordering::Release);
    }

    /// Returns the active faults in the order of activation.
    pub fn list(&self) -> Vec<ActiveFault> {
        self.lock().faults.iter().cloned().collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// Returns the first fault that matches a request, and counts the request.
    pub(crate) fn take_matching(&self, operation: &'static Operation, user: Option<&str>) -> Option<Fault> {
        let mut list = self.lock();
        let matches = |entry: &ActiveFault| {
            entry.fault.operation.is_none_or(|at| at.id == operation.id)
                && entry.fault.user.as_deref().is_none_or(|expected_user| Some(expected_user) == user)
        };
        let at = list.faults.iter().position(matches)?;
        let entry = list.faults.get_mut(at)?;
        entry.met += 1;
        entry.left = entry.left.map(|left| left.saturating_sub(1));
        let fault = entry.fault.clone();
        if entry.left == Some(0) {
            list.faults.remove(at);
            self.count.store(list.faults.len(), Ordering::Release);
        }
        Some(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::find_by_id;

    fn take_text(faults: &Faults, operation: &str, user: Option<&str>) -> Option<String> {
        faults.take_matching(find_by_id(operation).unwrap(), user).map(|fault| fault.to_string())
    }

    #[test]
    fn a_fault_applies_as_often_as_its_times() {
        let faults = Faults::default();
        assert!(faults.is_empty());
        faults.add("html".parse().unwrap());
        let twice = faults.add("gzip; times=2".parse().unwrap());
        faults.add("slow; times=always".parse().unwrap());
        let meet = || take_text(&faults, "get_sleep", None).unwrap();
        assert_eq!(meet(), "html");
        assert_eq!(meet(), "gzip; times=2");
        let listed = faults.list();
        assert_eq!((listed.len(), listed[0].id, listed[0].left, listed[0].met, listed[1].left), (2, twice, Some(1), 1, None));
        assert_eq!(meet(), "gzip; times=2");
        for _ in 0..5 {
            assert_eq!(meet(), "slow; times=always");
        }
        assert!(!faults.remove(twice));
        faults.clear();
        assert!(faults.is_empty());
        assert_eq!(take_text(&faults, "get_sleep", None), None);
    }

    #[test]
    fn a_fault_applies_only_to_its_operation_and_user() {
        let faults = Faults::default();
        let id = faults.add("html; operation=get_sleep; user=a; times=always".parse().unwrap());
        assert_eq!(take_text(&faults, "get_user_info", Some("a")), None);
        assert_eq!(take_text(&faults, "get_sleep", Some("b")), None);
        assert_eq!(take_text(&faults, "get_sleep", None), None);
        assert!(take_text(&faults, "get_sleep", Some("a")).is_some());
        assert!(faults.remove(id));
        assert!(faults.is_empty());
    }

    #[test]
    fn the_oldest_faults_are_removed_at_the_limit() {
        let faults = Faults::default();
        for _ in 0..=MAX_FAULTS {
            faults.add("html".parse().unwrap());
        }
        let listed = faults.list();
        assert_eq!((listed.len(), listed[0].id), (MAX_FAULTS, 2));
    }
}
