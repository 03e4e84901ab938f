//! The Parquet files of a block: one for each month.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::manifest::{FileManifest, part_path};
use super::storage;
use crate::cohort::day_set::date_of;
use crate::cohort::error::CohortError;
use crate::cohort::rows::{day_columns, key_digest, row_day};
use crate::cohort::{CohortTable, USER};
use crate::range::DateRange;
use crate::table::{Column, ColumnData, Table};
use crate::value::Date;

/// Maximum number of rows of a row group. Rows are sorted by user, so that readers can skip groups.
const ROW_GROUP: usize = 65_536;

/// Partition of rows without a day. The name that Hive and its readers use for a missing value.
const NO_MONTH: &str = "__HIVE_DEFAULT_PARTITION__";

/// The files of a table and a block.
pub(super) struct MonthFiles<'a> {
    pub(super) folder: &'a Path,
    pub(super) table: CohortTable,
    pub(super) block: u32,
    /// Requested days.
    pub(super) days: DateRange,
}

/// Digests of record keys, by user.
pub(super) type Keys = HashMap<String, HashSet<u64>>;

impl MonthFiles<'_> {
    /// Writes rows, and removes earlier rows of the same records and those of `gone` records. Updates the list of files.
    pub(super) fn replace(&self, rows: &Table, gone: Keys, files: &mut BTreeMap<String, FileManifest>) -> Result<(), CohortError> {
        let months = self.rows_by_month(rows);
        let mut replaced = gone;
        // The first run has nothing to replace.
        let may_exist = !files.is_empty() || months.keys().any(|month| self.path(month).exists());
        for (user, key) in keys(self.table, rows).filter(|_| may_exist) {
            match replaced.get_mut(user) {
                Some(keys) => drop(keys.insert(key)),
                None => drop(replaced.insert(user.to_owned(), HashSet::from([key]))),
            }
        }
        // A record whose day has changed may be in any file. Otherwise, only months of the requested days have rows to replace.
        let [first, last] = [self.days.first(), self.days.last()].map(month_of);
        let may_have_rows =
            |month: &String| self.table.has_movable_records() || months.contains_key(month) || (&first..=&last).contains(&month);
        let mut affected: Vec<String> = files.keys().filter(|month| may_have_rows(month)).cloned().collect();
        affected.extend(months.keys().filter(|month| !files.contains_key(*month)).cloned());
        for month in affected {
            let new = rows.take(months.get(&month).map(Vec::as_slice).unwrap_or_default())?;
            let path = self.path(&month);
            let kept = match files.contains_key(&month) || path.exists() {
                true => self.read_kept(&path, &replaced)?,
                false => None,
            };
            match kept {
                Some(kept) if new.is_empty() && kept.removed == 0 => {}
                Some(kept) => {
                    let mut all = new;
                    all.append(kept.table)?;
                    self.write(&path, &month, all, files)?;
                }
                None => self.write(&path, &month, new, files)?,
            }
        }
        Ok(())
    }

    fn path(&self, month: &str) -> PathBuf {
        self.folder.join(part_path(self.table, month, self.block))
    }

    /// Returns the indexes of the rows of each month.
    fn rows_by_month(&self, rows: &Table) -> BTreeMap<String, Vec<usize>> {
        let columns = day_columns(self.table, rows);
        let mut months: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut last: Option<(Option<i32>, String)> = None;
        for row in 0..rows.len() {
            let day = row_day(&columns, row);
            let month = match last.take() {
                Some((before, month)) if before == day => month,
                _ => day.and_then(date_of).map_or_else(|| NO_MONTH.to_owned(), month_of),
            };
            match months.get_mut(&month) {
                Some(rows) => rows.push(row),
                None => drop(months.insert(month.clone(), vec![row])),
            }
            last = Some((day, month));
        }
        months
    }

    /// Reads a file without the rows of these records.
    fn read_kept(&self, path: &Path, replaced: &Keys) -> Result<Option<KeptRows>, CohortError> {
        let Some(table) = self.read(path)? else { return Ok(None) };
        let is_replaced = keys(self.table, &table).map(|(user, key)| replaced.get(user).is_some_and(|keys| keys.contains(&key)));
        let kept: Vec<usize> = is_replaced.enumerate().filter(|(_, replaced)| !replaced).map(|(row, _)| row).collect();
        Ok(Some(KeptRows { removed: table.len() - kept.len(), table: table.take(&kept)? }))
    }

    fn read(&self, path: &Path) -> Result<Option<Table>, CohortError> {
        let damaged = |_| CohortError::dataset(path, "the Parquet file is damaged; export to a new folder");
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(CohortError::io(path))?,
        };
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.with_batch_size(ROW_GROUP).build());
        let mut all: Option<Table> = None;
        for batch in reader.map_err(damaged)? {
            let batch = batch.map_err(|_| damaged(parquet::errors::ParquetError::EOF(String::new())))?;
            let table = Table::from_record_batch(self.table.id(), &batch)?;
            match &mut all {
                Some(all) => all.append(table)?,
                None => all = Some(table),
            }
        }
        Ok(all)
    }

    fn write(&self, path: &Path, month: &str, rows: Table, files: &mut BTreeMap<String, FileManifest>) -> Result<(), CohortError> {
        if rows.is_empty() {
            files.remove(month);
            return storage::remove(path);
        }
        let count = rows.len() as u64;
        let content = encode(self.sorted(rows)?).map_err(|error| CohortError::io(path)(io::Error::other(error)))?;
        storage::write(path, &content)?;
        let file = FileManifest { rows: count, bytes: content.len() as u64, sha256: storage::checksum(&content) };
        files.insert(month.to_owned(), file);
        Ok(())
    }

    /// Sorts rows by user and time.
    fn sorted(&self, rows: Table) -> Result<Table, CohortError> {
        let times: Vec<&Column> = ["start_at", "from_timestamp", "start_at_timestamp", "date", "consumed_at", "uploaded_at"]
            .iter()
            .filter_map(|name| rows.column(name))
            .collect();
        let users = rows.column(USER);
        let sort_key = |row: &usize| (users.map_or("", |users| text(users, *row)), times.iter().find_map(|column| time(column, *row)));
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if order.is_sorted_by_key(sort_key) {
            return Ok(rows);
        }
        order.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
        Ok(rows.take(&order)?)
    }
}

/// Returns the name of a month, such as `2025-01`.
fn month_of(date: Date) -> String {
    let (year, month, _) = date.ymd();
    format!("{year:04}-{month:02}")
}

/// Rows of a file that are not replaced.
struct KeptRows {
    table: Table,
    /// Number of replaced rows.
    removed: usize,
}

/// Returns the user and the digest of the record key of each row.
fn keys(table: CohortTable, rows: &Table) -> impl Iterator<Item = (&str, u64)> {
    let (users, key) = (rows.column(USER), rows.column(table.key()));
    (0..rows.len()).map(move |row| (users.map_or("", |users| text(users, row)), key_digest(key, rows, row)))
}

fn text(column: &Column, row: usize) -> &str {
    match column.data() {
        ColumnData::Text(texts) if !column.is_missing(row) => texts.get(row),
        _ => "",
    }
}

fn time(column: &Column, row: usize) -> Option<i64> {
    match column.data() {
        _ if column.is_missing(row) => None,
        ColumnData::Date(days) => days.get(row).copied().map(i64::from),
        ColumnData::Instant(times) => times.microseconds().get(row).copied(),
        _ => None,
    }
}

fn encode(rows: Table) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let batch = rows.into_record_batch()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .build();
    let mut content = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(content)
}
