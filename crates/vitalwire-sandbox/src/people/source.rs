//! Sources of data: the providers of a person, and whose data counts if several measured the same.
//!
//! The rule: for each hour and each group of statistics the first source of the group's order that has anything there counts, alone;
//! nothing is averaged or added up. Nights go the same way. Only what was entered by hand is added, because no device saw it.

use super::device::DeviceKind;
use super::profile::Profile;
use crate::spec::names::PROVIDER_SLUG;

/// The type of devices that records of phones and recorded tracks do not name.
const UNKNOWN_TYPE: &str = "unknown";

/// Whose steps, distances and energies count.
pub(crate) const MOVEMENT: [DeviceKind; 3] = [DeviceKind::Watch, DeviceKind::Track, DeviceKind::Phone];
/// Whose heart rates count.
pub(crate) const HEART: [DeviceKind; 3] = [DeviceKind::Watch, DeviceKind::Ring, DeviceKind::Mat];
/// Whose resting heart rate, variability and skin temperature count.
pub(crate) const BODY: [DeviceKind; 2] = [DeviceKind::Ring, DeviceKind::Watch];
/// Whose nights count.
pub(crate) const SLEEP: [DeviceKind; 3] = [DeviceKind::Ring, DeviceKind::Mat, DeviceKind::Watch];

/// A provider that delivers, or delivered, data of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) slug: &'static str,
    pub(crate) kind: DeviceKind,
    /// It has data from this instant on, in seconds since 1970,
    pub(crate) from: i64,
    /// and until this one: there the connection broke or ended.
    pub(crate) until: i64,
}

impl Source {
    pub(crate) fn new(slug: &'static str) -> Self {
        Self { slug, kind: DeviceKind::of_provider(slug), from: i64::MIN, until: i64::MAX }
    }

    /// Whether it delivered what was measured between two instants.
    pub(crate) fn covers(&self, start: i64, end: i64) -> bool {
        self.from <= start && end <= self.until
    }

    /// The part of a night's id that says whose night it is: 0 for the person's own sleep device.
    pub(crate) fn part(&self, person: &Profile) -> u8 {
        if self.slug == person.sleep_slug {
            return 0;
        }
        let at = PROVIDER_SLUG.iter().position(|slug| *slug == self.slug).unwrap_or_default();
        u8::try_from(at + 1).unwrap_or_default()
    }
}

/// What a question wants to see of a person's data.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Those that are asked, in the order of the connections.
    pub(crate) sources: Vec<Source>,
    /// Whose app holds what was entered by hand, if that is asked for.
    pub(crate) entries: Option<Source>,
}

impl View {
    /// Everything there is.
    pub(crate) fn all(sources: Vec<Source>) -> Self {
        let phone = sources.iter().find(|source| source.kind == DeviceKind::Phone);
        let entries = phone.or_else(|| sources.iter().find(|source| source.kind.takes_entries())).copied();
        Self { sources, entries }
    }

    /// Only these providers.
    pub(crate) fn of_providers(mut self, slugs: &[&str]) -> Self {
        let asked = |source: &Source| slugs.contains(&source.slug);
        self.sources.retain(asked);
        self.entries = self.entries.filter(asked);
        self
    }

    /// Nothing that was entered by hand.
    pub(crate) fn without_entries(mut self) -> Self {
        self.entries = None;
        self
    }

    /// Only records of these types of devices. The type of a known device has a name that no interface shows: only `unknown` keeps
    /// records. What is entered by hand has no device at all.
    pub(crate) fn of_device_types(mut self, types: &[&str]) -> Self {
        if types.contains(&UNKNOWN_TYPE) {
            self.sources.retain(|source| source.kind.type_is_unknown());
            self
        } else {
            Self { sources: Vec::new(), entries: None }
        }
    }

    /// The sources of a group with their places in [`Self::sources`], the one that counts first.
    pub(crate) fn ranked<'a>(&'a self, order: &'a [DeviceKind]) -> impl Iterator<Item = (usize, &'a Source)> {
        order.iter().flat_map(move |kind| self.sources.iter().enumerate().filter(move |(_, source)| source.kind == *kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(slugs: &[&'static str]) -> View {
        View::all(slugs.iter().map(|slug| Source::new(slug)).collect())
    }

    fn order(view: &View, group: &[DeviceKind]) -> Vec<&'static str> {
        view.ranked(group).map(|(_, source)| source.slug).collect()
    }

    #[test]
    fn the_order_is_that_of_the_group_and_then_of_the_connections() {
        let all = view(&["apple", "oura", "polar", "garmin", "strava", "dexcom"]);
        assert_eq!(order(&all, &MOVEMENT), ["polar", "garmin", "strava", "apple"]);
        assert_eq!(order(&all, &HEART), ["polar", "garmin", "oura"]);
        assert_eq!(order(&all, &SLEEP), ["oura", "polar", "garmin"]);
        assert_eq!(order(&view(&["withings", "fitbit"]), &SLEEP), ["withings", "fitbit"]);
    }

    #[test]
    fn filters_leave_what_they_name() {
        let all = view(&["garmin", "oura", "apple"]);
        assert_eq!(all.entries.unwrap().slug, "apple");
        let watch = all.clone().of_providers(&["garmin"]);
        assert_eq!((order(&watch, &MOVEMENT), watch.entries), (vec!["garmin"], None));
        assert_eq!(order(&all.clone().of_device_types(&["unknown"]), &MOVEMENT), ["apple"]);
        assert!(order(&all.clone().of_device_types(&["unknown"]), &SLEEP).is_empty());
        let none = all.clone().of_device_types(&["invented"]);
        assert!(none.sources.is_empty() && none.entries.is_none());
        assert_eq!(all.without_entries().entries, None);
        assert_eq!(view(&["fitbit", "withings"]).entries.unwrap().slug, "fitbit");
        assert_eq!(view(&["oura", "dexcom"]).entries, None);
    }
}
