//! Accessors of one object: borrowed views, children as pointers into their parent.

use anyhow::bail;

use crate::ir::{Answer, Docs, Ir, Member, Model, Type};
use crate::lang::c as names;
use crate::lang::{rust, snake};

/// What every accessor file says first.
pub(super) const IMPORTS: &str = "#![allow(unsafe_code, reason = \"no_mangle only: names with C linkage\")]\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\nuse std::mem::MaybeUninit;\n\nuse vitalwire::value::OpenSet;\n\nuse crate::generated::types::*;\nuse crate::value::*;\nuse crate::view;\n\n";

/// The accessors of an object.
pub(super) fn emit(ir: &Ir, model: &Model) -> anyhow::Result<String> {
    let mut file = Functions::new(names::object(&model.name));
    for member in &model.members {
        file.member(member)?;
    }
    let docs = said(
        "Members that this version does not know, and known ones of an unexpected type, as a JSON object that the caller frees; NULL where there are none.",
    );
    file.add("extra", &docs, "", "Option<Box<vitalwire_json>>", "view::extra(of, |of| &of.extra)");
    if ir.operations.iter().any(|operation| matches!(&operation.answer, Answer::Model(name) if *name == model.name)) {
        file.free();
    }
    Ok(file.text)
}

/// The accessors of a list that a call answers.
pub(super) fn list(item: &str) -> String {
    let mut file = Functions::new(names::list(item));
    file.add("count", &said("How many there are."), "", "usize", "view::count(of, |of| of.len())");
    let docs = said("One of them, counted from 0; NULL beyond the end. It lives as long as the list.");
    file.add("at", &docs, ", index: usize", &format!("Option<&{}>", names::object(item)), "view::child(of, |of| of.get(index))");
    file.free();
    file.text
}

/// The functions of one type, all with the object as their first argument.
pub(super) struct Functions {
    object: String,
    pub(super) text: String,
}

impl Functions {
    pub(super) fn new(object: String) -> Self {
        Self { text: format!("//! Accessors of `{object}`.\n\n{IMPORTS}"), object }
    }

    /// One function: name after the object's, documentation lines, further arguments, what it gives, and how.
    pub(super) fn add(&mut self, name: &str, docs: &str, arguments: &str, gives: &str, body: &str) {
        let object = &self.object;
        self.text.push_str(&format!(
            "{docs}#[unsafe(no_mangle)]\npub extern \"C\" fn {object}_{name}(of: Option<&{object}>{arguments}) -> {gives} {{\n{body}\n}}\n\n"
        ));
    }

    /// The function that ends the object's life.
    pub(super) fn free(&mut self) {
        let object = &self.object;
        let docs = said("Frees it and all that was read from it; NULL is allowed. Only for one that a call gave.");
        self.text.push_str(&format!(
            "{docs}#[unsafe(no_mangle)]\npub extern \"C\" fn {object}_free(of: Option<Box<{object}>>) {{\nview::free(of);\n}}\n"
        ));
    }

    fn member(&mut self, member: &Member) -> anyhow::Result<()> {
        let field = rust::name(&member.name);
        let name = snake(&member.name);
        let of = format!("of.{field}");
        let docs = |absent: &str| described(member, absent);
        if let Type::List(item) = &member.ty {
            return self.list_member(member, item, &of, &name);
        }
        if let Some(plain) = plain(&member.ty) {
            let body = format!("view::scalar(of, value, |of| {})", copied(&member.ty, &of, member.required));
            let arguments = format!(", value: Option<&mut MaybeUninit<{plain}>>");
            self.add(&name, &docs("Returns whether it was there; only then is the value written."), &arguments, "bool", &body);
            return Ok(());
        }
        match &member.ty {
            Type::Text | Type::Id | Type::Open(_) => {
                let body = match (&member.ty, member.required) {
                    (_, true) => format!("view::text(of, |of| Some({of}.as_str()))"),
                    (Type::Text, false) => format!("view::text(of, |of| {of}.as_deref())"),
                    (_, false) => format!("view::text(of, |of| {of}.as_ref().map(|text| text.as_str()))"),
                };
                self.add(&name, &docs(""), "", "vitalwire_str", &body);
            }
            Type::Model(target) | Type::Numbers(target) | Type::Series(target) => {
                let value = if member.required { format!("Some(&{of})") } else { format!("{of}.as_ref()") };
                let gives = format!("Option<&{}>", names::object(target));
                self.add(&name, &docs("NULL where it was not there."), "", &gives, &format!("view::child(of, |of| {value})"));
            }
            Type::Json => {
                let value = if member.required { format!("Some(&{of})") } else { format!("{of}.as_ref()") };
                let absent = "A JSON text that the caller frees; NULL where it was not there.";
                self.add(&name, &docs(absent), "", "Option<Box<vitalwire_json>>", &format!("view::json(of, |of| {value})"));
            }
            _ => bail!("`{}` of `{}` has no form in C: {:?}", member.wire, self.object, member.ty),
        }
        Ok(())
    }

