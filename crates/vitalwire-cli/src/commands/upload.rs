//! `vitalwire nutrition upload` and `vitalwire labs upload`.

use vitalwire::client::{Call, CallOptions};
use vitalwire::models::{LabReport, LabReportResponse, NutritionRecord, NutritionUploadResponse};
use vitalwire::open_sets::{AnalysisMode, NutrientName};
use vitalwire::operations::NutritionRecordsUploadParams;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire::value::{Date, OpenSet, Timestamp};

use super::demo::{DOCUMENT, DOCUMENT_NAME, picture};
use super::file;
use super::requested_names::RequestedNames;
use super::session::{FollowUp, Session};
use super::unknown_names::UnknownNames;
use super::wait::RecordKind;
use crate::cli::{ALL, MealUpload, ReportUpload};
use crate::failure::Failure;
use crate::render::table::Table;
use crate::screen::Screen;

/// The name of the nutrients parameter in the interface.
const FIELDS: &str = "include_nutrition_fields";

/// The lowest and highest time zone offset from UTC, in minutes.
const MIN_OFFSET_MINUTES: i64 = -12 * 60;
const MAX_OFFSET_MINUTES: i64 = 14 * 60;

type Draw<T> = fn(&mut Screen, &T) -> Result<(), Failure>;

/// Uploads a picture of food.
pub(super) async fn meal(session: &Session, options: MealUpload, draw: Draw<NutritionRecord>) -> Result<(), Failure> {
    let (image, call_options) = match &options.picture {
        Some(source) => match source.to_str().filter(|text| Upload::text(text).is_url()) {
            Some(url) => (Image::from_url(url)?, CallOptions::new()),
            None => file::picture(session, source.as_ref(), options.any_format).await?,
        },
        None if session.sandbox.is_some() => (Image::from_bytes(picture()?), CallOptions::new()),
        None => return Err(Failure::Usage("the file or URL of a picture is required", "only --sandbox has a default")),
    };
    let image = if options.strip_metadata { image.without_metadata()? } else { image };
    let wait_options = options.wait_options;
    let fields = options.fields.iter().filter(|field| *field != ALL);
    let unknown = UnknownNames::default().add::<NutrientName>(FIELDS, fields);
    let unknown = unknown.add::<AnalysisMode>("analysis_mode", &options.mode);
    let mut requested = requested_nutrients(&options.fields);
    let list = meal_list_command(options.consumed_at, session.now());
    session.effects.set_pending(RecordKind::check_hint(session.follow_up, &list));
    let outcome = loop {
        let call = apply_options(session.client.nutrition_records().upload_image(image.clone()), &options, requested.names());
        let outcome = if wait_options.wait {
            session.show_analysis(call, call_options.clone(), wait_options.options, &RecordKind::MEAL, draw).await
        } else {
            let draw = |screen: &mut Screen, response: &NutritionUploadResponse| {
                show_receipt(screen, response.record_id.as_str(), response.status.as_str(), &RecordKind::MEAL, session.follow_up)
            };
            session.show_upload(call, call_options.clone(), &RecordKind::MEAL, draw).await
        };
        // A rejected upload had no effect, so it may be sent again.
        if !outcome.as_ref().is_err_and(|failure| failure.error().is_some_and(|error| requested.remove_stated(error))) {
            requested.print_note();
            break outcome;
        }
    };
    outcome.map_err(|failure| RecordKind::MEAL.add_check_hint(unknown.hint(failure), session.follow_up, &list))
}

/// Returns the command that lists a meal uploaded at this instant, whatever the user's time zone is. A meal without a time gets the time of
/// its analysis.
pub(super) fn meal_list_command(consumed_at: Option<Timestamp>, uploaded_at: Timestamp) -> String {
    match consumed_at {
        Some(at) => format!("nutrition list --from {} --to {}", day(at, MIN_OFFSET_MINUTES), day(at, MAX_OFFSET_MINUTES)),
        None => format!("nutrition list --from {}", day(uploaded_at, MIN_OFFSET_MINUTES)),
    }
}

pub(super) fn report_list_command(uploaded_at: Timestamp) -> String {
    format!("labs list --from {}", day(uploaded_at, MIN_OFFSET_MINUTES))
}

