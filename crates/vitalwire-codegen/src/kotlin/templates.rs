//! The Kotlin templates.

use std::sync::LazyLock;

use super::filters;
use crate::templates::{Templates, embedded};

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "kotlin":
    "AsyncResource.kt.j2",
    "AsyncVitalwireClient.kt.j2",
    "BaseCallOptions.kt.j2",
    "CallOptions.kt.j2",
    "ClientSettings.kt.j2",
    "ErrorKind.kt.j2",
    "GeneratedClasses.java.j2",
    "Numbers.kt.j2",
    "OpenSet.kt.j2",
    "Record.kt.j2",
    "Resource.kt.j2",
    "ResourceExamples.kt.j2",
    "Serializers.kt.j2",
    "SeriesMap.kt.j2",
    "Tables.kt.j2",
    "TestingCall.kt.j2",
    "TestingSamples.kt.j2",
    "VitalwireApi.kt.j2",
    "VitalwireException.kt.j2",
    "conformance/AwaitableRecord.kt.j2",
    "conformance/Calls.kt.j2",
    "conformance/Names.kt.j2",
    "conformance/Numbers.kt.j2",
    "conformance/Record.kt.j2",
    "conformance/Series.kt.j2",
    "conformance/Settings.kt.j2",
    "conformance/Table.kt.j2",
];
