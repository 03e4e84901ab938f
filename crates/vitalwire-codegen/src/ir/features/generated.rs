//! Settings, options and error fields that a language generates.

use super::errors::{ERROR_FIELDS, ErrorField};
use super::options::CALL_OPTIONS;
use super::setting::{Availability, Language, Setting};
use super::settings::SETTINGS;
use crate::ir::Ir;

/// A setting or option that is generated for a language.
pub(crate) struct GeneratedSetting<'a> {
    pub(crate) row: &'static Setting,
    /// Name of the engine's function. Settings of services other than the first begin with the name of the service.
    pub(crate) name: String,
    /// Name of its service. Empty if the services share the setting.
    pub(crate) service: &'a str,
}

impl<'a> GeneratedSetting<'a> {
    fn new(row: &'static Setting, prefix: &str, service: &'a str) -> Self {
        Self { row, name: format!("{prefix}{}", row.name), service }
    }

    /// Returns the documentation, with further sentences before the default.
    pub(crate) fn text_with(&self, further: &str) -> String {
        self.row.text_with(further).replace("{service}", self.service)
    }

    /// Returns the documentation.
    pub(crate) fn text(&self) -> String {
        self.text_with("")
    }
}

/// Returns the client settings of a language: those of the first service, those of the others, then those that services share.
pub(crate) fn client_settings(ir: &Ir, language: Language) -> Vec<GeneratedSetting<'_>> {
    let mut settings = client_settings_by_row(ir, language);
    settings.sort_by_key(|setting| ir.services.iter().position(|service| service.name == setting.service).unwrap_or(usize::MAX));
    settings
}

/// Returns the client settings of a language in the order of the rows. Those of services appear once for each.
pub(crate) fn client_settings_by_row(ir: &Ir, language: Language) -> Vec<GeneratedSetting<'_>> {
    let mut settings = Vec::new();
    for row in SETTINGS.iter().filter(|row| row.availability(language) == Availability::Generated) {
        if !row.per_service {
            settings.push(GeneratedSetting::new(row, "", ""));
            continue;
        }
        for (at, service) in ir.services.iter().enumerate() {
            let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
            settings.push(GeneratedSetting::new(row, &prefix, &service.name));
        }
    }
    settings
}

/// Returns the call options of a language.
pub(crate) fn call_options(language: Language) -> impl Iterator<Item = GeneratedSetting<'static>> {
    let rows = CALL_OPTIONS.iter().filter(move |row| row.availability(language) == Availability::Generated);
    rows.map(|row| GeneratedSetting::new(row, "", ""))
}

/// Returns the error fields of a language.
pub(crate) fn error_fields(language: Language) -> impl Iterator<Item = &'static ErrorField> {
    ERROR_FIELDS.iter().filter(move |field| field.availability(language) == Availability::Generated)
}
