//! Templates: the one way in which text is generated. The shape of a template is the shape of the file that it makes.
//!
//! Values are strict: a template that names what is not there, or writes what is null, fails the generator before anything is written.

use std::sync::LazyLock;

use anyhow::Context as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, escape_formatter};
use serde::Serialize;

use crate::lang;

/// Pairs of a path below `emit/` and the text of the file there.
macro_rules! embedded {
    ($($path:literal,)*) => { &[$(($path, include_str!($path))),*] };
}

/// Every template.
const TEMPLATES: &[(&str, &str)] = embedded![
    "c/calls.rs.j2",
    "c/code.rs.j2",
    "c/error.rs.j2",
    "c/every_answer.c.j2",
    "c/every_call.c.j2",
    "c/functions.rs.j2",
    "c/list.rs.j2",
    "c/mod.rs.j2",
    "c/model.rs.j2",
    "c/numbers.rs.j2",
    "c/params.rs.j2",
    "c/range_answers.rs.j2",
    "c/ranges.rs.j2",
    "c/series.rs.j2",
    "c/tables.rs.j2",
    "c/settings.rs.j2",
    "c/types.rs.j2",
    "c/names.h.j2",
    "c/waits.rs.j2",
    "conformance/c/calls.c.j2",
    "conformance/c/calls.h.j2",
    "conformance/c/list.c.j2",
    "conformance/c/model.c.j2",
    "conformance/c/names.c.j2",
    "conformance/c/names.h.j2",
    "conformance/c/numbers.c.j2",
    "conformance/c/operations.c.j2",
    "conformance/c/outcomes.h.j2",
    "conformance/c/series.c.j2",
    "conformance/c/settings.c.j2",
    "conformance/c/sources.cmake.j2",
    "conformance/c/waited.c.j2",
    "conformance/cpp/calls.cpp.j2",
    "conformance/cpp/calls.hpp.j2",
    "conformance/cpp/list.cpp.j2",
    "conformance/cpp/model.cpp.j2",
    "conformance/cpp/numbers.cpp.j2",
    "conformance/cpp/operations.cpp.j2",
    "conformance/cpp/outcomes.hpp.j2",
    "conformance/cpp/series.cpp.j2",
    "conformance/cpp/settings.cpp.j2",
    "conformance/cpp/sources.cmake.j2",
    "conformance/cpp/waited.cpp.j2",
    "conformance/kotlin/AwaitableRecord.kt.j2",
    "conformance/kotlin/Calls.kt.j2",
    "conformance/kotlin/Names.kt.j2",
    "conformance/kotlin/Numbers.kt.j2",
    "conformance/kotlin/Record.kt.j2",
    "conformance/kotlin/Series.kt.j2",
    "conformance/kotlin/Settings.kt.j2",
    "conformance/kotlin/Table.kt.j2",
    "conformance/python/calls.py.j2",
    "conformance/python/names.py.j2",
    "conformance/python/outcome.py.j2",
    "conformance/python/package.py.j2",
    "conformance/python/settings.py.j2",
    "conformance/python/table.py.j2",
    "conformance/python/waited.py.j2",
    "conformance/rust/calls.rs.j2",
    "conformance/rust/dispatch.rs.j2",
    "conformance/rust/maps.rs.j2",
    "conformance/rust/mod.rs.j2",
    "conformance/rust/model.rs.j2",
    "conformance/rust/open_sets.rs.j2",
    "conformance/rust/outcomes.rs.j2",
    "conformance/rust/settings.rs.j2",
    "conformance/swift/Calls.swift.j2",
    "conformance/swift/Kinds.swift.j2",
    "conformance/swift/Map.swift.j2",
    "conformance/swift/OpenSets.swift.j2",
    "conformance/swift/Record.swift.j2",
    "conformance/swift/Settings.swift.j2",
    "conformance/swift/Table.swift.j2",
    "conformance/swift/WaitedRecord.swift.j2",
    "core/client.rs.j2",
    "core/client/builder.rs.j2",
    "core/client/call.rs.j2",
    "core/client/client.rs.j2",
    "core/folder.rs.j2",
    "core/http/mod.rs.j2",
    "core/http/resource.rs.j2",
    "core/http/service.rs.j2",
    "core/lookup.rs.j2",
    "core/maps.rs.j2",
    "core/meta.rs.j2",
    "core/mod.rs.j2",
    "core/model.rs.j2",
    "core/names.rs.j2",
    "core/open_set.rs.j2",
    "core/operations.rs.j2",
    "core/problems.rs.j2",
    "core/resource.rs.j2",
    "core/shared.rs.j2",
    "core/tables.rs.j2",
    "core/waits.rs.j2",
    "cpp/client.hpp.j2",
    "cpp/errors.hpp.j2",
    "cpp/list.hpp.j2",
    "cpp/numbers.hpp.j2",
    "cpp/options.hpp.j2",
    "cpp/parts.hpp.j2",
    "cpp/record.hpp.j2",
    "cpp/resource.hpp.j2",
    "cpp/series.hpp.j2",
    "cpp/vitalwire.hpp.j2",
    "package/Cargo.toml.j2",
    "package/lib.rs.j2",
    "python/arguments.rs.j2",
    "python/constant_set.py.j2",
    "python/constants.py.j2",
    "python/declared/mock.yaml.j2",
    "python/declared/calls.yaml.j2",
    "python/declared/client.yaml.j2",
    "python/declared/map.yaml.j2",
    "python/declared/module.yaml.j2",
    "python/declared/range.yaml.j2",
    "python/declared/ranges.yaml.j2",
    "python/declared/reading.yaml.j2",
    "python/declared/record.yaml.j2",
    "python/declared/tabled.yaml.j2",
    "python/declared/tables.yaml.j2",
    "python/declared/webhook.yaml.j2",
    "python/docs.rs.j2",
    "python/facts.rs.j2",
    "python/folder.rs.j2",
    "python/kinds.rs.j2",
    "python/module.rs.j2",
    "python/native.pyi.j2",
    "python/options.rs.j2",
    "python/package.py.j2",
    "python/plot_units.py.j2",
    "python/record.rs.j2",
    "python/reference/index.md.j2",
    "python/reference/names.md.j2",
    "python/reference/page.md.j2",
    "python/resource.rs.j2",
    "python/restore.rs.j2",
    "python/units.rs.j2",
    "python/webhook.py.j2",
    "sandbox/names.rs.j2",
    "sandbox/operations.rs.j2",
    "uniffi/kotlin/AsyncResource.kt.j2",
    "uniffi/kotlin/AsyncVitalwireClient.kt.j2",
    "uniffi/kotlin/BaseCallOptions.kt.j2",
    "uniffi/kotlin/CallOptions.kt.j2",
    "uniffi/kotlin/ClientSettings.kt.j2",
    "uniffi/kotlin/ErrorKind.kt.j2",
    "uniffi/kotlin/GeneratedClasses.java.j2",
    "uniffi/kotlin/Numbers.kt.j2",
    "uniffi/kotlin/OpenSet.kt.j2",
    "uniffi/kotlin/Record.kt.j2",
    "uniffi/kotlin/Resource.kt.j2",
    "uniffi/kotlin/SeriesMap.kt.j2",
    "uniffi/kotlin/Serializers.kt.j2",
    "uniffi/kotlin/Tables.kt.j2",
    "uniffi/kotlin/TestingCall.kt.j2",
    "uniffi/kotlin/TestingSamples.kt.j2",
    "uniffi/kotlin/VitalwireApi.kt.j2",
    "uniffi/kotlin/VitalwireException.kt.j2",
    "uniffi/rust/calls.rs.j2",
    "uniffi/rust/error_info.rs.j2",
    "uniffi/rust/error_kind.rs.j2",
    "uniffi/rust/maps.rs.j2",
    "uniffi/rust/mod.rs.j2",
    "uniffi/rust/open_sets.rs.j2",
    "uniffi/rust/options.rs.j2",
    "uniffi/rust/params.rs.j2",
    "uniffi/rust/range_answer.rs.j2",
    "uniffi/rust/record.rs.j2",
    "uniffi/rust/redacted.rs.j2",
    "uniffi/rust/waits.rs.j2",
    "uniffi/swift/Call.swift.j2",
    "uniffi/swift/ErrorKind.swift.j2",
    "uniffi/swift/Fake.swift.j2",
    "uniffi/swift/Numbers.swift.j2",
    "uniffi/swift/OpenSet.swift.j2",
    "uniffi/swift/Options.swift.j2",
    "uniffi/swift/Record.swift.j2",
    "uniffi/swift/Resource.swift.j2",
    "uniffi/swift/ResourceCalls.swift.j2",
    "uniffi/swift/ResourceProtocol.swift.j2",
    "uniffi/swift/Samples.swift.j2",
    "uniffi/swift/SeriesMap.swift.j2",
    "uniffi/swift/Tables.swift.j2",
    "uniffi/swift/VitalwireError.swift.j2",
    "uniffi/uniffi.toml.j2",
];

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(environment);

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_loader(|name| Ok(TEMPLATES.iter().find(|(path, _)| *path == name).map(|(_, text)| (*text).to_owned())));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.set_formatter(|out, state, value| match value.is_none() {
        true => Err(Error::new(ErrorKind::UndefinedError, "null is written")),
        false => escape_formatter(out, state, value),
    });
    environment.set_syntax(syntax().unwrap_or_default());
    lang::add_to(&mut environment);
    super::add_to(&mut environment);
    environment
}

/// A line with a statement alone leaves no line.
fn syntax() -> Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()
}

/// A template's text with these values; its name is its path below `emit/`.
///
/// # Errors
/// Where it is no template, or misses a value.
pub fn render(name: &str, values: impl Serialize) -> anyhow::Result<String> {
    let template = ENVIRONMENT.get_template(name).with_context(|| format!("the template {name}"))?;
    template.render(Serde(values)).map_err(|error| anyhow::anyhow!("the template {name}: {error}"))
}

/// The names of all templates.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|(path, _)| *path)
}
