//! Which providers have data of a person, from when and until when.

use crate::people::profile::{Profile, SLUGS};
use crate::people::source::Source;
use crate::state::Link;
use crate::world::World;

impl World {
    /// The sources of a person: those they were given, then those that were added. What was delivered stays when a connection breaks or
    /// ends, and when there is a new one, which delivers what was measured meanwhile as well.
    pub(crate) fn sources(&self, person: &Profile) -> Vec<Source> {
        let links = self.store().links(&person.user_id);
        let given = person.integrations.iter().map(|given| {
            let until = match links.iter().find(|link| link.slug == given.slug) {
                Some(link) => stop(link),
                None if given.broken => person.broke_at(self.started()),
                None => i64::MAX,
            };
            Source { until, ..Source::new(given.slug) }
        });
        let added = links.iter().filter_map(|link| {
            // A slug that this version does not know any more has no data either.
            let slug = SLUGS.into_iter().find(|slug| *slug == link.slug)?;
            let new = !person.integrations.iter().any(|given| given.slug == slug);
            new.then(|| Source { from: link.since.unwrap_or(link.created_at).as_second(), until: stop(link), ..Source::new(slug) })
        });
        given.chain(added).collect()
    }
}

/// Seconds since 1970.
fn stop(link: &Link) -> i64 {
    link.stopped_at.map_or(i64::MAX, jiff::Timestamp::as_second)
}
