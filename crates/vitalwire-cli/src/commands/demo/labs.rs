//! Screen: a laboratory report is uploaded, and the reports of the last months are listed.

use std::time::Duration;

use vitalwire::models::{LabReport, LabResult};
use vitalwire::open_sets::LabReportStatus;
use vitalwire::value::{OpenSet, Timestamp};

use super::story::Story;
use crate::failure::Failure;
use crate::render::number::{brief, date};
use crate::render::style::{BAD, CURVE, FAINT, GOOD, STRONG, WARN, paint};
use crate::render::table::{Cell, Table};

/// A document that nobody's blood went into.
const DOCUMENT: &str = "Synthetic laboratory report\nPatient: nobody\nWhite Blood Count 7.2 K/uL (4.0 - 11.0)\n";
/// How far back the list goes: the sandbox's people have three reports in that time.
const BACK: i64 = 220 * 86_400;
/// Between two looks at a report that is still being analysed.
const PAUSE: Duration = Duration::from_secs(1);
/// Looks before the demo gives up.
const LOOKS: u32 = 60;
/// Columns of the picture that shows where in its range a value lies.
const GAUGE: usize = 15;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("Laboratory reports")?;
    let upload = story.client.lab_reports().upload(DOCUMENT.as_bytes(), "report.txt");
    let receipt = story.call(upload).await?.into_inner().lab_report;
    story.line(&format!("report.txt, {} bytes of text: {}", DOCUMENT.len(), receipt.status))?;
    let report = analysed(story, receipt.record_id.as_str()).await?;
    let found = match &report.parsing_error {
        Some(error) => error.clone(),
        None => format!("{} results found in it", results(&report).count()),
    };
    story.line(&format!("{}: {found}", paint(STRONG, report.status.as_str())))?;
    story.line("")?;
    let now = Timestamp::from(story.sandbox.world().now());
    let from = Timestamp::from_unix(now.unix_seconds() - BACK, 0).unwrap_or_default();
    let mut list = story.call(story.client.lab_reports().list().from_timestamp(from)).await?.into_inner();
    list.sort_by_key(|report| report.uploaded_at);
    story.table(&overview(&list, &report))?;
    // The one that tells most, of those that were there before the demo.
    let seeded = list.iter().filter(|listed| listed.record_id != report.record_id);
    let Some(fullest) = seeded.max_by_key(|report| results(report).count()) else { return Ok(()) };
    let date = fullest.collection_date.as_deref().unwrap_or("?");
    let laboratory = fullest.lab_information.as_ref().and_then(|lab| lab.name.as_deref()).unwrap_or("an unknown laboratory");
    story.line("")?;
    story.line(&format!("{}, {laboratory}", paint(STRONG, &format!("The report of {date}"))))?;
    story.table(&details(fullest))
}

