//! Data sources: the providers of a person, and which one counts if several measured the same.
//!
//! For each hour and group of statistics, only the first source in the group's order with data counts. Values of several sources are
//! neither averaged nor added. The same applies to nights. Only manual entries are added, because no device recorded them.

use super::device::DeviceKind;
use super::profile::Profile;
use crate::spec::names::PROVIDER_SLUG;

/// Device type of records of phones and recorded tracks.
const UNKNOWN_TYPE: &str = "unknown";

/// Order of sources of steps, distances and energies.
pub(crate) const MOVEMENT: [DeviceKind; 3] = [DeviceKind::Watch, DeviceKind::Track, DeviceKind::Phone];
/// Order of sources of heart rates.
pub(crate) const HEART: [DeviceKind; 3] = [DeviceKind::Watch, DeviceKind::Ring, DeviceKind::Mat];
/// Order of sources of the resting heart rate, variability and skin temperature.
pub(crate) const BODY: [DeviceKind; 2] = [DeviceKind::Ring, DeviceKind::Watch];
/// Order of sources of nights.
pub(crate) const SLEEP: [DeviceKind; 3] = [DeviceKind::Ring, DeviceKind::Mat, DeviceKind::Watch];

/// A provider that delivers, or delivered, data of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) slug: &'static str,
    pub(crate) kind: DeviceKind,
    /// Start of its data in seconds since 1970.
    pub(crate) from: i64,
    /// End of its data in seconds since 1970, when the integration broke or ended.
    pub(crate) until: i64,
}

impl Source {
    pub(crate) fn new(slug: &'static str) -> Self {
        Self { slug, kind: DeviceKind::from_provider(slug), from: i64::MIN, until: i64::MAX }
    }

    /// Whether this source delivered the data between two instants.
    pub(crate) fn covers(&self, start: i64, end: i64) -> bool {
        self.from <= start && end <= self.until
    }

    /// Returns the part of a night's id that identifies the source. 0 is the person's own sleep device.
    pub(crate) fn part(&self, person: &Profile) -> u8 {
        if self.slug == person.sleep_slug {
            return 0;
        }
        let at = PROVIDER_SLUG.iter().position(|slug| *slug == self.slug).unwrap_or_default();
        u8::try_from(at + 1).unwrap_or_default()
    }
}

/// Filter of a request on a person's data.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Included sources, in the order of the integrations.
    pub(crate) sources: Vec<Source>,
    /// Provider whose app has the manual entries. `None` if they are excluded.
    pub(crate) entries: Option<Source>,
}

impl View {
    /// Creates a view of all data.
    pub(crate) fn all(sources: Vec<Source>) -> Self {
        let phone = sources.iter().find(|source| source.kind == DeviceKind::Phone);
        let entries = phone.or_else(|| sources.iter().find(|source| source.kind.has_manual_entries())).copied();
        Self { sources, entries }
    }

    /// Keeps only these providers.
    pub(crate) fn with_providers(mut self, slugs: &[&str]) -> Self {
        let is_included = |source: &Source| slugs.contains(&source.slug);
        self.sources.retain(is_included);
        self.entries = self.entries.filter(is_included);
        self
    }

    /// Excludes manual entries.
    pub(crate) fn without_entries(mut self) -> Self {
        self.entries = None;
        self
    }

    /// Keeps only these device types.
    ///
    /// Only `unknown` keeps records, because the interface does not list the names of other types. Manual entries have no device and
    /// count as `unknown`.
    pub(crate) fn with_device_types(mut self, types: &[impl AsRef<str>]) -> Self {
        if types.iter().any(|name| name.as_ref() == UNKNOWN_TYPE) {
            self.sources.retain(|source| source.kind.has_unknown_type());
            self
        } else {
            Self { sources: Vec::new(), entries: None }
        }
    }

    /// Returns the sources of a group with their indices in [`Self::sources`], in order of precedence.
    pub(crate) fn by_precedence<'a>(&'a self, order: &'a [DeviceKind]) -> impl Iterator<Item = (usize, &'a Source)> {
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
        view.by_precedence(group).map(|(_, source)| source.slug).collect()
    }

    #[test]
    fn sources_are_ordered_by_group_and_then_by_integration() {
        let all = view(&["apple", "oura", "polar", "garmin", "strava", "dexcom"]);
        assert_eq!(order(&all, &MOVEMENT), ["polar", "garmin", "strava", "apple"]);
        assert_eq!(order(&all, &HEART), ["polar", "garmin", "oura"]);
        assert_eq!(order(&all, &SLEEP), ["oura", "polar", "garmin"]);
        assert_eq!(order(&view(&["withings", "fitbit"]), &SLEEP), ["withings", "fitbit"]);
    }

    #[test]
    fn filters_keep_only_the_named_sources() {
        let all = view(&["garmin", "oura", "apple"]);
        assert_eq!(all.entries.unwrap().slug, "apple");
        let watch = all.clone().with_providers(&["garmin"]);
        assert_eq!((order(&watch, &MOVEMENT), watch.entries), (vec!["garmin"], None));
        assert_eq!(order(&all.clone().with_device_types(&["unknown"]), &MOVEMENT), ["apple"]);
        assert!(order(&all.clone().with_device_types(&["unknown"]), &SLEEP).is_empty());
        let none = all.clone().with_device_types(&["invented"]);
        assert!(none.sources.is_empty() && none.entries.is_none());
        assert_eq!(all.without_entries().entries, None);
        assert_eq!(view(&["fitbit", "withings"]).entries.unwrap().slug, "fitbit");
        assert_eq!(view(&["oura", "dexcom"]).entries, None);
    }
}
