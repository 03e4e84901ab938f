//! The Swift façade: resources with named parameters, open sets as structs, accessors of known names, redaction against reflection.

use crate::emit::File;
use crate::emit::core::waits;
use crate::emit::text::doc_lines;
use crate::ir::{Answer, Docs, Ir, Operation, Param, Type};
use crate::naming::{Language, camel, member as member_name, pascal};

use super::answer_name;

const FFI: &str = "bindings/swift/Sources/VitalwireFFI/Generated";
const FACADE: &str = "bindings/swift/Sources/Vitalwire/Generated";

/// Further records of `vitalwire-uniffi` that hold tokens, URLs, ids, problem details or records: no table names them.
const FURTHER: [&str; 8] =
    ["AccessToken", "CallOptions", "ClientOptions", "ConsentReturn", "ErrorInfo", "ResponseMeta", "UrlParameter", "WaitedRecord"];

pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut files = vec![
        File::new(format!("{FFI}/OpenSets.swift"), open_sets(ir)),
        File::new(format!("{FFI}/Redaction.swift"), redaction(ir)),
        File::new(format!("{FACADE}/Maps.swift"), maps(ir)),
        File::new(format!("{FACADE}/Resources.swift"), accessors(ir)),
    ];
    for group in ir.groups() {
        files.push(File::new(format!("{FACADE}/{}.swift", pascal(group)), resource(ir, group)));
    }
    files
}

fn doc(docs: &Docs, name: &str, indent: &str) -> String {
    doc_lines(docs, name).iter().map(|line| format!("{indent}/// {line}").trim_end().to_owned() + "\n").collect()
}

fn open_sets(ir: &Ir) -> String {
    let mut text = String::new();
    for set in &ir.open_sets {
        let name = &set.name;
        text.push_str(&doc(&set.docs, name, ""));
        text.push_str(&format!("public struct {name}: OpenSet {{\n    /// The text on the wire.\n    public let rawValue: String\n\n    /// From any text, also one that this version does not know.\n    public init(rawValue: String) {{ self.rawValue = rawValue }}\n\n"));
        for value in &set.values {
            text.push_str(&doc(&value.docs, &value.wire, "    "));
            if value.docs.deprecated {
                text.push_str("    @available(*, deprecated, message: \"deprecated by the service\")\n");
            }
            text.push_str(&format!(
                "    public static let {} = {name}(rawValue: \"{}\")\n",
                member_name(&value.name, Language::Swift),
                value.wire
            ));
        }
        text.push_str("}\n\n");
    }
    text
}

/// Swift's `dump` and `Mirror` reflect stored properties; a record shows none.
fn redaction(ir: &Ir) -> String {
    let records = ir.models.iter().filter(|model| !model.request).map(|model| model.name.clone());
    let maps = ir.number_maps.iter().map(|map| map.name.clone()).chain(ir.series_maps.iter().map(|map| map.name.clone()));
    let params = ir.operations.iter().filter(|operation| !operation.params.is_empty()).map(Operation::type_name);
    let answers = ir.operations.iter().map(answer_name);
    let handwritten = FURTHER.iter().map(|name| (*name).to_owned());
    let mut text = String::new();
    for name in records.chain(maps).chain(params).chain(answers).chain(handwritten) {
        text.push_str(&format!(
            "extension {name}: CustomReflectable {{\n    /// Shows no values.\n    public var customMirror: Mirror {{ Mirror(self, children: [:]) }}\n}}\n\n"
        ));
    }
    text
}

