//! Compares open sets, maps and tables.

use super::changes::{ChangeList, Pair, compare_languages, compare_pairs};
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Ir, OpenSet};

pub(super) fn open_sets(old: &OpenSet, new: &OpenSet, changes: &mut ChangeList) {
    let languages = new.languages.as_slice();
    compare_languages(&format!("`{}`", new.name), &old.languages, &new.languages, changes);
    changes.docs(languages, &format!("`{}`", new.name), &old.docs, &new.docs);
    compare_pairs(
        &old.values,
        &new.values,
        |value| &value.wire,
        |pair| match pair {
            Pair::New(value) => changes.add(Rule::ValueNamed, languages, format!("`{}` knows `{}`.", new.name, value.wire)),
            Pair::Old(value) => changes.add(Rule::Removed, languages, format!("`{}` no longer knows `{}`.", new.name, value.wire)),
            Pair::Both(before, after) => {
                if before.name != after.name {
                    changes.add(Rule::Removed, languages, format!("`{}` of `{}` is called `{}`.", before.name, new.name, after.name));
                }
                if before.aliases != after.aliases {
                    changes.add(Rule::MeaningChanged, languages, format!("`{}` of `{}` has other spellings.", after.wire, new.name));
                }
                changes.docs(languages, &format!("`{}` of `{}`", after.wire, new.name), &before.docs, &after.docs);
            }
        },
    );
}

pub(super) fn maps(old: &Ir, new: &Ir, changes: &mut ChangeList) {
    compare_pairs(
        &old.number_maps,
        &new.number_maps,
        |map| &map.name,
        |pair| match pair {
            Pair::New(map) => changes.add(Rule::Added, &Language::ALL, format!("The numbers `{}` are new.", map.name)),
            Pair::Old(map) => changes.add(Rule::Removed, &Language::ALL, format!("The numbers `{}` are gone.", map.name)),
            Pair::Both(old, new) => {
                if (&old.keys, old.has_basis) != (&new.keys, new.has_basis) {
                    changes.add(Rule::Removed, &Language::ALL, format!("The numbers `{}` have other names or another basis.", new.name));
                }
                changes.docs(&Language::ALL, &format!("`{}`", new.name), &old.docs, &new.docs);
            }
        },
    );
    compare_pairs(
        &old.series_maps,
        &new.series_maps,
        |map| &map.name,
        |pair| match pair {
            Pair::New(map) => changes.add(Rule::Added, &Language::ALL, format!("The series `{}` are new.", map.name)),
            Pair::Old(map) => changes.add(Rule::Removed, &Language::ALL, format!("The series `{}` are gone.", map.name)),
            Pair::Both(old, new) => {
                if old.keys != new.keys {
                    changes.add(Rule::Removed, &Language::ALL, format!("The series `{}` have other names.", new.name));
                }
                changes.docs(&Language::ALL, &format!("`{}`", new.name), &old.docs, &new.docs);
            }
        },
    );
}

pub(super) fn tables(old: &Ir, new: &Ir, changes: &mut ChangeList) {
    compare_pairs(
        &old.tables,
        &new.tables,
        |table| &table.name,
        |pair| match pair {
            Pair::New(table) => changes.add(Rule::Added, &Language::ALL, format!("The table `{}` is new.", table.name)),
            Pair::Old(table) => changes.add(Rule::TableRemoved, &Language::ALL, format!("The table `{}` is gone.", table.name)),
            Pair::Both(old, new) => compare_pairs(
                &old.columns,
                &new.columns,
                |column| &column.name,
                |pair| {
                    let (rule, text) = match pair {
                        Pair::New(column) => (Rule::Added, format!("The table `{}` has the column `{}`.", new.name, column.name)),
                        Pair::Old(column) => {
                            (Rule::ColumnChanged, format!("The table `{}` no longer has the column `{}`.", new.name, column.name))
                        }
                        Pair::Both(old, column) if old.kind != column.kind => {
                            (Rule::ColumnChanged, format!("The column `{}` of the table `{}` has another type.", column.name, new.name))
                        }
                        Pair::Both(..) => return,
                    };
                    changes.add(rule, &Language::ALL, text);
                },
            ),
        },
    );
}

/// Compares the sentences of `detail` that errors show.
pub(super) fn details(old: &Ir, new: &Ir, changes: &mut ChangeList) {
    let count = |a: &Ir, b: &Ir| a.details.iter().filter(|text| !b.details.contains(text)).count();
    let (added, gone) = (count(new, old), count(old, new));
    if added + gone > 0 {
        changes.add(Rule::MeaningChanged, &Language::ALL, format!("Errors show {added} sentences more, and {gone} no longer."));
    }
}
