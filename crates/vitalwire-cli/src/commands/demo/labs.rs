//! Screen: uploads a laboratory report and lists the reports of the last months.

use vitalwire::models::LabReport;
use vitalwire::open_sets::LabReportStatus;
use vitalwire::value::{OpenSet, Timestamp};

use super::state::DemoState;
use crate::failure::Failure;
use crate::render::number::date;
use crate::render::style::{FAINT, STRONG, paint};
use crate::render::table::{Cell, Table};
use crate::view::labs::{details, out_of_range_count, results};

/// A synthetic document.
pub(crate) const DOCUMENT: &str = "\
Synthetic laboratory report
Laboratory: Example Laboratory (synthetic)
Patient: nobody
Collected: 2025-11-20

HEMATOLOGY
White Blood Count 7.2 K/uL (4.0 - 11.0)
Hemoglobin 11.4 g/dL (12.0 - 17.5)
Platelet Count 268 K/uL (150 - 400)

LIPIDS
Cholesterol, Total 182 mg/dL (120 - 200)
HDL Cholesterol 54 mg/dL (>= 40)
";
/// File name of the document.
pub(crate) const NAME: &str = "report.txt";
/// Length of the list, in seconds. The sandbox's people have three reports in that time.
const LIST_SECONDS: i64 = 220 * 86_400;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("Laboratory reports")?;
    let upload = demo.client.lab_reports().upload(DOCUMENT.as_bytes(), NAME);
    let receipt = demo.call(upload).await?.into_inner().lab_report;
    demo.line(&format!("{NAME}, {} bytes of text: {}", DOCUMENT.len(), receipt.status))?;
    let is_pending = |report: &LabReport| matches!(report.status, LabReportStatus::Pending | LabReportStatus::Processing);
    let report = demo.wait_for_analysis(|client| client.lab_reports().get(receipt.record_id.as_str()), is_pending).await?;
    let found = match &report.parsing_error {
        Some(error) => error.clone(),
        None => format!("{} results found in it", results(&report).count()),
    };
    demo.line(&format!("{}: {found}", paint(STRONG, report.status.as_str())))?;
    demo.line("")?;
    let now = Timestamp::from(demo.sandbox.app().now());
    let from = Timestamp::from_unix(now.unix_seconds() - LIST_SECONDS, 0).unwrap_or_default();
    let mut list = demo.call(demo.client.lab_reports().list().from_timestamp(from)).await?.into_inner();
    list.sort_by_key(|report| report.uploaded_at);
    demo.table(&overview(&list, &report))?;
    // Choose the report with the most results that existed before the demo.
    let seeded = list.iter().filter(|listed| listed.record_id != report.record_id);
    let Some(fullest) = seeded.max_by_key(|report| results(report).count()) else { return Ok(()) };
    let date = fullest.collection_date.as_deref().unwrap_or("?");
    let laboratory = fullest.lab_information.as_ref().and_then(|lab| lab.name.as_deref()).unwrap_or("an unknown laboratory");
    demo.line("")?;
    demo.line(&format!("{}, {laboratory}", paint(STRONG, &format!("The report of {date}"))))?;
    demo.table(&details(fullest))
}

/// Returns a table with one line per report.
fn overview(list: &[LabReport], uploaded: &LabReport) -> Table {
    let mut table = Table::new().left("collected").left("uploaded").left("status").right("results").right("out of range").flexible("");
    for report in list {
        table.row([
            report.collection_date.clone().unwrap_or_default().into(),
            report.uploaded_at.map_or_else(String::new, date).into(),
            report.status.as_str().into(),
            results(report).count().to_string().into(),
            out_of_range_count(report),
            Cell::new(if report.record_id == uploaded.record_id { "just uploaded" } else { "" }, FAINT),
        ]);
    }
    table
}