fn maps(ir: &Ir) -> String {
    let mut text = String::from("import VitalwireFFI\n\n");
    for map in &ir.number_maps {
        text.push_str(&format!(
            "extension {} {{\n    /// The number under a name.\n    public subscript(name: {}) -> Double? {{ values[name.rawValue] }}\n\n",
            map.name, map.keys
        ));
        for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
            text.push_str(&doc(&value.docs, &value.wire, "    "));
            if value.docs.deprecated {
                text.push_str("    @available(*, deprecated, message: \"deprecated by the service\")\n");
            }
            text.push_str(&format!(
                "    public var {}: Double? {{ values[\"{}\"] }}\n",
                member_name(&value.name, Language::Swift),
                value.wire
            ));
        }
        text.push_str("}\n\n");
    }
    for map in &ir.series_maps {
        text.push_str(&format!("extension {} {{\n    /// The series under a name.\n    public subscript(name: {}) -> Series? {{ series[name.rawValue] }}\n}}\n\n", map.name, map.keys));
    }
    text
}

fn accessors(ir: &Ir) -> String {
    let mut text = String::from("extension VitalwireClient {\n");
    for group in ir.groups() {
        text.push_str(&format!(
            "    /// Calls of `{group}`.\n    public var {}: {} {{ {}(client: self) }}\n\n",
            camel(group),
            pascal(group),
            pascal(group)
        ));
    }
    text.push_str("}\n");
    text
}

pub(in crate::emit) fn swift_type(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "Bool".into(),
        Type::Integer => "Int64".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "Data".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) => format!("[{}]", swift_type(item)),
    }
}

/// What a call gives.
fn value_type(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "Void".into(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("[{name}]"),
    }
}

fn resource(ir: &Ir, group: &str) -> String {
    let name = pascal(group);
    let mut text = format!(
        "import Foundation\nimport VitalwireFFI\n\n/// Calls of `{group}`.\npublic struct {name}: Sendable {{\n    let client: VitalwireClient\n\n"
    );
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        method(&mut text, ir, operation);
    }
    text.push_str("}\n");
    text
}

/// A call, and the one that waits where there is one.
fn method(text: &mut String, ir: &Ir, operation: &Operation) {
    text.push_str(&doc(&operation.docs, &operation.id, "    "));
    text.push_str(&function(operation, &operation.method, &operation.answer, ""));
    if let Some(record) = waits::record_of(ir, operation) {
        text.push_str(&format!(
            "    /// `{}`, and waits until its analysis has ended: the record as it is read at the end.\n",
            camel(&operation.method)
        ));
        text.push_str(&function(operation, &waits::method(ir, operation), &record.answer, "wait"));
    }
}

/// A function that makes a call; `wait` is the name of its waiting's options, empty where it does not wait.
fn function(operation: &Operation, method: &str, answer: &Answer, wait: &str) -> String {
    let parameter = |param: &Param| {
        let name = member_name(&param.member.name, Language::Swift);
        let ty = swift_type(&param.member.ty);
        if param.member.required { format!("{name}: {ty}, ") } else { format!("{name}: {ty}? = nil, ") }
    };
    let mut signature: String = operation.params.iter().map(parameter).collect();
    let arguments: Vec<String> = operation
        .params
        .iter()
        .map(|param| member_name(&param.member.name, Language::Swift))
        .map(|name| format!("{}: {name}", name.trim_matches('`')))
        .collect();
    let mut given =
        if arguments.is_empty() { String::new() } else { format!("params: {}({}), ", operation.type_name(), arguments.join(", ")) };
    if !wait.is_empty() {
        signature.push_str(&format!("{wait}: WaitOptions = .init(), "));
        given.push_str(&format!("waitOptions: {wait}, "));
    }
    let value = value_type(answer);
    let result = if value == "Void" { "()" } else { "answer.value" };
    format!(
        "    public func {}({signature}options: CallOptions = .init()) async throws -> Response<{value}> {{\n        try await client.call {{ native, cancel in\n            let answer = try await native.{}({given}options: options, cancel: cancel)\n            return Response(value: {result}, meta: answer.meta)\n        }}\n    }}\n\n",
        member_name(method, Language::Swift),
        camel(&format!("{}_{method}", operation.group)),
    )
}
