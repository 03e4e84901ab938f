//! Compares open sets, maps and tables.

use super::changes::{Pair, Part, compare_pairs};
use super::limits::missing;
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Ir, OpenSet};

pub(super) fn compare(old: &Ir, new: &Ir, interface: &Part<'_>) {
    interface.parts(
        Rule::Removed,
        (&old.open_sets, &new.open_sets),
        |set| (&set.name, format!("`{}`", set.name), &set.languages),
        compare_open_sets,
    );
    interface.parts(
        Rule::Removed,
        (&old.number_maps, &new.number_maps),
        |map| (&map.name, format!("`{}`", map.name), &Language::ALL),
        |part, old, new| {
            if (&old.keys, old.has_basis) != (&new.keys, new.has_basis) {
                part.report(Rule::Removed, "has other names or another basis");
            }
            part.docs(&old.docs, &new.docs);
        },
    );
    interface.parts(
        Rule::Removed,
        (&old.series_maps, &new.series_maps),
        |map| (&map.name, format!("`{}`", map.name), &Language::ALL),
        |part, old, new| {
            if old.keys != new.keys {
                part.report(Rule::Removed, "has other names");
            }
            part.docs(&old.docs, &new.docs);
        },
    );
    interface.parts(
        Rule::TableRemoved,
        (&old.tables, &new.tables),
        |table| (&table.name, format!("The table `{}`", table.name), &Language::ALL),
        |part, old, new| {
            compare_pairs(
                (&old.columns, &new.columns),
                |column| &column.name,
                |pair| match pair {
                    Pair::New(column) => part.report(Rule::Added, &format!("has the column `{}`", column.name)),
                    Pair::Old(column) => part.report(Rule::ColumnChanged, &format!("no longer has the column `{}`", column.name)),
                    Pair::Both(old, new) if old.kind != new.kind => {
                        part.report(Rule::ColumnChanged, &format!("has a different type for the column `{}`", new.name));
                    }
                    Pair::Both(..) => {}
                },
            );
        },
    );
    // The sentences of `detail` that errors show.
    let (added, removed) = (missing(&new.details, &old.details).count(), missing(&old.details, &new.details).count());
    if added + removed > 0 {
        interface.add(Rule::MeaningChanged, format!("Error messages show {added} more sentences, and no longer show {removed}."));
    }
}

fn compare_open_sets(part: &Part<'_>, old: &OpenSet, new: &OpenSet) {
    part.docs(&old.docs, &new.docs);
    compare_pairs(
        (&old.values, &new.values),
        |value| &value.wire,
        |pair| match pair {
            Pair::New(value) => part.report(Rule::ValueNamed, &format!("has the value `{}`", value.wire)),
            Pair::Old(value) => part.report(Rule::Removed, &format!("no longer has the value `{}`", value.wire)),
            Pair::Both(old, new) => {
                let value = part.part(&new.wire);
                if old.name != new.name {
                    part.part(&old.name).report(Rule::Removed, &format!("is renamed to `{}`", new.name));
                }
                if old.aliases != new.aliases {
                    value.report(Rule::MeaningChanged, "has other spellings");
                }
                value.docs(&old.docs, &new.docs);
            }
        },
    );
}
