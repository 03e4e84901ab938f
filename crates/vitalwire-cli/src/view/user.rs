//! The user: identity, integrated providers and properties.

use vitalwire::models::{UserInfo, UserProperties};

use crate::render::number::date;
use crate::render::style::{GOOD, WARN};
use crate::render::table::{Cell, Table};

pub(crate) fn identity(info: &UserInfo) -> Table {
    let mut table = Table::untitled().left("").flexible("");
    let mut row = |name: &str, value: Option<String>| table.row([name.into(), Cell::from(value.unwrap_or_default())]);
    row("user", info.application_user_id.clone());
    row("application", info.application_id.map(|id| id.to_string()));
    row("known since", info.created_at.map(date));
    table
}

/// Returns a table with one line per connected provider.
pub(crate) fn providers(info: &UserInfo) -> Table {
    let mut table = Table::new().left("provider").left("connected").right("integration").optional("integration").flexible("state");
    for provider in &info.integrated_providers {
        let state = match provider.is_integration_broken {
            Some(true) => Cell::new("broken: the user has to consent again", WARN),
            Some(false) => Cell::new("works", GOOD),
            None => "not stated".into(),
        };
        table.row([
            provider.provider_slug.as_ref().map_or_else(String::new, ToString::to_string).into(),
            provider.created_at.map_or_else(String::new, date).into(),
            provider.provider_integration_id.map_or_else(String::new, |id| id.to_string()).into(),
            state,
        ]);
    }
    table
}

/// Returns a table of the properties, with the units that the interface states. It states none for masses.
pub(crate) fn properties(properties: &UserProperties, room: usize) -> Table {
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    let with_unit = |value: Option<f64>, unit: &str| value.map(|value| format!("{value} {unit}"));
    let pairs = [
        ("born", properties.birth_date.clone()),
        ("gender", properties.gender.as_ref().map(ToString::to_string)),
        ("language", properties.language.clone()),
        ("time zone", properties.timezone.clone()),
        ("height", with_unit(properties.height, "m")),
        ("weight", number(properties.weight)),
        ("body fat", with_unit(properties.body_fat, "%")),
        ("bone mass", number(properties.body_bone_mass)),
        ("body mass index", with_unit(properties.body_mass_index, "kg/m²")),
        ("resting heart rate", with_unit(properties.resting_heartrate, "bpm")),
    ];
    let text = |value: Option<String>| Cell::from(value.unwrap_or_else(|| "not stated".to_owned()));
    Table::pairs(&pairs.map(|(name, value)| (Cell::from(name), text(value))), room)
}
