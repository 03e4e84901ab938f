//! The ids of the records behind statistics.

use vitalwire::value::Id;

use crate::failure::Failure;
use crate::render::style::{FAINT, clean, join_wrapped, paint, width};
use crate::screen::Screen;

/// Separator of two ids.
const GAP: &str = "  ";

/// The day or hour of a bucket and its record ids, which are shown in full so that they can be copied.
pub(crate) type BucketRecords<'a> = (String, &'a [Id]);

/// Draws the ids below the statistics.
pub(crate) fn show<'a>(screen: &mut Screen, buckets: impl Iterator<Item = BucketRecords<'a>>) -> Result<(), Failure> {
    let named: Vec<BucketRecords<'a>> = buckets.filter(|(_, ids)| !ids.is_empty()).collect();
    screen.line("")?;
    if named.is_empty() {
        return screen.note("No record ids.");
    }
    let label = named.iter().map(|(label, _)| width(label)).max().unwrap_or(0);
    let widest = named.iter().flat_map(|(_, ids)| ids.iter()).map(|id| width(id.as_str())).max().unwrap_or(0);
    if label + GAP.len() + widest > screen.available_width() {
        for (bucket, ids) in named {
            screen.line(&paint(FAINT, &bucket))?;
            ids.iter().try_for_each(|id| screen.line(&format!("{GAP}{}", clean(id.as_str()))))?;
        }
        return Ok(());
    }
    for (bucket, ids) in named {
        let lines = join_wrapped(
            ids.iter().map(|id| clean(id.as_str()).into_owned()),
            GAP,
            screen.available_width().saturating_sub(label + GAP.len()),
        );
        for (at, line) in lines.iter().enumerate() {
            let bucket = if at == 0 { bucket.as_str() } else { "" };
            screen.line(&format!("{}{GAP}{line}", paint(FAINT, &format!("{bucket:label$}"))))?;
        }
    }
    Ok(())
}
