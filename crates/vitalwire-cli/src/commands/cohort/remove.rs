//! `vitalwire cohort remove`.

use vitalwire_cohort::dataset::Dataset;

use super::super::on_thread;
use super::text::{count, number_text};
use super::{Task, failure, pseudonym_key};
use crate::cli::{Connection, Format, RemoveOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table::Table;
use crate::screen::Screen;

pub(super) async fn run(connection: &Connection, options: &RemoveOptions) -> Result<(), Failure> {
    let user = match &options.pseudonym_key_file {
        Some(path) => {
            let path = path.clone();
            let key = on_thread(move || pseudonym_key(&path)).await?;
            let dataset = Dataset::open(&options.folder).map_err(failure(Task::ReadDataset))?;
            dataset.shown_id(&options.user, Some(&key)).map_err(failure(Task::ReadDataset))?
        }
        None => options.user.clone(),
    };
    let removed = Dataset::remove_user(&options.folder, &user).map_err(failure(Task::ReadDataset))?;
    if connection.format == Some(Format::Json) {
        return super::super::session::write(&super::json(&removed), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, false);
    screen.title(&format!("Removed 1 user from {}", options.folder.display()))?;
    let mut table = Table::new().left("table").right("rows removed");
    for (name, rows) in &removed.rows {
        table.row([name.as_str().into(), number_text(*rows).into()]);
    }
    screen.table(&table)?;
    screen.line(&format!("{} written again", count(removed.files, "file")))?;
    screen.line(&format!("SHA-256 of the id: {}", removed.sha256))?;
    screen.note("later runs leave the user out")?;
    screen.finish()
}
