//! Assigns declarations to headers. Each resource has a header with its parameters and records. A record of several resources is in the
//! header of the first one.

use std::collections::BTreeMap;

use anyhow::Context as _;

use super::declarations::{Declaration, Kind, comment};
use super::source::Source;

/// Headers for hand-written modules: name, description and modules.
const TOPICS: [(&str, &str, &[&str]); 10] = [
    ("values", "Codes, texts, series, instants and dates.", &["value", "generated::code", "user_data"]),
    ("errors", "Error details.", &["error", "generated::error", "generated::waits"]),
    (
        "client",
        "The client, its settings, and call options.",
        &[
            "array_style",
            "client",
            "options",
            "cancel",
            "response_metadata",
            "skipped",
            "attempts",
            "mock",
            "token",
            "generated::settings",
            "generated::options",
        ],
    ),
    (CALLS, "Started calls: waiting, running completions, ending the library's threads.", &["pending_calls", "start"]),
    ("waits", "Waits for analyses.", &["waits"]),
    ("ranges", "Calls over long ranges.", &["range", "generated::range_answers"]),
    (TABLES, "Responses as tables, by the Arrow C data interface.", &["table", "generated::tables"]),
    ("sync", "Syncs: changes of a user's records since the last sync.", &["sync"]),
    ("webhooks", "Webhooks: signatures, bodies, content keys.", &["webhook"]),
    ("consent", "The end of the consent flow, and the signature of the exchange.", &["consent", "signing"]),
];

/// Header that declares tables. It includes the Arrow interface.
const TABLES: &str = "tables";

/// Header that declares completions.
const CALLS: &str = "calls";

/// Header that declares all incomplete types, because several headers refer to them.
const TYPES: &str = "types";

/// Modules with a header per file.
const FOLDERS: [&str; 3] = ["generated::calls::", "generated::params::", "generated::maps::"];

pub(super) struct Header<'a> {
    pub(super) name: String,
    about: String,
    pub(super) declarations: Vec<&'a Declaration>,
}

/// Maps each declaration to its header.
pub(super) struct HeaderMap<'a> {
    source: &'a Source,
    /// The core's types and their headers.
    type_headers: BTreeMap<&'a str, String>,
}

impl<'a> HeaderMap<'a> {
    /// Chooses a header for each type of the core: the first one whose functions return or take the type, or return a type that contains
    /// it.
    pub(super) fn new(source: &'a Source, all: &'a [Declaration]) -> Self {
        let mut map = Self { source, type_headers: BTreeMap::new() };
        let functions = || all.iter().filter(|it| it.kind == Kind::Function);
        let roots = functions().filter_map(|it| Some((map.module_header(source.functions.get(&it.name)?)?, it)));
        let mut roots: Vec<(String, &Declaration)> = roots.collect();
        // Sort resources before topics, which mention records but do not return them.
        roots.sort_by_key(|(header, _)| (is_topic(header), header.clone()));
        for (header, function) in roots {
            let mut left = vec![function];
            while let Some(function) = left.pop() {
                for ty in function.mentioned_types() {
                    let Some(alias) = source.aliases.iter().find(|alias| alias.name == ty) else { continue };
                    if map.type_headers.contains_key(alias.name.as_str()) {
                        continue;
                    }
                    map.type_headers.insert(&alias.name, header.clone());
                    left.extend(functions().filter(|it| map.owner(&it.name) == Some(&alias.name)));
                }
            }
        }
        map
    }

    /// Returns the header of a module, if the module alone determines it.
    fn module_header(&self, module: &str) -> Option<String> {
        if let Some(name) = FOLDERS.iter().find_map(|folder| module.strip_prefix(folder)) {
            return Some(name.to_owned());
        }
        let within = |of: &str| module == of || module.strip_prefix(of).is_some_and(|rest| rest.starts_with("::"));
        TOPICS.iter().find(|(_, _, modules)| modules.iter().any(|of| within(of))).map(|(name, ..)| (*name).to_owned())
    }

