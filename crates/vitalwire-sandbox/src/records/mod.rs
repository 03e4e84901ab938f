//! Records of the service: nutrition records, lab reports and policy benefits, seeded or uploaded, and their storage.

pub(crate) mod benefits;
pub(crate) mod lab_report;
pub(crate) mod menu;
pub(crate) mod nutrition;
#[cfg(test)]
mod plausibility;
mod stage;
mod storage;

pub(crate) use self::storage::StoredMeal;
