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
mod tests;
