//! Swift templates.

use std::sync::LazyLock;

use super::filters;
use crate::rust;
use crate::templates::{Templates, embedded};

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[rust::filters::add_to, filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "swift":
    "Call.swift.j2",
    "ErrorKind.swift.j2",
    "Fake.swift.j2",
    "Numbers.swift.j2",
    "OpenSet.swift.j2",
    "Options.swift.j2",
    "Record.swift.j2",
    "Resource.swift.j2",
    "ResourceCalls.swift.j2",
    "ResourceExamples.swift.j2",
    "ResourceProtocol.swift.j2",
    "Samples.swift.j2",
    "SeriesMap.swift.j2",
    "Tables.swift.j2",
    "VitalwireError.swift.j2",
    "conformance/Calls.swift.j2",
    "conformance/Kinds.swift.j2",
    "conformance/Map.swift.j2",
    "conformance/OpenSets.swift.j2",
    "conformance/Record.swift.j2",
    "conformance/Settings.swift.j2",
    "conformance/Table.swift.j2",
    "conformance/WaitedRecord.swift.j2",
];
