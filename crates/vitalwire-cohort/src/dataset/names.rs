//! Names of files of a dataset. Names in folders and manifests from other people are accepted only if they are exactly these.

use vitalwire::value::Date;

use crate::CohortTable;
use crate::error::CohortError;
use crate::storage::{Storage, temporary};

/// Folder of the manifests, relative to the folder of the dataset.
pub(super) const FOLDER: &str = "_manifest";

/// Name of the dataset's manifest.
pub(super) const DATASET: &str = "_manifest/dataset.json";

/// Name of the lock.
pub(super) const LOCK: &str = "_manifest/lock";

/// Partition of rows without a day. The name that Hive and its readers use for a missing value.
pub(super) const NO_MONTH: &str = "__HIVE_DEFAULT_PARTITION__";

pub(super) fn block_name(block: u32) -> String {
    format!("{FOLDER}/block-{block:05}.json")
}

pub(super) fn next_name(block: u32) -> String {
    format!("{FOLDER}/next-{block:05}.json")
}

/// Returns the numbers of the blocks, in order.
pub(super) fn blocks(storage: &Storage) -> Result<Vec<u32>, CohortError> {
    let mut blocks: Vec<u32> = storage.entries(FOLDER)?.iter().filter_map(|name| number_in(name, "block-", ".json")).collect();
    blocks.sort_unstable();
    // The largest number has no successor.
    if blocks.last() == Some(&u32::MAX) {
        return Err(CohortError::dataset(&storage.path(FOLDER), "a block has a number that is out of range; export to a new folder"));
    }
    Ok(blocks)
}

/// Returns the name of a Parquet file, relative to the folder of the dataset.
pub(super) fn part_name(table: CohortTable, month: &str, block: u32) -> String {
    format!("table={table}/month={month}/part-{block:05}.parquet")
}

/// Returns the number in the name of a file of a block. `None` if the name is not exactly that of such a file.
fn number_in(name: &str, prefix: &str, suffix: &str) -> Option<u32> {
    let digits = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
    digits.parse().ok().filter(|number| format!("{number:05}") == digits)
}

/// Whether a path in the dataset is that of a part file under its temporary name.
pub(super) fn is_temporary_part(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let [table, month, file] = *names else { return false };
    table.strip_prefix("table=").is_some_and(|table| table.parse::<CohortTable>().is_ok())
        && month.strip_prefix("month=").is_some_and(is_month)
        && number_in(file, ".vitalwire-part-", ".parquet.tmp").is_some()
}

/// Returns the temporary files of the dataset. They are of an interrupted run if no other run has the lock.
pub(super) fn temporary_files(storage: &Storage) -> Result<Vec<String>, CohortError> {
    let mut files = storage.table_files()?;
    files.retain(|path| is_temporary_part(path));
    let of_block =
        |file: &str| [".vitalwire-block-", ".vitalwire-next-"].iter().any(|prefix| number_in(file, prefix, ".json.tmp").is_some());
    let manifests = storage.entries(FOLDER)?.into_iter().filter(|file| of_block(file) || *file == temporary("dataset.json"));
    files.extend(manifests.map(|file| format!("{FOLDER}/{file}")));
    Ok(files)
}

/// Returns the name of a month, such as `2025-01`.
pub(super) fn month_of(date: Date) -> String {
    let (year, month, _) = date.ymd();
    format!("{year:04}-{month:02}")
}

/// Whether a text is a month such as `2025-01`, or the partition of rows without a day.
pub(super) fn is_month(text: &str) -> bool {
    text == NO_MONTH || format!("{text}-01").parse().is_ok_and(|date| month_of(date) == text)
}