    fn list_member(&mut self, member: &Member, item: &Type, of: &str, name: &str) -> anyhow::Result<()> {
        if !member.required {
            let docs = said("Whether the list was there, null, or a list.");
            self.add(&format!("{name}_presence"), &docs, "", "vitalwire_presence", &format!("view::presence(of, |of| &{of})"));
        }
        if *item == Type::Number {
            let value = if member.required { format!("Some({of}.as_slice())") } else { format!("view::list_numbers(&{of})") };
            self.add(name, &described(member, ""), "", "vitalwire_numbers", &format!("view::numbers(of, |of| {value})"));
            return Ok(());
        }
        let count = format!("{}///\n/// How many there are.\n", described(member, ""));
        self.add(&format!("{name}_count"), &count, "", "usize", &format!("view::count(of, |of| {of}.as_slice().len())"));
        let at = format!("{of}.as_slice().get(index)");
        let function = format!("{name}_at");
        if let Some(plain) = plain(item) {
            let arguments = format!(", index: usize, value: Option<&mut MaybeUninit<{plain}>>");
            let value = if converts(item) { format!("{at}.map(|item| (*item).into())") } else { format!("{at}.copied()") };
            let docs = said("One of them, counted from 0. Returns false beyond the end.");
            self.add(&function, &docs, &arguments, "bool", &format!("view::scalar(of, value, |of| {value})"));
            return Ok(());
        }
        let index = ", index: usize";
        match item {
            Type::Text | Type::Id | Type::Open(_) => {
                let docs = said("One of them, counted from 0; no text beyond the end.");
                self.add(&function, &docs, index, "vitalwire_str", &format!("view::text(of, |of| {at}.map(|item| item.as_str()))"));
            }
            Type::Model(target) | Type::Numbers(target) | Type::Series(target) => {
                let docs = said("One of them, counted from 0; NULL beyond the end.");
                self.add(&function, &docs, index, &format!("Option<&{}>", names::object(target)), &format!("view::child(of, |of| {at})"));
            }
            Type::Json | Type::List(_) => {
                let docs = said("One of them, counted from 0, as a JSON text that the caller frees; NULL beyond the end.");
                self.add(&function, &docs, index, "Option<Box<vitalwire_json>>", &format!("view::json(of, |of| {at})"));
            }
            _ => bail!("the items of `{}` of `{}` have no form in C: {item:?}", member.wire, self.object),
        }
        Ok(())
    }
}

/// How a value that is copied out is written in C's terms.
pub(super) fn plain(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Boolean => "bool",
        Type::Integer => "i64",
        Type::Number => "f64",
        Type::Timestamp => "vitalwire_timestamp",
        Type::Date => "vitalwire_date",
        _ => return None,
    })
}

/// Whether C has a type of its own for it.
fn converts(ty: &Type) -> bool {
    matches!(ty, Type::Timestamp | Type::Date)
}

fn copied(ty: &Type, of: &str, required: bool) -> String {
    match (converts(ty), required) {
        (true, true) => format!("Some({of}.into())"),
        (true, false) => format!("{of}.map(Into::into)"),
        (false, true) => format!("Some({of})"),
        (false, false) => of.to_owned(),
    }
}

/// A member's documentation, and what C adds to it.
fn described(member: &Member, more: &str) -> String {
    let text = names::doc(&member.docs, &member.wire);
    if more.is_empty() { text } else { format!("{text}///\n{}", said(more)) }
}

/// A sentence as documentation.
pub(super) fn said(text: &str) -> String {
    names::doc(&Docs { text: text.to_owned(), ..Docs::default() }, "")
}
