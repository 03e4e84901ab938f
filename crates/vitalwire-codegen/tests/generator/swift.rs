//! Source compatibility in Swift: an optional field and an optional parameter that a later release adds.

use std::collections::BTreeMap;

use vitalwire_codegen::ir::features::Language;
use vitalwire_codegen::ir::{Ir, Type, later_release};
use vitalwire_codegen::swift::{emit, spelling as swift};

use super::{build, root};

/// Labels in order. The flag is whether the argument is optional.
type Signature = Vec<(String, bool)>;

/// Returns the public initializers and methods of the package that take more than one line, by place and name.
fn signatures(ir: &Ir) -> BTreeMap<(String, String), Signature> {
    let mut signatures = BTreeMap::new();
    let of_swift = |path: &str| path.starts_with("bindings/swift/Sources/Vitalwire/Generated/") && !path.contains("/Protocols/");
    for file in emit(ir).unwrap().into_iter().filter(|file| of_swift(&file.path)) {
        let mut lines = file.text.lines().map(str::trim);
        let mut within = "";
        while let Some(line) = lines.next() {
            if line.starts_with("public struct ") {
                within = line;
            }
            let Some(name) = line.strip_prefix("public ").and_then(|line| line.strip_suffix('(')) else { continue };
            let parameters = lines.by_ref().take_while(|line| !line.starts_with(')'));
            let parameters = parameters.map(|line| {
                let (label, rest) = line.split_once(':').unwrap();
                (label.split(' ').next().unwrap().to_owned(), rest.contains(" = "))
            });
            let parameters = parameters.collect();
            // Number the functions of the same name in their order.
            let place = format!("{} {within}", file.path);
            let same = signatures.keys().filter(|(at, known): &&(String, String)| *at == place && known.starts_with(name)).count();
            signatures.insert((place, format!("{name} {same}")), parameters);
        }
    }
    signatures
}

#[test]
fn additions_are_optional_and_keep_the_order_of_labels() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let (before, after) = (signatures(&ir), signatures(&later_release(&ir)));
    assert!(before.len() > 40, "{}", before.len());
    let mut grown = 0;
    for (place, old) in &before {
        let new = after.get(place).unwrap_or_else(|| panic!("{place:?} is gone; there are {:#?}", after.keys()));
        let kept: Signature = new.iter().filter(|(label, _)| label != "addedLater").cloned().collect();
        assert_eq!(kept, *old, "{place:?}");
        grown += new.len() - old.len();
        assert!(new.iter().filter(|(label, _)| label == "addedLater").all(|(_, optional)| *optional), "{place:?}");
    }
    assert!(grown > 40, "{grown}");
}

/// Returns the methods that a fake must have, by protocol.
fn requirements(ir: &Ir) -> Vec<(String, Vec<String>)> {
    let protocols = emit(ir).unwrap().into_iter().filter(|file| file.path.contains("/Protocols/"));
    let of = |text: &str| {
        let declared = text.split("\nextension ").next().unwrap_or_default().lines();
        declared.filter(|line| line.starts_with("    ") && !line.contains("///")).map(str::to_owned).collect()
    };
    protocols.map(|file| (file.path.clone(), of(&file.text))).collect()
}

#[test]
fn a_later_release_keeps_the_requirements_of_fakes() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let before = requirements(&ir);
    assert!(before.iter().map(|(_, of)| of.len()).sum::<usize>() > 25, "{before:#?}");
    assert_eq!(before, requirements(&later_release(&ir)));
    assert!(before.iter().flat_map(|(_, of)| of).all(|line| line.starts_with("    func ") && !line.ends_with('(')), "{before:#?}");
}