/// Reads the report until its analysis is over.
async fn analysed(story: &mut Story<'_>, id: &str) -> Result<LabReport, Failure> {
    for _ in 0..LOOKS {
        let report = story.call(story.client.lab_reports().get(id)).await?.into_inner();
        if !matches!(report.status, LabReportStatus::Pending | LabReportStatus::Processing) {
            return Ok(report);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(Failure::Local("the analysis does not end", None))
}

fn results(report: &LabReport) -> impl Iterator<Item = &LabResult> {
    report.sections.iter().flat_map(|section| section.results.iter())
}

/// A line a report.
fn overview(list: &[LabReport], uploaded: &LabReport) -> Table {
    let mut table = Table::new().left("collected").left("uploaded").left("status").right("results").right("out of range").gives("");
    for report in list {
        let outside = results(report).filter(|result| result.within_normal_range == Some(false)).count();
        table.row([
            report.collection_date.clone().unwrap_or_default().into(),
            report.uploaded_at.map_or_else(String::new, date).into(),
            report.status.as_str().into(),
            results(report).count().to_string().into(),
            Cell::new(outside.to_string(), if outside > 0 { WARN } else { GOOD }),
            Cell::new(if report.record_id == uploaded.record_id { "just uploaded" } else { "" }, FAINT),
        ]);
    }
    table
}

/// A line a result.
fn details(report: &LabReport) -> Table {
    let mut table = Table::new().gives("test").right("value").left("unit").right("range").left("").left("flag");
    for result in results(report) {
        let bound = |bound: Option<f64>| bound.map_or_else(String::new, |bound| brief(bound, 4));
        let name = result.standard_test_name.as_ref().or(result.original_test_name.as_ref());
        let unit = result.standard_unit_name.as_ref().or(result.original_unit_name.as_ref());
        table.row([
            name.cloned().unwrap_or_default().into(),
            Cell::new(value(result), STRONG),
            Cell::new(unit.cloned().unwrap_or_default(), FAINT),
            format!("{}–{}", bound(result.normal_min), bound(result.normal_max)).into(),
            Cell::new(gauge(result).unwrap_or_default(), CURVE),
            flag(result),
        ]);
    }
    table
}

/// The value as the laboratory printed it, or the number.
fn value(result: &LabResult) -> String {
    result.value_text.clone().or_else(|| result.value.map(|value| brief(value, 4))).unwrap_or_default()
}

/// What a reader should notice. Whether a value is within its range is the service's judgement; only the side of it is worked out here.
fn flag(result: &LabResult) -> Cell {
    let above = result.value.zip(result.normal_max).is_some_and(|(value, most)| value > most);
    let outside = match result.within_normal_range {
        Some(true) => Cell::new("ok", GOOD),
        Some(false) if above => Cell::new("high", BAD),
        Some(false) => Cell::new("low", BAD),
        None => Cell::from(""),
    };
    if result.require_human_review == Some(true) { Cell::new("review", WARN) } else { outside }
}

/// Where the value lies: the middle third of the picture is the range; what lies further outside than a third stands at the edge.
fn gauge(result: &LabResult) -> Option<String> {
    let (value, least, most) = (result.value?, result.normal_min?, result.normal_max?);
    let width = most - least;
    if !(width > 0.0 && width.is_finite() && value.is_finite()) {
        return None;
    }
    let third = GAUGE / 3;
    let share = (value - least) / width;
    // Within the range a value is drawn within its marks, however near it is.
    let place = third as f64 + (share * third as f64).floor();
    let place = if value == most { (2 * third - 1) as f64 } else { place };
    let place = place.clamp(0.0, (GAUGE - 1) as f64) as usize;
    let line = (0..GAUGE).map(|at| match at {
        _ if at == place => '●',
        _ if (third..2 * third).contains(&at) => '━',
        _ => '·',
    });
    Some(line.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(value: f64) -> LabResult {
        let body = format!(r#"{{"value":{value},"normal_min":4.0,"normal_max":11.0,"value_text":"{value:.1}"}}"#);
        serde_json::from_str(&body).expect("a result")
    }

    #[test]
    fn the_gauge_shows_where_a_value_lies() {
        // The range 4 to 11 is drawn by five columns of 1.4 each; so are the two ranges beside it, -3 to 4 and 11 to 18.
        for (value, picture) in [
            (4.0, "·····●━━━━·····"),
            (7.5, "·····━━●━━·····"),
            (11.0, "·····━━━━●·····"),
            (11.1, "·····━━━━━●····"),
            (3.9, "····●━━━━━·····"),
            (-50.0, "●····━━━━━·····"),
            (900.0, "·····━━━━━····●"),
        ] {
            assert_eq!(gauge(&result(value)).as_deref(), Some(picture), "{value}");
        }
        let pointless: LabResult = serde_json::from_str(r#"{"value":1,"normal_min":2,"normal_max":2}"#).expect("a result");
        assert_eq!(gauge(&pointless), None);
    }

    #[test]
    fn flags_follow_the_services_judgement() {
        let flagged = |rest: &str| {
            let body = format!(r#"{{"value":12,"normal_min":4,"normal_max":11{rest}}}"#);
            let mut table = Table::untitled().left("");
            table.row([flag(&serde_json::from_str(&body).expect("a result"))]);
            anstream::adapter::strip_str(&table.lines(80)[0]).to_string()
        };
        assert_eq!(flagged(r#","within_normal_range":false"#), "high");
        assert_eq!(flagged(r#","within_normal_range":true"#), "ok");
        assert_eq!(flagged(r#","within_normal_range":false,"require_human_review":true"#), "review");
        assert_eq!(flagged(""), "");
    }
}
