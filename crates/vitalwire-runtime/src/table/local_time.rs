//! Local times in a named time zone.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use serde::de::value::Error as ValueError;

use super::cells::{Cells, Scalar};
use super::data_loss::SkipTarget;
use super::times::Time;
use super::{Column, ColumnKind, Field, Table, out_of_memory};
use crate::error::Error;

/// Suffix of a local time column, after the name of its column of instants.
const LOCAL_SUFFIX: &str = "_local";
/// Documentation of a local time column.
const DOC: &str = "The instant on the clock of the requested time zone.";
/// Reason for skipping a local time that a column cannot represent.
const OUT_OF_RANGE: &str = "expected a local time of the years 1 to 9999";

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
        let time_zone = parse_fixed_offset(zone).or_else(|| TimeZoneDatabase::bundled().get(zone).ok());
        let zone = time_zone.ok_or_else(|| Error::invalid_argument("zone", "no time zone has this name"))?;
        let instants: Vec<String> = self
            .columns
            .iter()
            .filter(|column| column.field.kind == ColumnKind::Instant)
            .map(|column| column.field.name.clone().into_owned())
            .collect();
        for name in instants {
            self.add_local_column(&name, &zone)?;
        }
        self.drop_unrepresentable_times()?;
        Ok(self)
    }

    fn add_local_column(&mut self, name: &str, zone: &TimeZone) -> Result<(), Error> {
        let local = format!("{name}{LOCAL_SUFFIX}");
        let position = |columns: &[Column], name: &str| columns.iter().position(|column| column.field.name == name);
        let Some(at) = position(&self.columns, name) else { return Ok(()) };
        let to = position(&self.columns, &local).unwrap_or_else(|| {
            let field = Field { name: local.into(), kind: ColumnKind::LocalTime, unit: None, nullable: true, doc: DOC };
            self.columns.insert(at + 1, Column::new(field));
            at + 1
        });
        let Some(instants) = self.columns.get(at) else { return Ok(()) };
        let (cells, beyond) = local_cells(instants, self.rows, zone).map_err(out_of_memory)?;
        let Some(column) = self.columns.get_mut(to) else { return Ok(()) };
        if column.field.kind != ColumnKind::LocalTime {
            // A number from the service has this name.
            return Ok(());
        }
        for _ in 0..beyond {
            self.skipped.count(column.field.name.clone(), SkipTarget::Column, OUT_OF_RANGE);
        }
        (column.cells, column.field.doc) = (cells, DOC);
        Ok(())
    }
}

/// Returns the local times, and the number of times that a column cannot represent.
fn local_cells(instants: &Column, rows: usize, zone: &TimeZone) -> Result<(Cells, u64), ValueError> {
    let mut cells = Cells::new(ColumnKind::LocalTime);
    cells.expected_rows = rows;
    let mut beyond = 0;
    for row in 0..rows {
        let Some(Scalar::Time(instant)) = instants.cells.scalar(row) else { continue };
        match to_local_time(instant, zone) {
            Some(local) => cells.put::<ValueError>(row, Scalar::Time(local))?,
            None => beyond += 1,
        }
    }
    cells.finish::<ValueError>(rows)?;
    Ok((cells, beyond))
}

/// Parses a fixed offset: a sign, hours, minutes and optional seconds, two digits each.
fn parse_fixed_offset(offset: &str) -> Option<TimeZone> {
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
fn to_local_time(instant: Time, zone: &TimeZone) -> Option<Time> {
    // Microsecond precision is sufficient to find the offset. jiff's instants end 26 hours before those of a column.
    let offset = zone.to_offset(Timestamp::from_microsecond(instant.microseconds).unwrap_or(Timestamp::MAX));
    instant.plus_seconds(offset.seconds().into())
}
