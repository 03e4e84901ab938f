//! Local times in a named time zone.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use serde::de::value::Error as Fault;

use super::cells::{Cells, Scalar};
use super::losses::Named;
use super::times::Time;
use super::{Column, ColumnKind, Field, Table, too_much};
use crate::error::Error;

/// Suffix of a local time column, after the name of its column of instants.
const SUFFIX: &str = "_local";
/// Documentation of a local time column.
const DOC: &str = "The instant on the clock of the requested time zone.";
/// Reason for skipping a local time that a column cannot represent.
const BEYOND: &str = "expected a local time of the years 1 to 9999";

impl Table {
    /// Adds a column of local times in this time zone for each column of instants. Its name ends in `_local`. An existing column of that
    /// name is replaced: it uses the record's single offset, which is an hour off before a clock change during the night.
    ///
    /// `zone` is an IANA name such as `Europe/Berlin`, which the user's properties contain, or a fixed offset such as `+02:00` or
    /// `-03:30:15`. Time zone rules come from a database in this library, so they are the same on every machine. When the clocks go back,
    /// two instants have the same local time.
    ///
    /// # Errors
    /// `invalid_argument` for a name that is neither in the database nor an offset of less than a day.
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
        self.keep_within_reach()?;
        Ok(self)
    }

    fn add_local(&mut self, name: &str, zone: &TimeZone) -> Result<(), Error> {
        let local = format!("{name}{SUFFIX}");
        let place = |columns: &[Column], name: &str| columns.iter().position(|column| column.field.name == name);
        let Some(at) = place(&self.columns, name) else { return Ok(()) };
        let to = place(&self.columns, &local).unwrap_or_else(|| {
            let field = Field { name: local.into(), kind: ColumnKind::LocalTime, unit: None, nullable: true, doc: DOC };
            self.columns.insert(at + 1, Column::new(field));
            at + 1
        });
        let Some(instants) = self.columns.get(at) else { return Ok(()) };
        let (cells, beyond) = shown(instants, self.rows, zone).map_err(too_much)?;
        let Some(column) = self.columns.get_mut(to) else { return Ok(()) };
        if column.field.kind != ColumnKind::LocalTime {
            // A number from the service has this name.
            return Ok(());
        }
        for _ in 0..beyond {
            self.skipped.count(column.field.name.clone(), Named::Column, BEYOND);
        }
        (column.cells, column.field.doc) = (cells, DOC);
        Ok(())
    }
}

/// Returns the local times, and the number of times that a column cannot represent.
fn shown(instants: &Column, rows: usize, zone: &TimeZone) -> Result<(Cells, u64), Fault> {
    let mut cells = Cells::new(ColumnKind::LocalTime);
    cells.expect = rows;
    let mut beyond = 0;
    for row in 0..rows {
        let Some(Scalar::Time(instant)) = instants.cells.scalar(row) else { continue };
        match on_the_clock(instant, zone) {
            Some(local) => cells.put::<Fault>(row, Scalar::Time(local))?,
            None => beyond += 1,
        }
    }
    cells.finish::<Fault>(rows)?;
    Ok((cells, beyond))
}

/// Parses a fixed offset: a sign, hours, minutes and optional seconds, two digits each.
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

/// Returns the local time of an instant, if a column can represent it.
fn on_the_clock(instant: Time, zone: &TimeZone) -> Option<Time> {
    // Microsecond precision is sufficient to find the offset.
    let offset = zone.to_offset(Timestamp::from_microsecond(instant.microseconds).ok()?);
    instant.seconds_later(offset.seconds().into())
}
