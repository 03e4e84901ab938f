//! Local times by the name of a time zone.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use serde::de::value::Error as Fault;

use super::cells::{Cells, Scalar};
use super::{Column, ColumnKind, Field, Table};
use crate::error::{Error, ErrorKind};

/// What the name of a column of local times ends with, after the name of its instants.
const SUFFIX: &str = "_local";

impl Table {
    /// Adds what a clock in this time zone showed beside each column of instants, in a column whose name ends in `_local`. Where
    /// there is such a column already, only its gaps are filled: what a record itself states of its clock counts before the zone.
    ///
    /// `zone` is an IANA name such as `Europe/Berlin`; the user's properties have one. Its rules come from the database in this
    /// library, so that they are the same on every machine. A local time that an hour's change makes twice stands for both instants.
    /// An offset such as `+02:00` or `-03:30:15` stands for a clock that is never changed.
    ///
    /// # Errors
    /// Invalid argument for a name that the database does not have, and that is no offset of less than a day.
    pub fn with_local_time(mut self, zone: &str) -> Result<Self, Error> {
        let found = fixed(zone).or_else(|| TimeZoneDatabase::bundled().get(zone).ok());
        let zone = found.ok_or_else(|| Error::invalid_argument("zone", "no time zone has this name"))?;
        let instants: Vec<String> = self
            .columns
            .iter()
            .filter(|column| column.field.kind == ColumnKind::Instant)
            .map(|column| column.field.name.clone().into_owned())
            .collect();
        for name in instants {
            self.add_local(&name, &zone)?;
        }
        Ok(self)
    }

    fn add_local(&mut self, name: &str, zone: &TimeZone) -> Result<(), Error> {
        let local = format!("{name}{SUFFIX}");
        let place = |columns: &[Column], name: &str| columns.iter().position(|column| column.field.name == name);
        let Some(at) = place(&self.columns, name) else { return Ok(()) };
        let to = place(&self.columns, &local).unwrap_or_else(|| {
            let doc = "The instant on the clock of the time zone that was asked for.";
            let field = Field { name: local.into(), kind: ColumnKind::LocalTime, unit: None, nullable: true, doc };
            self.columns.insert(at + 1, Column::new(field));
            at + 1
        });
        let (Some(instants), Some(stated)) = (self.columns.get(at), self.columns.get(to)) else { return Ok(()) };
        if stated.field.kind != ColumnKind::LocalTime {
            // A number of the service's own that happens to have the name.
            return Ok(());
        }
        let (filled, skipped) =
            fill(instants, stated, self.rows, zone).map_err(|_| Error::with_reason(ErrorKind::Decode, "takes too much memory"))?;
        self.skipped += skipped;
        if let Some(column) = self.columns.get_mut(to) {
            column.cells = filled;
        }
        Ok(())
    }
}

/// The stated local times, their gaps filled, and how many could not be.
fn fill(instants: &Column, stated: &Column, rows: usize, zone: &TimeZone) -> Result<(Cells, u64), Fault> {
    let mut filled = Cells::new(ColumnKind::LocalTime);
    filled.expect = rows;
    let mut skipped = 0;
    for row in 0..rows {
        if let Some(local) = stated.cells.scalar(row) {
            filled.put::<Fault>(row, local)?;
        } else if let Some(Scalar::Time(instant)) = instants.cells.scalar(row) {
            match on_the_clock(instant, zone) {
                Some(local) => filled.put::<Fault>(row, Scalar::Time(local))?,
                None => skipped += 1,
            }
        }
    }
    filled.finish::<Fault>(rows)?;
    Ok((filled, skipped))
}

/// A clock with one offset: a sign, hours, minutes and perhaps seconds, two digits each.
fn fixed(offset: &str) -> Option<TimeZone> {
    let (sign, size) = match offset.split_at_checked(1)? {
        ("+", size) => (1, size),
        ("-", size) => (-1, size),
        _ => return None,
    };
    let parts =
        size.split(':').map(|part| part.parse::<i32>().ok().filter(|_| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())));
    let seconds = match *parts.collect::<Option<Vec<_>>>()? {
        [hours @ 0..24, minutes @ 0..60] => hours * 3600 + minutes * 60,
        [hours @ 0..24, minutes @ 0..60, seconds @ 0..60] => hours * 3600 + minutes * 60 + seconds,
        _ => return None,
    };
    Some(TimeZone::fixed(Offset::from_seconds(sign * seconds).ok()?))
}

/// Nanoseconds on the zone's clock, if 64 bits hold them.
fn on_the_clock(instant: i64, zone: &TimeZone) -> Option<i64> {
    let offset = zone.to_offset(Timestamp::from_nanosecond(i128::from(instant)).ok()?);
    instant.checked_add(i64::from(offset.seconds()) * 1_000_000_000)
}