/// Fakes also have ranges, searches and uploads.
#[test]
fn a_protocol_has_every_method_of_its_resource() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let count = |text: &str, marker: &str| text.lines().filter(|line| line.contains(marker) && line.ends_with('{')).count();
    let mut counted = 0;
    for (path, declared) in requirements(&ir) {
        let path = path.replace("/Protocols/", "/Resources/").replace("Protocol.swift", "Resource.swift");
        let file = emit(&ir).unwrap().into_iter().find(|file| file.path == path).unwrap();
        // The two ways to pass bounds are one requirement.
        let ranges = count(&file.text, ") -> RangeCall<") / 2;
        // Prepared uploads are for an application's own requests, so the protocols do not have them.
        let prepared = count(&file.text, ") async throws -> PreparedUpload");
        let others = count(&file.text, ") async throws -> ") - prepared + count(&file.text, ") -> WaitCall<");
        let nights = declared.iter().filter(|line| line.ends_with(" -> NightSearch")).count();
        assert_eq!(declared.len(), ranges + others + nights, "{path}");
        counted += declared.len();
    }
    assert!(counted > 25, "{counted}");
}

#[test]
fn the_readme_lists_every_call_of_every_resource() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let readme = std::fs::read_to_string(root().join("bindings/swift/README.md")).unwrap();
    let mut calls = 0;
    for resource in ir.for_language(Language::Swift).resources() {
        let start = format!("| `client.{}` |", swift::plain(resource.group));
        let row = readme.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row begins with {start}"));
        for call in &resource.calls {
            let name = format!("`{}`", swift::plain(&call.method));
            assert!(row.contains(&name), "{name} is missing in: {row}");
            calls += 1;
        }
    }
    assert!(calls > 15, "{calls}");
}

#[test]
fn every_initializer_can_be_called_with_any_of_its_arguments() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let (mut initializers, mut needed) = (0, Vec::new());
    for ((place, name), signature) in signatures(&ir) {
        if name.starts_with("init") {
            initializers += 1;
            needed.extend(signature.into_iter().filter(|(_, optional)| !optional).map(|(label, _)| format!("{place}: {label}")));
        }
    }
    assert!(initializers > 20, "{initializers}");
    // Code with a base URL that may be nil must not compile.
    let base_url_of = |name| {
        format!("bindings/swift/Sources/Vitalwire/Generated/Options/{name}.swift public struct {name}: Hashable, Sendable {{: baseURL")
    };
    assert_eq!(needed, ["ClientOptions", "Service"].map(base_url_of));
}

/// An instant is a `Date` or a `Timestamp`. A list that may be null has a flag. The record's own id is `id`.
#[test]
fn every_field_is_in_the_initializer_and_is_encoded_and_decoded() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let signatures = signatures(&ir);
    let files: BTreeMap<String, String> = emit(&ir).unwrap().into_iter().map(|file| (file.path, file.text)).collect();
    let (mut checked, mut own) = (0, 0);
    for model in ir.for_language(Language::Swift).models.iter().filter(|model| !model.request) {
        let path = format!("bindings/swift/Sources/Vitalwire/Generated/Records/{}.swift", model.name);
        let of = |((place, name), _): &(&(String, String), &Signature)| place.starts_with(&path) && name.starts_with("init");
        let (_, signature) = signatures.iter().find(of).unwrap_or_else(|| panic!("{} has no initializer", model.name));
        let mut labels: Vec<&str> = signature.iter().map(|(label, _)| label.as_str()).collect();
        let mut take = |label: &str| {
            let at = labels.iter().position(|known| *known == label);
            at.map(|at| labels.remove(at)).is_some()
        };
        for member in &model.members {
            let name = swift::name(&member.name);
            if member.ty == Type::Timestamp {
                let date = name.trim_end_matches("Timestamp");
                assert!(take(date) && take(&format!("{date}Timestamp")), "{}.{name}", model.name);
            } else if !take(&name) {
                assert!(name.ends_with("ID") && take("id"), "{}.{name}", model.name);
                own += 1;
            }
            if member.keeps_null() {
                assert!(take(&format!("{}IsNull", swift::plain(&member.name))), "{}.{name}", model.name);
            }
            // Each field is read once and written once under its wire name. A list that may be null is read and written twice.
            let text = files[&path].matches(&format!("(\"{}\"", member.wire)).count();
            assert_eq!(text, if member.keeps_null() { 4 } else { 2 }, "{}.{name}", model.name);
            checked += 1;
        }
        assert_eq!(labels, ["extra"], "{}", model.name);
    }
    assert!(checked > 150 && (1..10).contains(&own), "{checked} fields, {own} of them the record's own id");
}
