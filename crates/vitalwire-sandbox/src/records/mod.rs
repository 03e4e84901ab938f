//! Records of the service: nutrition records, lab reports, policy benefits. What each shows at an instant, those people have from the
//! beginning, and how uploaded and changed ones are stored.

pub(crate) mod benefits;
pub(crate) mod lab_report;
pub(crate) mod nutrition;
#[cfg(test)]
mod plausible;
mod stage;
mod stored;

pub(crate) use self::stored::MealChange;