/// Returns the date of an instant at a UTC offset.
fn day(at: Timestamp, offset_minutes: i64) -> Date {
    at.local(offset_minutes).map(|local| local.date().into()).unwrap_or_default()
}

/// Returns the nutrients to request: the nutrients from the user, or all known ones.
fn requested_nutrients(fields: &[String]) -> RequestedNames {
    if fields.iter().any(|field| field == ALL) {
        RequestedNames::all_known(FIELDS, NutrientName::KNOWN.iter().map(|name| (*name).to_owned()).collect())
    } else {
        RequestedNames::from_user(FIELDS, fields.to_vec())
    }
}

fn apply_options(
    mut call: Call<NutritionRecordsUploadParams>,
    options: &MealUpload,
    nutrients: &[String],
) -> Call<NutritionRecordsUploadParams> {
    if options.details {
        call = call.include_ingredients(true).include_nutri_score(true).include_dish_description(true);
    }
    if !nutrients.is_empty() {
        call = call.include_nutrition_fields(nutrients.iter().map(String::as_str));
    }
    if let Some(country) = &options.country {
        call = call.country_code(country);
    }
    if let Some(language) = &options.language {
        call = call.language_code(language);
    }
    if let Some(mode) = &options.mode {
        call = call.analysis_mode(mode.as_str());
    }
    if let Some(at) = options.consumed_at {
        call = call.consumed_at(at);
    }
    call
}

/// Uploads a laboratory document.
pub(super) async fn report(session: &Session, options: ReportUpload, draw: Draw<LabReport>) -> Result<(), Failure> {
    let (document, call_options) = match &options.file {
        Some(path) => file::document(session, path, options.name, options.any_format).await?,
        None if session.sandbox.is_some() => {
            (Document::from_bytes(DOCUMENT.as_bytes(), options.name.as_deref().unwrap_or(DOCUMENT_NAME)), CallOptions::new())
        }
        None => return Err(Failure::Usage("the file of a report is required", "only --sandbox has a default")),
    };
    let call = session.client.lab_reports().upload_document(document);
    let list = report_list_command(session.now());
    session.effects.set_pending(RecordKind::check_hint(session.follow_up, &list));
    let outcome = if options.wait_options.wait {
        session.show_analysis(call, call_options, options.wait_options.options, &RecordKind::REPORT, draw).await
    } else {
        let draw = |screen: &mut Screen, response: &LabReportResponse| {
            let report = &response.lab_report;
            show_receipt(screen, report.record_id.as_str(), report.status.as_str(), &RecordKind::REPORT, session.follow_up)
        };
        session.show_upload(call, call_options, &RecordKind::REPORT, draw).await
    };
    outcome.map_err(|failure| RecordKind::REPORT.add_check_hint(failure, session.follow_up, &list))
}

/// Prints the id and status of an upload, and the command that shows more.
fn show_receipt(screen: &mut Screen, id: &str, status: &str, record_kind: &RecordKind, follow_up: FollowUp) -> Result<(), Failure> {
    let mut table = Table::untitled().left("").flexible("");
    table.row(["record".into(), id.into()]);
    table.row(["status".into(), status.into()]);
    screen.table(&table)?;
    screen.line("")?;
    screen.note(&record_kind.receipt_text(id, follow_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::days::Days;

    /// At every hour of two days, the listed days contain the instant in every time zone.
    #[test]
    fn the_listed_days_contain_the_meal_in_every_zone() {
        for hour in 0..48 {
            let at = Timestamp::from_unix(1_764_000_000 + hour * 3_600, 0).expect("an instant");
            let list = meal_list_command(Some(at), Timestamp::default());
            let days: Vec<Date> = list.split(' ').filter_map(|word| word.parse().ok()).collect();
            for zone in ["Etc/GMT+12", "America/Los_Angeles", "UTC", "Asia/Kolkata", "Australia/Sydney", "Pacific/Kiritimati"] {
                let zone = Days::in_zone(zone).expect("a zone");
                assert!((days[0]..=days[1]).contains(&zone.date(at)), "{list} {zone}");
                assert!(zone.start(days[0]) <= at && at < zone.end(days[1]), "{list} {zone}");
            }
            assert!(days[0].days_until(days[1]) <= 2, "{list}");
        }
    }
}
