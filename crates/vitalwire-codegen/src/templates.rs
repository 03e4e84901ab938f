//! Templates, from which all text is generated. A template has the shape of the file that it renders.
//!
//! They are read from this crate's sources when they are first used, so a change of a template needs no build. Rendering is strict: a
//! missing or null value fails the run before anything is written.

use anyhow::Context as _;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, escape_formatter, path_loader};
use serde::Serialize;

use crate::file::File;

/// The templates below `src`. Each is read and parsed on first use.
#[derive(Debug)]
pub struct Templates(Environment<'static>);

impl Templates {
    /// Creates a set whose templates can also use these filters.
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
        crate::filters::add_to(&mut environment);
        filters.iter().for_each(|add_to| add_to(&mut environment));
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
