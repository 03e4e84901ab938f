//! Accessors of number and series maps.

use super::models::{Functions, said};
use crate::ir::{Ir, NumberMap, SeriesMap};
use crate::lang::c as names;

/// A map of numbers: by index, by name, and one function per known name.
pub(super) fn numbers(ir: &Ir, map: &NumberMap) -> String {
    let mut file = Functions::new(names::object(&map.name));
    file.add("count", &said("How many numbers there are, unknown names among them."), "", "usize", "view::count(of, |of| of.len())");
    let docs = said("One of the numbers with its name, counted from 0. Returns false beyond the end; either place may be NULL.");
    let places = ", index: usize, name: Option<&mut MaybeUninit<vitalwire_str>>, value: Option<&mut MaybeUninit<f64>>";
    file.add("at", &docs, places, "bool", "view::pair(of, name, value, |of| of.iter().nth(index))");
    let docs = said("The number under a name, known or not. Returns whether it was there; only then is the value written.");
    let get = "view::scalar(of, value, |of| of.get_text(name.read().ok()?))";
    file.add("get", &docs, ", name: vitalwire_str, value: Option<&mut MaybeUninit<f64>>", "bool", get);
    if map.has_basis {
        let docs = said("What the numbers refer to.");
        let body = "of.map_or(vitalwire_basis::VITALWIRE_BASIS_UNKNOWN, |of| of.basis().into())";
        file.add("basis", &docs, "", "vitalwire_basis", body);
    }
    extra(&mut file, "number");
    for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
        let body = format!("view::scalar(of, value, |of| of.{}())", value.name);
        file.add(&value.name, &names::doc(&value.docs, &value.wire), ", value: Option<&mut MaybeUninit<f64>>", "bool", &body);
    }
    file.text
}

/// A map of series: by index and by name.
pub(super) fn series(map: &SeriesMap) -> String {
    let mut file = Functions::new(names::object(&map.name));
    file.add("count", &said("How many series there are."), "", "usize", "view::count(of, |of| of.len())");
    let docs = said("One of the series with its name, counted from 0. Returns false beyond the end; either place may be NULL.");
    let places = ", index: usize, name: Option<&mut MaybeUninit<vitalwire_str>>, value: Option<&mut MaybeUninit<vitalwire_numbers>>";
    file.add(
        "at",
        &docs,
        places,
        "bool",
        "view::pair(of, name, value, |of| of.iter().nth(index).map(|(name, series)| (name, series.into())))",
    );
    let docs = said("The series under a name, in place; none where there is none.");
    file.add("get", &docs, ", name: vitalwire_str", "vitalwire_numbers", "view::numbers(of, |of| of.get_text(name.read().ok()?))");
    extra(&mut file, "array");
    file.text
}

fn extra(file: &mut Functions, kind: &str) {
    let docs = said(&format!("Members whose value was no {kind}, as a JSON object that the caller frees; NULL where there are none."));
    file.add("extra", &docs, "", "Option<Box<vitalwire_json>>", "view::extra(of, |of| of.extra())");
}