    /// Returns the core's type whose name is the prefix of a function's name.
    fn owner(&self, function: &str) -> Option<&'a str> {
        let of = |name: &str| function.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
        let names = self.source.aliases.iter().map(|alias| alias.name.as_str());
        names.filter(|name| of(name)).max_by_key(|name| name.len())
    }

    /// Returns the header of a declaration.
    ///
    /// # Errors
    /// If a module has no header.
    pub(super) fn header(&self, declaration: &Declaration) -> anyhow::Result<String> {
        let name = &declaration.name;
        let module = match declaration.kind {
            Kind::Incomplete => return Ok(TYPES.to_owned()),
            Kind::Type => self.source.types.get(name),
            Kind::Function => self.source.functions.get(name),
        };
        let module = module.with_context(|| format!("`{name}` is not in the wrapper's source"))?;
        let of_owner = || self.type_headers.get(self.owner(name)?).cloned();
        self.module_header(module)
            .or_else(of_owner)
            .with_context(|| format!("`{name}` of {module} has no header: add its module to TOPICS"))
    }

    /// Returns all headers, without declarations.
    pub(super) fn headers<'b>(&self) -> Vec<Header<'b>> {
        let header = |name: &str, about: String| Header { name: name.to_owned(), about, declarations: Vec::new() };
        let of_folder = |folder: &str| -> Vec<&str> {
            let mut names: Vec<&str> = self.source.functions.values().filter_map(|module| module.strip_prefix(folder)).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        let mut headers = vec![header(TYPES, "Incomplete types: objects that are used only through pointers.".to_owned())];
        headers.extend(TOPICS.iter().map(|(name, about, _)| header(name, (*about).to_owned())));
        let [calls, _, maps] = FOLDERS;
        // After its first line, the documentation of a module of calls is an example in C.
        let example = |name: &str| self.source.modules.get(&format!("{calls}{name}")).into_iter().flatten().skip(1);
        let about = |name: &str| {
            let overview = format!("Calls of `{name}`, their parameters and records.");
            example(name).fold(overview, |about, line| about + "\n" + line)
        };
        headers.extend(of_folder(calls).into_iter().map(|name| header(name, about(name))));
        headers.extend(of_folder(maps).into_iter().map(|name| header(name, format!("Accessors of `vitalwire_{name}`."))));
        headers
    }
}

/// Whether a header belongs to a topic instead of a resource.
fn is_topic(header: &str) -> bool {
    TOPICS.iter().any(|(name, ..)| *name == header)
}

impl Header<'_> {
    fn mentions(&self, ty: &str) -> bool {
        self.declarations.iter().any(|it| it.mentioned_types().any(|mentioned| mentioned == ty))
    }

    pub(super) fn text(&self) -> String {
        let guard = format!("VITALWIRE_{}_H", self.name.to_uppercase());
        let before = match self.name.as_str() {
            TYPES => "macros",
            "values" => TYPES,
            TABLES => "arrow",
            _ if self.name != CALLS && self.mentions("vitalwire_completion") => CALLS,
            _ => "values",
        };
        let parts = |function: bool| {
            let chosen = self.declarations.iter().filter(move |it| (it.kind == Kind::Function) == function);
            chosen.map(|it| format!("{}\n", it.text())).collect::<String>()
        };
        let (types, functions) = (parts(false), parts(true));
        // Table functions may start calls.
        let before =
            if self.name == TABLES { format!("{before}.h\"\n#include \"{CALLS}.h\"\n#include \"ranges.h") } else { format!("{before}.h") };
        let mut text = format!("#ifndef {guard}\n#define {guard}\n\n#include \"{before}\"\n\n{}\n{types}", self.group());
        if !functions.is_empty() {
            text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
            text.push_str(&functions);
            text.push_str("#ifdef __cplusplus\n}\n#endif\n\n");
        }
        text + "/** @} */\n\n#endif\n"
    }

    /// Returns the comment that opens a group of Doxygen's pages.
    fn group(&self) -> String {
        let title = self.name.replace('_', " ");
        let title = title[..1].to_uppercase() + &title[1..];
        let opening = format!("@defgroup {} {title}", self.name);
        comment("/**", [opening.as_str(), ""].into_iter().chain(self.about.lines()).chain(["", "@{"]))
    }
}
