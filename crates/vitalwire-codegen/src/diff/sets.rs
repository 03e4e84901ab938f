//! Compares open sets, maps and tables.

use super::found::{Found, Pair, faces, paired};
use super::rules::Rule;
use crate::ir::faces::Face;
use crate::ir::{Ir, OpenSet};

pub(super) fn open_sets(old: &OpenSet, new: &OpenSet, found: &mut Found) {
    let languages = new.faces.as_slice();
    faces(&format!("`{}`", new.name), &old.faces, &new.faces, found);
    found.docs(languages, &format!("`{}`", new.name), &old.docs, &new.docs);
    paired(
        &old.values,
        &new.values,
        |value| &value.wire,
        |pair| match pair {
            Pair::New(value) => found.say(Rule::Named, languages, format!("`{}` knows `{}`.", new.name, value.wire)),
            Pair::Old(value) => found.say(Rule::Gone, languages, format!("`{}` no longer knows `{}`.", new.name, value.wire)),
            Pair::Both(before, after) => {
                if before.name != after.name {
                    found.say(Rule::Gone, languages, format!("`{}` of `{}` is called `{}`.", before.name, new.name, after.name));
                }
                if before.aliases != after.aliases {
                    found.say(Rule::Meant, languages, format!("`{}` of `{}` has other spellings.", after.wire, new.name));
                }
                found.docs(languages, &format!("`{}` of `{}`", after.wire, new.name), &before.docs, &after.docs);
            }
        },
    );
}

pub(super) fn maps(old: &Ir, new: &Ir, found: &mut Found) {
    paired(
        &old.number_maps,
        &new.number_maps,
        |map| &map.name,
        |pair| match pair {
            Pair::New(map) => found.say(Rule::Added, &Face::ALL, format!("The numbers `{}` are new.", map.name)),
            Pair::Old(map) => found.say(Rule::Gone, &Face::ALL, format!("The numbers `{}` are gone.", map.name)),
            Pair::Both(old, new) => {
                if (&old.keys, old.has_basis) != (&new.keys, new.has_basis) {
                    found.say(Rule::Gone, &Face::ALL, format!("The numbers `{}` have other names or another basis.", new.name));
                }
                found.docs(&Face::ALL, &format!("`{}`", new.name), &old.docs, &new.docs);
            }
        },
    );
    paired(
        &old.series_maps,
        &new.series_maps,
        |map| &map.name,
        |pair| match pair {
            Pair::New(map) => found.say(Rule::Added, &Face::ALL, format!("The series `{}` are new.", map.name)),
            Pair::Old(map) => found.say(Rule::Gone, &Face::ALL, format!("The series `{}` are gone.", map.name)),
            Pair::Both(old, new) => {
                if old.keys != new.keys {
                    found.say(Rule::Gone, &Face::ALL, format!("The series `{}` have other names.", new.name));
                }
                found.docs(&Face::ALL, &format!("`{}`", new.name), &old.docs, &new.docs);
            }
        },
    );
}

pub(super) fn tables(old: &Ir, new: &Ir, found: &mut Found) {
    paired(
        &old.tables,
        &new.tables,
        |table| &table.name,
        |pair| match pair {
            Pair::New(table) => found.say(Rule::Added, &Face::ALL, format!("The table `{}` is new.", table.name)),
            Pair::Old(table) => found.say(Rule::Untabled, &Face::ALL, format!("The table `{}` is gone.", table.name)),
            Pair::Both(old, new) => paired(
                &old.columns,
                &new.columns,
                |column| &column.name,
                |pair| {
                    let (rule, text) = match pair {
                        Pair::New(column) => (Rule::Added, format!("The table `{}` has the column `{}`.", new.name, column.name)),
                        Pair::Old(column) => {
                            (Rule::Column, format!("The table `{}` no longer has the column `{}`.", new.name, column.name))
                        }
                        Pair::Both(old, column) if old.kind != column.kind => {
                            (Rule::Column, format!("The column `{}` of the table `{}` has another type.", column.name, new.name))
                        }
                        Pair::Both(..) => return,
                    };
                    found.say(rule, &Face::ALL, text);
                },
            ),
        },
    );
}

/// Compares the sentences of `detail` that errors show.
pub(super) fn details(old: &Ir, new: &Ir, found: &mut Found) {
    let count = |a: &Ir, b: &Ir| a.details.iter().filter(|text| !b.details.contains(text)).count();
    let (added, gone) = (count(new, old), count(old, new));
    if added + gone > 0 {
        found.say(Rule::Meant, &Face::ALL, format!("Errors show {added} sentences more, and {gone} no longer."));
    }
}
