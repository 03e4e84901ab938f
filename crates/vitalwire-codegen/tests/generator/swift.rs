//! A caller of the last release compiles against the next: what a new optional member and a new optional parameter do to the signatures in Swift.

use std::collections::BTreeMap;

use vitalwire_codegen::ir::faces::Face;
use vitalwire_codegen::ir::{Ir, Type, later};
use vitalwire_codegen::swift::{emit, spelling as swift};

use super::{build, root};

/// (label, whether it may be left out), in order.
type Signature = Vec<(String, bool)>;

/// The public initializers and methods of the package that take more than one line, by place and name.
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
            // Calls of one name are told apart by their order.
            let place = format!("{} {within}", file.path);
            let same = signatures.keys().filter(|(at, known): &&(String, String)| *at == place && known.starts_with(name)).count();
            signatures.insert((place, format!("{name} {same}")), parameters);
        }
    }
    signatures
}

#[test]
fn what_is_added_can_be_left_out_and_moves_no_label() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let (before, after) = (signatures(&ir), signatures(&later(&ir)));
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

/// What a fake must have, by protocol: a line for each method.
fn requirements(ir: &Ir) -> Vec<(String, Vec<String>)> {
    let protocols = emit(ir).unwrap().into_iter().filter(|file| file.path.contains("/Protocols/"));
    let of = |text: &str| {
        let declared = text.split("\nextension ").next().unwrap_or_default().lines();
        declared.filter(|line| line.starts_with("    ") && !line.contains("///")).map(str::to_owned).collect()
    };
    protocols.map(|file| (file.path.clone(), of(&file.text))).collect()
}

#[test]
fn a_fake_of_the_last_release_has_the_calls_of_the_next() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let before = requirements(&ir);
    assert!(before.iter().map(|(_, of)| of.len()).sum::<usize>() > 25, "{before:#?}");
    assert_eq!(before, requirements(&later(&ir)));
    assert!(before.iter().flat_map(|(_, of)| of).all(|line| line.starts_with("    func ") && !line.ends_with('(')), "{before:#?}");
}

/// A range, a search and a file are calls of a fake, too.
#[test]
fn a_protocol_has_every_method_of_its_resource() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let gives = |text: &str, marker: &str| text.lines().filter(|line| line.contains(marker) && line.ends_with('{')).count();
    let mut counted = 0;
    for (path, declared) in requirements(&ir) {
        let path = path.replace("/Protocols/", "/Resources/").replace("Protocol.swift", "Resource.swift");
        let file = emit(&ir).unwrap().into_iter().find(|file| file.path == path).unwrap();
        // Both ways of giving bounds are one requirement.
        let ranges = gives(&file.text, ") -> RangeCall<") / 2;
        let others = gives(&file.text, ") async throws -> ") + gives(&file.text, ") -> WaitCall<");
        let nights = declared.iter().filter(|line| line.ends_with(" -> NightSearch")).count();
        assert_eq!(declared.len(), ranges + others + nights, "{path}");
        counted += declared.len();
    }
    assert!(counted > 25, "{counted}");
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
    assert_eq!(needed, Vec::<String>::new());
}

/// An instant is given as a `Date` or exactly, a list that may be null has a switch for that, and the id of the record itself is `id`.
#[test]
fn every_member_is_in_its_initializer_and_crosses_both_ways() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let signatures = signatures(&ir);
    let files: BTreeMap<String, String> = emit(&ir).unwrap().into_iter().map(|file| (file.path, file.text)).collect();
    let (mut checked, mut own) = (0, 0);
    for model in ir.of(Face::Swift).models.iter().filter(|model| !model.request) {
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
            // Read and written under its name on the wire: once each, and twice each where a list may be null.
            let text = files[&path].matches(&format!("(\"{}\"", member.wire)).count();
            assert_eq!(text, if member.keeps_null() { 4 } else { 2 }, "{}.{name}", model.name);
            checked += 1;
        }
        assert_eq!(labels, ["extra"], "{}", model.name);
    }
    assert!(checked > 150 && (1..10).contains(&own), "{checked} members, {own} of them the record's own id");
}
