//! `cargo xtask size`: compares the sizes of the libraries for phones with earlier ones.

use std::path::Path;

use anyhow::{Context as _, ensure};
use clap::Args;

use crate::build::target;
use crate::swift::package::{self, Sizes};

/// Table: date, slice, size of the library for its largest processor, bytes added to an application. The newest line of a slice counts.
const FILE: &str = "tests/sizes.tsv";

/// Maximum growth. For a change that is worth more, append a line to the table.
const MAX_GROWTH_PERCENT: u64 = 2;

/// Build the libraries for phones and compare their sizes with the committed ones.
#[derive(Debug, Args)]
pub(crate) struct Size {
    /// Slices of the Swift package. Defaults to all.
    #[arg(long, value_delimiter = ',', value_name = "SLICE,...", value_parser = package::slice_names())]
    only: Vec<String>,
    /// Append the sizes to the table with this date instead of comparing them.
    #[arg(long, value_name = "YYYY-MM-DD")]
    append: Option<String>,
}

impl Size {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If a library grew too much, or has no line.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let path = root.join(FILE);
        let table = std::fs::read_to_string(&path).with_context(|| format!("reading {FILE}"))?;
        let libraries = package::libraries(root, &target(root)?, &self.only)?;
        if let Some(date) = &self.append {
            let rows: String = libraries.iter().map(|library| row(date, library.name(), library.sizes)).collect();
            return Ok(std::fs::write(path, table + &rows)?);
        }
        let mut grown = Vec::new();
        for library in &libraries {
            let (line, too_large) = compare(library.name(), library.sizes, newest(&table, library.name())?);
            crate::print_line(&line);
            grown.extend(too_large.then_some(library.name()));
        }
        ensure!(grown.is_empty(), "libraries that grew by more than {MAX_GROWTH_PERCENT} % or are not in {FILE}: {}", grown.join(", "));
        Ok(())
    }
}

fn row(date: &str, name: &str, sizes: Sizes) -> String {
    format!("{date}\t{name}\t{}\t{}\n", sizes.shipped, sizes.linked)
}

fn newest(table: &str, name: &str) -> anyhow::Result<Option<Sizes>> {
    let line = table.lines().rev().find(|line| line.split('\t').nth(1) == Some(name));
    let Some(line) = line else { return Ok(None) };
    let cells: Vec<&str> = line.split('\t').collect();
    let [_, _, shipped, linked] = cells[..] else { anyhow::bail!("{FILE}: a line must have four cells: {line}") };
    let number = |text: &str| text.parse().with_context(|| format!("{FILE}: a size must be a number: {line}"));
    Ok(Some(Sizes { shipped: number(shipped)?, linked: number(linked)? }))
}

/// Returns a line with both sizes, and whether the library is too large.
fn compare(name: &str, now: Sizes, before: Option<Sizes>) -> (String, bool) {
    let Some(before) = before else { return (format!("{name}: {} bytes, {} linked; not in the table", now.shipped, now.linked), true) };
    let line = format!("{name}: {} bytes ({} in the table), {} linked ({})", now.shipped, before.shipped, now.linked, before.linked);
    let grew = |now: u64, before: u64| now * 100 > before * (100 + MAX_GROWTH_PERCENT);
    (line, grew(now.shipped, before.shipped) || grew(now.linked, before.linked))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "# comment\ndate\tslice\tshipped\tlinked\n2026-01-01\ta\t1000\t500\n2026-01-01\tb\t9\t9\n2026-02-01\ta\t2000\t800\n";

    #[test]
    fn the_newest_line_counts() {
        assert_eq!(newest(TABLE, "a").unwrap(), Some(Sizes { shipped: 2000, linked: 800 }));
        assert_eq!(newest(TABLE, "c").unwrap(), None);
        assert!(newest("2026\ta\t1\n", "a").is_err());
        let appended = TABLE.to_owned() + &row("2026-03-01", "b", Sizes { shipped: 7, linked: 6 });
        assert_eq!(newest(&appended, "b").unwrap(), Some(Sizes { shipped: 7, linked: 6 }));
    }

    #[test]
    fn growth_above_the_maximum_fails() {
        let before = Some(Sizes { shipped: 1000, linked: 500 });
        assert_eq!(
            compare("a", Sizes { shipped: 1020, linked: 510 }, before),
            ("a: 1020 bytes (1000 in the table), 510 linked (500)".to_owned(), false)
        );
        assert!(compare("a", Sizes { shipped: 1021, linked: 500 }, before).1);
        assert!(compare("a", Sizes { shipped: 1000, linked: 511 }, before).1);
        assert!(compare("a", Sizes { shipped: 1, linked: 1 }, None).1);
    }
}
