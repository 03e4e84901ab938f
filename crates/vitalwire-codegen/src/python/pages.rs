//! Topics of the API: the pages of the reference, and the files of the stub.

use std::collections::BTreeMap;

use serde::Serialize;

use super::api::{Api, error_class};
use super::declarations::Item;
use super::nights;
use super::style::STYLES;
use crate::ir::Ir;

/// A topic. Its file is a page of the reference and, for native items, a file of the stub.
#[derive(Serialize)]
pub(super) struct Page {
    /// File name without extension.
    pub(super) file: String,
    pub(super) heading: String,
    pub(super) about: String,
}

impl Page {
    fn new(file: &str, heading: &str, about: &str) -> Self {
        Self { file: file.into(), heading: heading.into(), about: about.into() }
    }
}

/// Page of the items without another page.
const DEFAULT: &str = "client";
/// Pages of items that all resources share, with the prefixes of their names in the order of the page.
const SHARED: [(&str, &str, &str, &[&str]); 5] = [
    (
        "tables",
        "Tables, lists and maps",
        "Tables of responses, lists of records, and maps of numbers and series.",
        &["Table", "Records", "NumberMap", "SeriesMap", "JsonText", "SkippedItem"],
    ),
    (
        "ranges",
        "Ranges and nights",
        "Calls over long ranges in parts, and searches for nights.",
        &["RangeCall", "NightSearch", "NightResult", "MergedRange", "Range", "Merged", "Resume"],
    ),
    (
        "syncs",
        "Syncs",
        "Changes of a user's records since the last sync.",
        &["SyncCall", "SyncPart", "Change", "SyncProgress", "SyncEvent", "SyncPlan", "PlannedDays", "StateError"],
    ),
    ("mock_responses", "Mock responses", "Responses from memory, for tests.", &["Mock"]),
    ("errors", "Errors", "Exception classes, one for each error kind.", &["VitalwireError", "Problem"]),
];
const WEBHOOKS: &str = "webhooks";

/// Returns the pages of native items.
pub(super) fn native_pages(ir: &Ir) -> Vec<Page> {
    let mut pages = vec![Page::new(DEFAULT, "Clients", "Clients, tokens, cancellation, and metadata of responses.")];
    for group in ir.groups() {
        let own = ir.operations.iter().filter(|operation| operation.group == group).map(|operation| operation.method.as_str());
        let calls: Vec<String> = own.chain((group == nights::GROUP).then_some(nights::NAME)).map(|method| format!("`{method}`")).collect();
        pages.push(Page::new(group, &format!("`client.{group}`"), &format!("{} and their records.", calls.join(", "))));
    }
    pages.extend(SHARED.map(|(file, heading, about, _)| Page::new(file, heading, about)));
    pages.push(Page::new(WEBHOOKS, "`vitalwire.webhook`", "Checks and parses webhooks on a server."));
    pages
}

/// Returns the pages of names and of hand-written modules.
pub(super) fn other_pages() -> [Page; 10] {
    [
        Page::new("names", "Names and units", "Known names of sets that the service may extend, with units."),
        Page::new("studies", "Studies", "Tables of several people, coverage, and tokens for clients in several processes."),
        Page::new("cohort", "`vitalwire.cohort`", "The data of many users: plans, readers, and exports to Parquet files."),
        Page::new("polars", "`vitalwire.polars`", "Cohorts as LazyFrames, whose filters reduce the requests."),
        Page::new("dlt", "`vitalwire.dlt`", "Cohorts as a dlt source, which loads new and changed rows."),
        Page::new("spark", "`vitalwire.spark`", "Cohorts as a data source of Spark, for batch and streaming queries."),
        Page::new("dask", "`vitalwire.dask`", "Cohorts as Dask data frames."),
        Page::new("ray", "`vitalwire.ray`", "Cohorts as Ray datasets."),
        Page::new("plot", "`vitalwire.plot`", "Plots of nights and days with matplotlib."),
        Page::new("sandbox", "`vitalwire.Sandbox`", "A local service with synthetic people."),
    ]
}

/// Returns the page of each item of the native module.
pub(super) fn places(ir: &Ir, api: &Api) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    for group in ir.groups() {
        for class in STYLES.iter().map(|style| style.class(group)) {
            places.insert(class, group.to_owned());
        }
    }
    for operation in &ir.operations {
        if let Some(name) = operation.response.record() {
            place(ir, name, &operation.group, &mut places);
        }
    }
    for kind in &ir.error_kinds {
        places.insert(error_class(kind), "errors".to_owned());
    }
    let webhooks = api.webhook.iter().map(|item| item.name.as_str());
    for name in webhooks.chain(ir.models.iter().map(|model| model.name.as_str())) {
        places.entry(name.to_owned()).or_insert_with(|| shared_page(name).unwrap_or(WEBHOOKS).to_owned());
    }
    for Item { name, .. } in api.items() {
        places.entry(name.clone()).or_insert_with(|| shared_page(name).unwrap_or(DEFAULT).to_owned());
    }
    places
}

/// Returns the shared page of an item.
fn shared_page(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("Async").unwrap_or(name);
    SHARED.iter().find(|(.., prefixes)| prefixes.iter().any(|prefix| name.starts_with(prefix))).map(|(file, ..)| *file)
}

/// Returns the sort key of an item within its page. Functions and classes of webhooks come before the records that they parse.
pub(super) fn rank(api: &Api, name: &str) -> usize {
    let plain = name.strip_prefix("Async").unwrap_or(name);
    let prefixes = SHARED.iter().find(|(file, ..)| Some(*file) == shared_page(name)).map_or(&[][..], |(.., prefixes)| prefixes);
    let is_record = !api.webhook.iter().any(|item| item.name == name);
    prefixes.iter().position(|prefix| plain.starts_with(prefix)).unwrap_or(usize::from(is_record))
}

/// Assigns a record and its nested records to a page, unless they have one.
fn place(ir: &Ir, name: &str, page: &str, places: &mut BTreeMap<String, String>) {
    if places.contains_key(name) {
        return;
    }
    places.insert(name.to_owned(), page.to_owned());
    for member in ir.model(name).into_iter().flat_map(|model| &model.members) {
        if let Some(inner) = member.ty.model() {
            place(ir, inner, page, places);
        }
    }
}
