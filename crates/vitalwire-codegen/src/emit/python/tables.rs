//! Tables of records and of answers: which ones a class has, and how they are read.

use crate::ir::{Answer, Basis, Ir, Model, Operation};
use crate::lang::pascal;
use crate::lang::rust::literal;

use super::reach::{self, Reach};
use crate::lang::python::literal as python_literal;

/// A table in the answer of an operation.
struct Source<'a> {
    table: &'a str,
    operation: &'a Operation,
    list: bool,
    basis: Option<Basis>,
}

/// The tables that a model is the answer for, alone or in a list.
fn sources<'a>(ir: &'a Ir, model: &str) -> Vec<Source<'a>> {
    let mut found = Vec::new();
    for table in &ir.tables {
        for source in &table.sources {
            let Some(operation) = ir.operations.iter().find(|operation| operation.id == source.operation) else { continue };
            if matches!(&operation.answer, Answer::Model(name) | Answer::List(name) if name == model) {
                found.push(Source { table: &table.name, operation, list: source.list, basis: source.basis });
            }
        }
    }
    found
}

/// The names of a model's tables, in order.
fn names<'a>(ir: &'a Ir, model: &str, listed: bool) -> Vec<&'a str> {
    let mut names: Vec<&str> = sources(ir, model).iter().filter(|source| source.list || !listed).map(|source| source.table).collect();
    names.dedup();
    names
}

/// Whether answers are lists of a model.
pub(super) fn is_listed(ir: &Ir, model: &str) -> bool {
    ir.operations.iter().any(|operation| matches!(&operation.answer, Answer::List(name) if name == model))
}

/// Whether an operation's answer is read as columns at the call: one object of many rows, of a range of time.
pub(super) fn is_columnar(operation: &Operation) -> bool {
    operation.range.is_some() && matches!(operation.answer, Answer::Model(_))
}

/// The table as which answers of this model are read at the call.
fn columnar<'a>(ir: &'a Ir, model: &str) -> Option<Source<'a>> {
    sources(ir, model).into_iter().find(|source| is_columnar(source.operation))
}

/// How a model's methods come to the record.
pub(super) fn reach(ir: &Ir, model: &str) -> &'static Reach {
    if columnar(ir, model).is_some() { &reach::DEFERRED } else { &reach::HELD }
}

/// The part of a record's file about its tables.
pub(super) fn emit(ir: &Ir, model: &Model) -> String {
    let name = &model.name;
    let all = sources(ir, name);
    let mut text = String::new();
    if is_listed(ir, name) {
        let listed: Vec<&Source> = all.iter().filter(|source| source.list).collect();
        text.push_str(&format!("impl Listed for {name} {{\nconst NAME: &'static str = {};\n", literal(name)));
        text.push_str(&format!("const TABLES: &'static [Source] = &[{}];\n\n", written(&listed)));
        text.push_str(&format!("fn shown(&self) -> &View<models::{name}> {{\n&self.view\n}}\n}}\n\n"));
    }
    if all.is_empty() {
        return text;
    }
    text.push_str(&format!("static TABLES: &[Source] = &[{}];\n\n", written(&all.iter().collect::<Vec<_>>())));
    text.push_str(&format!(
        "impl Tabled for {name} {{\nfn tabled(&self, py: Python<'_>, wanted: table::Wanted<'_>) -> PyResult<Table> {{\n"
    ));
    if columnar(ir, name).is_some() {
        text.push_str("let chosen = table::choose(py, TABLES, wanted)?;\nif chosen == Self::TABLE.0 && let Some(table) = self.view.table() {\nreturn Ok(table);\n}\n");
    }
    text.push_str(&format!("let view = {};\n", reach(ir, name).view()));
    text.push_str("table::of_record(py, TABLES, wanted, view.get(), view.answer())\n}\n}\n\n");
    text.push_str(&format!("table::tabled!({name});\n"));
    text
}

/// How a class is made of an answer that was read as columns; `initial` is what it starts with besides that.
pub(super) fn columns(ir: &Ir, model: &Model, initial: &str) -> String {
    let name = &model.name;
    let Some(source) = columnar(ir, name) else { return String::new() };
    format!(
        "impl Columnar for {name} {{\ntype Core = models::{name};\n\nconst TABLE: (TableId, &'static str) = (TableId::{}, {});\n\n\
         fn deferred(view: Deferred<models::{name}>) -> Self {{\nSelf {{ view, {initial} }}\n}}\n}}\n\n",
        pascal(source.table),
        literal(&source.operation.id),
    )
}

fn written(sources: &[&Source<'_>]) -> String {
    let one = |source: &&Source<'_>| {
        let basis = match source.basis {
            Some(Basis::PerServing) => "Some(Basis::PerServing)",
            Some(Basis::Per100) => "Some(Basis::Per100)",
            Some(Basis::Unknown) => "Some(Basis::Unknown)",
            None => "None",
        };
        format!(
            "Source {{ table: TableId::{}, operation: {}, list: {}, basis: {basis} }},",
            pascal(source.table),
            literal(&source.operation.id),
            source.list
        )
    };
    sources.iter().map(one).collect()
}

/// How lists of each class are made from what their pickles say.
pub(super) fn kinds(ir: &Ir) -> String {
    let mut text = String::from(
        "/// A class whose records come in lists, by its name.\npub(crate) fn list_kind(name: &str) -> Option<Kind> {\nSome(match name {\n",
    );
    for model in ir.models.iter().filter(|model| is_listed(ir, &model.name)) {
        text.push_str(&format!("{} => Kind::of::<models::{}>(),\n", literal(&model.name), model.name));
    }
    text + "_ => return None,\n})\n}\n\n"
}

/// The methods of a record's tables in the stub.
pub(super) fn stub(ir: &Ir, model: &str) -> String {
    let names = names(ir, model, false);
    if names.is_empty() {
        return String::new();
    }
    methods(&format!("_Literal[{}]", names.iter().map(|name| python_literal(name)).collect::<Vec<_>>().join(", ")))
}

/// The methods of the tables of a list.
pub(super) fn methods(name: &str) -> String {
    const TZ: &str = "tz: _Zone | None = None";
    const UNIT: &str = "time_unit: _TimeUnit | None = None";
    let mut text = format!(
        "    def table(self, name: {name} | None = None) -> Table:\n        \"\"\"One of the answer's tables by its name; the first one unless one is given.\"\"\"\n\n"
    );
    for (method, frame, more) in [
        ("to_arrow", "_pyarrow.Table", ""),
        ("to_polars", "_polars.DataFrame", ""),
        ("to_pandas", "_pandas.DataFrame", "dtype_backend: _Literal[\"pyarrow\"] | None = None"),
    ] {
        let mut arguments = vec!["self".to_owned(), format!("table: {name} | None = None"), "*".to_owned()];
        arguments.extend((!more.is_empty()).then(|| more.to_owned()));
        arguments.extend([TZ, UNIT].map(str::to_owned));
        arguments.extend((!more.is_empty()).then(|| "lists: bool = False".to_owned()));
        let arguments: String = arguments.iter().map(|argument| format!("        {argument},\n")).collect();
        text.push_str(&format!(
            "    def {method}(\n{arguments}    ) -> {frame}:\n        \"\"\"A table as a `{}`, as `Table.{method}` makes it.\"\"\"\n\n",
            frame.trim_start_matches('_')
        ));
    }
    text.push_str("    def __arrow_c_stream__(self, requested_schema: object = None) -> object:\n        \"\"\"The first table as a stream of Arrow record batches, as the Arrow PyCapsule interface has it.\"\"\"\n\n");
    text
}
