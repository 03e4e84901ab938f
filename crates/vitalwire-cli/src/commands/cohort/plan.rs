//! `vitalwire cohort plan`.

use vitalwire::cohort::Plan;

use super::export::format_duration;
use super::setup::Setup;
use crate::cli::{Connection, Format, PlanOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::number::grouped;
use crate::render::table::Table;
use crate::screen::Screen;

pub(super) async fn run(connection: Connection, options: PlanOptions) -> Result<(), Failure> {
    let setup = Setup::new(&connection, &options.cohort).await?;
    let plan = Plan::new(setup.people.ids(), options.cohort.tables.iter().copied(), setup.days)?;
    if let Some(sandbox) = setup.sandbox {
        sandbox.shutdown().await;
    }
    if connection.format == Some(Format::Json) {
        return super::super::session::write(&super::json(&plan), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    screen.title(&format!("Plan for {} users, {} to {}", setup.people.len(), setup.days.first(), setup.days.last()))?;
    let mut table = Table::new().left("table").left("from").left("to").right("users").right("requests");
    for item in plan.items() {
        table.row([
            item.table.as_str().into(),
            item.from.to_string().into(),
            item.to.to_string().into(),
            item.users.len().to_string().into(),
            item.requests().to_string().into(),
        ]);
    }
    screen.table(&table)?;
    #[allow(clippy::cast_precision_loss, reason = "a text")]
    let requests = grouped(plan.requests() as f64, 0);
    let time = plan.seconds(setup.budget).map_or_else(
        || "no rate limit; set one with --per-second".to_owned(),
        |seconds| format!("at least {} at the limit of --per-second", format_duration(seconds)),
    );
    screen.note(&format!("{} items, about {requests} requests; {time}", plan.items().len()))?;
    screen.finish()
}
