//! `vitalwire record`: a proxy that forwards requests to a service and writes every exchange into a folder.

mod encodings;
mod json;
mod proxy;
mod replace;

use std::fs;
use std::path::Path;

use tokio::net::TcpListener;

use self::proxy::Recorder;
use super::signals::Signals;
use super::{local_sandbox, on_thread};
use crate::cli::{Connection, RecordOptions};
use crate::config::Settings;
use crate::failure::{Failure, Interruption, note};
use crate::output::Output;
use crate::render::style::clean_path;

pub(crate) async fn run(connection: Connection, options: RecordOptions) -> Result<(), Failure> {
    let mut signals = Signals::new()?;
    let (client, sandbox) = if connection.sandbox {
        let sandbox = local_sandbox::start(connection.sandbox_options, local_sandbox::ANY_PORT).await?;
        (local_sandbox::client(&sandbox, None)?, Some(sandbox))
    } else {
        let load = on_thread(move || Settings::load(&connection)?.forwarding_client());
        let client = tokio::select! {
            client = load => client?,
            signal = signals.next() => {
                return Err(Failure::Interrupted(Interruption::without_outcome(signal, "nothing was recorded", None)));
            }
        };
        (client, None)
    };
    let listening = |error| Failure::Listen(options.bind.clone(), error);
    let listener = TcpListener::bind(&options.bind).await.map_err(listening)?;
    let address = listener.local_addr().map_err(listening)?;
    if !address.ip().is_loopback() {
        return Err(Failure::Local("the recorder must listen on a loopback address, because tokens pass through it", None));
    }
    // A recorder that cannot start leaves no folder.
    prepare(&options.to)?;
    let recorder = Recorder::new(client, format!("http://{address}"), options.to.clone());
    let mut out = Output::stdout();
    out.line(&format!("export VITALWIRE_BASE_URL=http://{address}"))?;
    out.line(&format!("export VITALWIRE_CARE_BASE_URL=http://{address}"))?;
    if let Some(sandbox) = &sandbox {
        out.line(&format!("export VITALWIRE_TOKEN={}", sandbox.token()))?;
        out.line(&format!("export VITALWIRE_CARE_TOKEN={}", sandbox.care_token()))?;
    }
    out.flush()?;
    note("Recording until Ctrl-C. Credentials and ids are replaced; health data and free text are recorded as they are.");
    let served = axum::serve(listener, recorder.router());
    let signal = tokio::select! {
        served = std::future::IntoFuture::into_future(served) => {
            return served.map_err(|error| Failure::Local("the recorder ended", Some(error)));
        }
        signal = signals.next() => signal,
    };
    let state = format!("{} exchanges were recorded", recorder.count());
    Err(Failure::Interrupted(Interruption::without_outcome(signal, &state, None)))
}

/// Creates the folder. Rejects one with another recording, because the same id would get two replacements.
fn prepare(folder: &Path) -> Result<(), Failure> {
    let failure = |reason: &str| Failure::File(format!("the folder {} {reason}", clean_path(folder)), ANOTHER_FOLDER.to_owned());
    let unusable = |error| failure(&format!("cannot be written to: {error}"));
    vitalwire::private_files::create_folder(folder).map_err(unusable)?;
    let mut files = fs::read_dir(folder).map_err(unusable)?;
    if files.next().is_some() {
        return Err(failure("of a new recording must be empty"));
    }
    tempfile::tempfile_in(folder).map(drop).map_err(|error| unusable(error.kind().into()))
}

const ANOTHER_FOLDER: &str = "name another folder with --to";
