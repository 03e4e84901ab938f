//! One struct per object: fields, reading, writing, redacting `Debug`.

use crate::ir::{Ir, Member, Model, Type};
use crate::lang::rust;
use crate::lang::rust::{doc, literal};

use super::lookup;
use super::types::{IMPORTS, is_numeric};

pub(super) fn emit(ir: &Ir, model: &Model) -> String {
    let name = &model.name;
    let mut text = format!("//! `{name}`.\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n");
    text.push_str("use std::fmt;\n\nuse vitalwire_runtime::serde::de::MapAccess;\nuse vitalwire_runtime::serde::ser::SerializeMap;\nuse vitalwire_runtime::serde::{Serialize, Serializer};\n\n");
    text.push_str(IMPORTS);
    text.push_str("use vitalwire_runtime::model::Model;\nuse vitalwire_runtime::operation::Interface;\nuse vitalwire_runtime::value::decode::{self, Decode, Kind, Members, deserialize_by_decode};\n");
    if model.has_basis {
        text.push_str("use vitalwire_runtime::value::{Basis, SetBasis};\n");
    }
    text.push('\n');
    definition(&mut text, model);
    reading(&mut text, model);
    writing(&mut text, model);
    debug(&mut text, model);
    if model.has_basis {
        basis(&mut text, ir, model);
    }
    text.push('\n');
    text.push_str(&kept(&model.name, model.has_basis));
    text
}

/// That it can be kept as JSON.
pub(super) fn kept(name: &str, has_basis: bool) -> String {
    let basis = if has_basis {
        "\nfn basis(&self) -> Option<Basis> {\nself.first_basis()\n}\n\nfn set_basis(&mut self, basis: Basis) {\nSetBasis::set_basis(self, basis);\n}\n"
    } else {
        ""
    };
    format!(
        "impl Model for {name} {{\nconst NAME: &'static str = {};\nconst INTERFACE: &'static Interface = &crate::generated::client::INTERFACE;\n{basis}}}\n",
        literal(name)
    )
}

fn rust_name(member: &Member) -> String {
    rust::name(&member.name)
}

fn definition(text: &mut String, model: &Model) {
    text.push_str(&doc(&model.docs, &model.name));
    text.push_str("#[derive(Clone, PartialEq)]\n#[non_exhaustive]\n");
    text.push_str(&format!("pub struct {} {{\n", model.name));
    for member in &model.members {
        text.push_str(&doc(&member.docs, &member.wire));
        if member.docs.deprecated {
            text.push_str("#[deprecated(note = \"deprecated by the service\")]\n");
        }
        text.push_str(&format!("pub {}: {},\n", rust_name(member), rust::field(member)));
    }
    text.push_str("/// Members that this version does not know, and known ones of an unexpected type.\npub extra: Extra,\n}\n\n");
}

fn reading(text: &mut String, model: &Model) {
    let name = &model.name;
    let names: Vec<String> = model.members.iter().map(|member| literal(&member.wire)).collect();
    text.push_str(&format!("const NAMES: &[&str] = &[{}];\n\n", names.join(", ")));
    text.push_str("fn index_of(name: &str) -> Option<usize> {\n");
    text.push_str(&lookup::by_length("name", model.members.iter().enumerate().map(|(index, member)| (index, member.wire.as_str()))));
    text.push_str(&format!(
        "}}\n\nimpl<'de> Decode<'de> for {name} {{\nconst EXPECTED: &'static str = \"expected an object\";\nconst KIND: Kind = Kind::Container;\n\n"
    ));
    text.push_str("fn object<A: MapAccess<'de>>(members: A) -> Result<Result<Self, Box<str>>, A::Error> {\n");
    text.push_str("let mut members = Members::new(members, NAMES, index_of);\n");
    for member in &model.members {
        let start = if member.required || !matches!(member.ty, Type::List(_)) { "None" } else { "ListMember::Absent" };
        text.push_str(&format!("let mut {} = {start};\n", rust_name(member)));
    }
    text.push_str("while let Some(key) = members.next()? {\nmatch key {\n");
    for (index, member) in model.members.iter().enumerate() {
        let slot = rust_name(member);
        let wire = literal(&member.wire);
        let call = match (&member.ty, member.required) {
            (Type::List(_), true) => format!("required_list(&mut {slot})?"),
            (_, true) => format!("required(&mut {slot})?"),
            (Type::List(_), false) => format!("list(&mut {slot}, {wire})?"),
            (_, false) => format!("optional(&mut {slot}, {wire})?"),
        };
        text.push_str(&format!("{index} => members.{call},\n"));
    }
    text.push_str("_ => members.keep()?,\n}\n}\nOk(Ok(Self {\n");
    for member in &model.members {
        let slot = rust_name(member);
        if member.required {
            text.push_str(&format!("{slot}: decode::require({slot}, {})?,\n", literal(&member.wire)));
        } else {
            text.push_str(&format!("{slot},\n"));
        }
    }
    text.push_str(&format!("extra: members.finish(),\n}}))\n}}\n}}\n\ndeserialize_by_decode!({name});\n\n"));
}

