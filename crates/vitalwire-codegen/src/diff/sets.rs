//! Compares open sets, maps and tables.

use super::changes::{Pair, Part, compare_pairs};
use super::limits::missing;
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Ir, OpenSet};

pub(super) fn compare(old: &Ir, new: &Ir, whole: &Part<'_>) {
    whole.parts(
        Rule::Removed,
        (&old.open_sets, &new.open_sets),
        |set| (&set.name, format!("`{}`", set.name), &set.languages),
        compare_open_sets,
    );
    whole.parts(
        Rule::Removed,
        (&old.number_maps, &new.number_maps),
        |map| (&map.name, format!("`{}`", map.name), &Language::ALL),
        |part, old, new| {
            if (&old.keys, old.has_basis) != (&new.keys, new.has_basis) {
                part.is(Rule::Removed, "has other names or another basis");
            }
            part.docs(&old.docs, &new.docs);
        },
    );
    whole.parts(
        Rule::Removed,
        (&old.series_maps, &new.series_maps),
        |map| (&map.name, format!("`{}`", map.name), &Language::ALL),
        |part, old, new| {
            if old.keys != new.keys {
                part.is(Rule::Removed, "has other names");
            }
            part.docs(&old.docs, &new.docs);
        },
    );
    whole.parts(
        Rule::TableRemoved,
        (&old.tables, &new.tables),
        |table| (&table.name, format!("The table `{}`", table.name), &Language::ALL),
        |part, old, new| {
            compare_pairs(
                (&old.columns, &new.columns),
                |column| &column.name,
                |pair| match pair {
                    Pair::New(column) => part.is(Rule::Added, &format!("has the column `{}`", column.name)),
                    Pair::Old(column) => part.is(Rule::ColumnChanged, &format!("no longer has the column `{}`", column.name)),
                    Pair::Both(old, new) if old.kind != new.kind => {
                        part.is(Rule::ColumnChanged, &format!("has a different type for the column `{}`", new.name));
                    }
                    Pair::Both(..) => {}
                },
            );
        },
    );
    // The sentences of `detail` that errors show.
    let (added, gone) = (missing(&new.details, &old.details).count(), missing(&old.details, &new.details).count());
    if added + gone > 0 {
        whole.add(Rule::MeaningChanged, format!("Errors show {added} sentences more, and {gone} no longer."));
    }
}

fn compare_open_sets(part: &Part<'_>, old: &OpenSet, new: &OpenSet) {
    part.docs(&old.docs, &new.docs);
    compare_pairs(
        (&old.values, &new.values),
        |value| &value.wire,
        |pair| match pair {
            Pair::New(value) => part.is(Rule::ValueNamed, &format!("knows `{}`", value.wire)),
            Pair::Old(value) => part.is(Rule::Removed, &format!("no longer knows `{}`", value.wire)),
            Pair::Both(old, new) => {
                let value = part.part(&new.wire);
                if old.name != new.name {
                    part.part(&old.name).is(Rule::Removed, &format!("is called `{}`", new.name));
                }
                if old.aliases != new.aliases {
                    value.is(Rule::MeaningChanged, "has other spellings");
                }
                value.docs(&old.docs, &new.docs);
            }
        },
    );
}
