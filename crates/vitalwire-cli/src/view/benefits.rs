//! Benefits of an insurance policy.

use vitalwire::models::{BenefitsData, PolicyBenefits};
use vitalwire::value::OpenSet;

use crate::failure::Failure;
use crate::render::style::{FAINT, STRONG, clean, paint};
use crate::render::table::{Cell, Table};
use crate::screen::Screen;

pub(crate) fn show(screen: &mut Screen, response: &PolicyBenefits) -> Result<(), Failure> {
    screen.note(&format!("lookup {}: {}", clean(&response.id), paint(STRONG, &clean(response.status.as_str()))))?;
    match &response.data {
        Some(data) => {
            screen.line("")?;
            screen.table(&table(data, screen.available_width()))?;
            screen.note(&paint(FAINT, "Amounts show how much of the plan has been used."))
        }
        None => screen.line("no benefits in the response"),
    }
}

/// Returns a table of used and total amounts. The service's texts have no documented format and are shown as received.
fn table(data: &BenefitsData, room: usize) -> Table {
    let of = |part: &Option<String>, whole: &Option<String>| match (part, whole) {
        (Some(part), Some(whole)) => Some(format!("{part} of {whole}")),
        (part, whole) => part.clone().or_else(|| whole.clone()),
    };
    let rows = [
        ("plan", data.plan_type.clone(), "network", data.network_status.clone()),
        ("visits used", of(&data.visits_used, &data.visit_limit), "counted", data.visit_limit_max_type.clone()),
        ("co-pay", data.patient_co_pay.clone(), "co-insurance", data.patient_co_insurance.clone()),
        (
            "deductible",
            of(&data.deductible_individual_met, &data.deductible_individual),
            "out of pocket",
            of(&data.out_of_pocket_max_individual_met, &data.out_of_pocket_max_individual),
        ),
        (
            "of the family",
            of(&data.deductible_family_met, &data.deductible_family),
            "referral",
            data.primary_care_provider_referral_required.clone(),
        ),
        ("prescription", data.physicians_prescription_required.clone(), "authorization", data.authorization_required.clone()),
        ("from", data.plan_start_date.clone(), "to", data.plan_end_date.clone()),
    ];
    let text = |value: Option<String>| Cell::from(value.filter(|value| !value.is_empty()).unwrap_or_else(|| "–".to_owned()));
    let pair = |name: &str, value: Option<String>| (Cell::new(name, FAINT), text(value));
    let pairs: Vec<_> = rows.into_iter().flat_map(|(first, one, second, two)| [pair(first, one), pair(second, two)]).collect();
    Table::pairs(&pairs, room)
}