fn writing(text: &mut String, model: &Model) {
    text.push_str("/// Writes the members that were there, unknown ones among them.\n");
    text.push_str(&format!("impl Serialize for {} {{\n", model.name));
    text.push_str("fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {\nlet mut object = serializer.serialize_map(None)?;\n");
    for member in &model.members {
        let field = rust_name(member);
        let wire = literal(&member.wire);
        let entry = |value: &str| {
            if is_numeric(&member.ty) {
                format!("object.serialize_entry({wire}, &Number({value}))?;\n")
            } else {
                format!("object.serialize_entry({wire}, {value})?;\n")
            }
        };
        let number = matches!(member.ty, Type::Number);
        text.push_str(&match (&member.ty, member.required) {
            (_, true) => entry(&if number { format!("self.{field}") } else { format!("&self.{field}") }),
            (Type::List(_), false) => format!("if !self.{field}.is_absent() {{ {} }}\n", entry(&format!("&self.{field}"))),
            (_, false) if number => format!("if let Some(value) = self.{field} {{ {} }}\n", entry("value")),
            (_, false) => format!("if let Some(value) = &self.{field} {{ {} }}\n", entry("value")),
        });
    }
    text.push_str("self.extra.write(&mut object)?;\nobject.end()\n}\n}\n\n");
}

/// Shows which members are there and how long lists are, and no value.
fn debug(text: &mut String, model: &Model) {
    text.push_str("/// Shows the shape, no values.\n");
    text.push_str(&format!("impl fmt::Debug for {} {{\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{\n", model.name));
    text.push_str(&format!("f.debug_struct({})\n", literal(&model.name)));
    for member in &model.members {
        let field = rust_name(member);
        let shape = match (&member.ty, member.required) {
            (Type::List(_), true) => format!("&format_args!(\"[{{}} items]\", self.{field}.len())"),
            (Type::List(_), false) => format!("&self.{field}"),
            (Type::Model(_) | Type::Numbers(_) | Type::Series(_), _) => format!("&self.{field}"),
            (_, true) => "&format_args!(\"..\")".to_owned(),
            (_, false) => format!("&Presence(self.{field}.is_some())"),
        };
        text.push_str(&format!(".field({}, {shape})\n", literal(&member.name)));
    }
    text.push_str(".field(\"extra\", &self.extra)\n.finish()\n}\n}\n");
}

fn basis(text: &mut String, ir: &Ir, model: &Model) {
    let carries = |member: &&Member| {
        let item = match &member.ty {
            Type::List(item) => item.as_ref(),
            ty => ty,
        };
        match item {
            Type::Numbers(map) => ir.number_map(map).is_some_and(|map| map.has_basis),
            Type::Model(inner) => ir.model(inner).is_some_and(|inner| inner.has_basis),
            _ => false,
        }
    };
    let members: Vec<String> = model.members.iter().filter(carries).map(rust_name).collect();
    text.push_str(&format!("\nimpl SetBasis for {} {{\nfn set_basis(&mut self, basis: Basis) {{\n", model.name));
    text.extend(members.iter().map(|member| format!("SetBasis::set_basis(&mut self.{member}, basis);\n")));
    let first: Vec<String> = members
        .iter()
        .enumerate()
        .map(
            |(at, member)| {
                if at == 0 { format!("self.{member}.first_basis()") } else { format!(".or_else(|| self.{member}.first_basis())") }
            },
        )
        .collect();
    text.push_str(&format!("}}\n\nfn first_basis(&self) -> Option<Basis> {{\n{}\n}}\n}}\n", first.concat()));
}
