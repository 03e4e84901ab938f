//! Which providers have data of a person, and until when.

use crate::people::profile::Profile;
use crate::people::source::Source;
use crate::world::World;

impl World {
    /// The sources of a person, in the order of their connections. What was delivered stays when a connection breaks or ends.
    pub(crate) fn sources(&self, person: &Profile) -> Vec<Source> {
        let until = |broken: bool| if broken { person.broke_at(self.started()) } else { i64::MAX };
        person.integrations.iter().map(|given| Source { until: until(given.broken), ..Source::new(given.slug) }).collect()
    }
}
