//! Templates, from which all text is generated. A template has the shape of the file that it renders.
//!
//! They are read from this crate's sources when they are first used, so a change of a template needs no build. Rendering is strict: a
//! missing or null value fails the run before anything is written.

use anyhow::Context as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, escape_formatter, path_loader};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::file::File;
use crate::ir::{Docs, Member};
use crate::naming::{camel, pascal, shouty, snake};

/// The templates below `src`, with the filters of a target. Each is read and parsed on first use.
#[derive(Debug)]
pub struct Templates(Environment<'static>);

impl Templates {
    /// Creates a set of templates. `filters` adds filters and tests to those that every set has.
    pub(crate) fn new(filters: &[fn(&mut Environment<'_>)]) -> Self {
        let mut environment = Environment::new();
        environment.set_loader(path_loader(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(|out, state, value| match value.is_none() {
            true => Err(Error::new(ErrorKind::UndefinedError, "a null value must not be written")),
            false => escape_formatter(out, state, value),
        });
        environment.set_syntax(syntax().unwrap_or_default());
        add_text_filter(&mut environment, "snake", snake);
        add_text_filter(&mut environment, "pascal", pascal);
        add_text_filter(&mut environment, "camel", camel);
        add_text_filter(&mut environment, "shouty", shouty);
        environment.add_test("keeps_null", |member: Serde<Member>| member.0.keeps_null());
        filters.iter().for_each(|add| add(&mut environment));
        Self(environment)
    }

    /// Renders a template; its name is its path in the crate's sources.
    ///
    /// # Errors
    /// If there is no such template, or a value is missing or null.
    pub fn render(&self, name: &str, values: impl Serialize) -> anyhow::Result<String> {
        let template = self.0.get_template(name).with_context(|| format!("the template {name}"))?;
        template.render(Serde(values)).map_err(|error| anyhow::anyhow!("the template {name}: {error}"))
    }

    /// Renders a template into a file with this path.
    ///
    /// # Errors
    /// If there is no such template, or a value is missing or null.
    pub(crate) fn file(&self, path: impl Into<String>, template: &str, values: impl Serialize) -> anyhow::Result<File> {
        Ok(File::new(path, self.render(template, values)?))
    }
}

/// Returns the template syntax. A line that holds only a statement renders no line.
fn syntax() -> Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()
}

pub(crate) fn add_text_filter(environment: &mut Environment<'_>, name: &'static str, map: fn(&str) -> String) {
    environment.add_filter(name, move |text: &str| map(text));
}

/// Adds a filter that maps a part of the IR.
pub(crate) fn add_ir_filter<T: DeserializeOwned + 'static>(environment: &mut Environment<'_>, name: &'static str, map: fn(T) -> String) {
    environment.add_filter(name, move |part: Serde<T>| map(part.0));
}

/// Adds a filter that renders documentation without trailing whitespace. It is passed the name to use if there is no documentation.
pub(crate) fn add_doc_filter(environment: &mut Environment<'_>, filter: &'static str, map: fn(&Docs, &str) -> String) {
    environment.add_filter(filter, move |docs: Serde<Docs>, name: &str| map(&docs.0, name).trim_end().to_owned());
}
