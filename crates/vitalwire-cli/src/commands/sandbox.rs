//! `vitalwire sandbox`: runs a local service with synthetic people until it is stopped.

use std::io;
use std::time::Duration;

use jiff::ToSpan as _;
use serde_json::json;
use tokio::sync::oneshot;
use vitalwire_sandbox::{Error, Fault, Person, Sandbox, Webhook};

use super::local_sandbox;
use super::signals::Signals;
use crate::cli::{SandboxOptions, ServeOptions};
use crate::failure::{Failure, Interruption, warn};
use crate::output::Output;
use crate::render::style::{FAINT, HEADING, STRONG, clean, paint, wrap};
use crate::shell::quote;

const SERVING: &str = "Serving until Ctrl-C.";
/// Maximum number of users in the introduction.
const MAX_LISTED: usize = 8;
/// Time for requests in flight to end after a stop. A parent that closed our stdin expects the process to exit within 2 seconds.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

pub(crate) async fn run(sandbox_options: SandboxOptions, options: ServeOptions) -> Result<(), Failure> {
    // Listen before printing: a reader of the output may stop the process at once.
    let mut signals = Signals::new()?;
    let is_persistent = sandbox_options.db.is_some();
    let mut builder = local_sandbox::builder(sandbox_options, &options.bind);
    for host in &options.allow_host {
        builder = builder.allow_host(host);
    }
    if let Some(url) = &options.webhook_url {
        for webhook in Webhook::ALL {
            builder = builder.webhook(webhook, url);
        }
    }
    if let Some(folder) = &options.replay {
        builder = builder.replay(folder);
    }
    let sandbox = builder.start().await.map_err(|error| match (error, &options.replay) {
        (Error::Bind(error), _) => Failure::Listen(options.bind.clone(), error),
        (Error::Replay(error), Some(folder)) => Failure::Input(format!("{} cannot be replayed: {error}", folder.display())),
        (error, _) => error.into(),
    })?;
    let person = sandbox.people().first().ok_or(Failure::Local("the sandbox has no people", None))?;
    let is_unknown = |user: &str| sandbox.people().iter().all(|person| person.user_id != user);
    if options.replay.is_none() && options.faults.iter().filter_map(Fault::user).any(is_unknown) {
        return Err(Failure::Usage(
            "the user of --fault must be one of the sandbox's people",
            "their ids are person-1, person-2 and so on; --people sets their number",
        ));
    }
    for fault in options.faults {
        sandbox.app().faults().add(fault);
    }
    let mut out = Output::stdout();
    let outcome = if options.ready_json {
        print_ready_line(&mut out, &sandbox, person)
    } else if let Some(token) = sandbox.replay_token() {
        print_replay_introduction(&mut out, &sandbox, token)
    } else {
        print_introduction(&mut out, &sandbox, person)
    };
    let outcome = outcome.and_then(|()| out.flush());
    let mut signal_received = None;
    if outcome.is_ok() {
        let app = sandbox.app().clone();
        // Ends with the program.
        tokio::spawn(async move {
            app.forgets().await;
            warn("the oldest uploads are dropped from now on: memory keeps about 10000 of each kind, --db FILE keeps all");
        });
        if options.ready_json {
            let stdin_end = stdin_closed();
            tokio::select! {
                signal = signals.next() => signal_received = Some(signal),
                _ = stdin_end => {}
            }
        } else {
            signal_received = Some(signals.next().await);
        }
    }
    // Requests that are still in flight then are aborted when the program exits.
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, sandbox.shutdown()).await;
    outcome?;
    let state = if is_persistent { "the sandbox has ended, and its data is kept" } else { "the sandbox has ended, and its data with it" };
    match signal_received {
        Some(signal) => Err(Failure::Interrupted(Interruption::without_outcome(signal, state, None))),
        None => Ok(()),
    }
}

/// Writes one line with everything that a program needs. The keys and tokens in it are synthetic, except the token of a replay.
fn print_ready_line(out: &mut Output, sandbox: &Sandbox, person: &Person) -> io::Result<()> {
    let night = sandbox.app().last_night(person);
    let line = json!({
        "synthetic": sandbox.replay_token().is_none(),
        "base_url": sandbox.base_url(),
        "care_base_url": sandbox.care_base_url(),
        "control_url": sandbox.app().control_url(),
        "token": sandbox.replay_token().unwrap_or(&person.token),
        "care_token": sandbox.replay_token().unwrap_or_else(|| sandbox.care_token()),
        "application_id": sandbox.application_id(),
        "application_key": sandbox.application_key(),
        "webhook_key": sandbox.app().webhook_key(),
        "user_id": person.user_id,
        "user_ids": sandbox.people().iter().map(|person| person.user_id.as_str()).collect::<Vec<_>>(),
        "sleep_id": person.sleep_id(night),
        "sleep_date": night.to_string(),
        "today": sandbox.app().today().to_string(),
    });
    out.line(&line.to_string())
}

/// Prints the base URLs and the token of a replay.
fn print_replay_introduction(out: &mut Output, sandbox: &Sandbox, token: &str) -> io::Result<()> {
    out.line(&paint(HEADING, "A replay of recorded exchanges"))?;
    let text = "The data is recorded and may be that of real people. Every response needs the token of this run; keep it secret.";
    for line in wrap(text, out.width()) {
        out.line(&line)?;
    }
    out.line("")?;
    for (name, value) in
        [("BASE_URL", sandbox.base_url()), ("CARE_BASE_URL", &sandbox.care_base_url()), ("TOKEN", token), ("CARE_TOKEN", token)]
    {
        out.line(&format!("export VITALWIRE_{name}={value}"))?;
    }
    out.line("")?;
    out.line(SERVING)
}

/// Prints the URL, the tokens and some calls to try.
fn print_introduction(out: &mut Output, sandbox: &Sandbox, person: &Person) -> io::Result<()> {
    let (today, room) = (sandbox.app().today(), out.width());
    out.line(&paint(HEADING, "A sandbox of the health data service"))?;
    for line in
        wrap("All data is synthetic: nobody it describes exists. The keys and tokens follow from the seed and are no secrets.", room)
    {
        out.line(&line)?;
    }
    out.line("")?;
    let page = format!("{}/", sandbox.base_url());
    for (name, value) in [("page", page), ("health service", sandbox.base_url().to_owned()), ("care service", sandbox.care_base_url())] {
        out.line(&format!("  {name:<16}{}", paint(STRONG, &value)))?;
    }
    let listed = sandbox.people().iter().take(MAX_LISTED);
    let mut people: Vec<String> = listed.map(|person| format!("{} ({})", person.user_id, person.time_zone)).collect();
    if let Some(more) = sandbox.people().len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        people.push(format!("and {more} more"));
    }
    for (at, person) in people.iter().enumerate() {
        out.line(&format!("  {:<16}{person}", if at == 0 { "users" } else { "" }))?;
    }
    let webhooks = receivers(sandbox);
    for (url, kinds) in &webhooks {
        out.line(&format!("  {:<16}{} ({})", "webhooks to", paint(STRONG, &clean(url)), kinds.join(", ")))?;
    }
    if !webhooks.is_empty() {
        out.line(&format!("  {:<16}{}", "webhook key", clean(&sandbox.app().webhook_key())))?;
    }
    out.line("")?;
    out.line(&paint(FAINT, "# For this shell; `vitalwire` clients read the same names."))?;
    out.line(&format!("export VITALWIRE_BASE_URL={}", sandbox.base_url()))?;
    out.line(&format!("export VITALWIRE_CARE_BASE_URL={}", sandbox.care_base_url()))?;
    out.line(&format!("export VITALWIRE_TOKEN={}", sandbox.token()))?;
    out.line(&format!("export VITALWIRE_CARE_TOKEN={}", sandbox.care_token()))?;
    out.line(&paint(FAINT, "# Id and key of the application, for `vitalwire token` and the programs of the guides."))?;
    out.line(&format!("export APPLICATION_ID={}", sandbox.application_id()))?;
    out.line(&format!("export APPLICATION_KEY={}", quote(sandbox.application_key())))?;
    out.line("")?;
    for (what, path) in [
        ("who the user is", "userinfo".to_owned()),
        ("last night", format!("queries/sleeps/{}?include_stages=true", person.sleep_id(sandbox.app().last_night(person)))),
        (
            "steps of a fortnight",
            format!("queries/statistics/daily?types=steps&from_date={}&to_date={today}", today.saturating_sub(13.days())),
        ),
        ("lab reports", format!("lab_reports?from_timestamp={}T00:00:00Z", today.saturating_sub(220.days()))),
    ] {
        out.line(&paint(FAINT, &format!("# {what}")))?;
        out.line("curl -H \"Authorization: Bearer $VITALWIRE_TOKEN\" \\")?;
        out.line(&format!("  \"$VITALWIRE_BASE_URL/v3/{path}\""))?;
    }
    out.line(&paint(FAINT, "# what a policy pays (the care service has a token of its own)"))?;
    out.line("curl -H \"Authorization: Bearer $VITALWIRE_CARE_TOKEN\" \\")?;
    out.line("  \"$VITALWIRE_CARE_BASE_URL/public/v1/clinics/c/patients/p/policies/1/benefits\"")?;
    if !webhooks.is_empty() {
        out.line(&paint(
            FAINT,
            "# whether a webhook is genuine: its body as it came in the file body.json, its header X-Body-Signature in SIGNATURE",
        ))?;
        out.line(&format!("export VITALWIRE_WEBHOOK_KEY={}", quote(sandbox.app().webhook_key())))?;
        out.line("vitalwire webhook verify --key-env VITALWIRE_WEBHOOK_KEY --signature \"$SIGNATURE\" body.json")?;
    }
    out.line("")?;
    out.line(SERVING)
}

/// Returns the receivers of webhooks, with the kinds that each one gets.
fn receivers(sandbox: &Sandbox) -> Vec<(String, Vec<&'static str>)> {
    let mut receivers: Vec<(String, Vec<&'static str>)> = Vec::new();
    for webhook in Webhook::ALL {
        let Some(url) = sandbox.app().webhook_url(webhook) else { continue };
        match receivers.iter_mut().find(|(known, _)| *known == url) {
            Some((_, kinds)) => kinds.push(webhook.name()),
            None => receivers.push((url, vec![webhook.name()])),
        }
    }
    receivers
}

/// Resolves when stdin ends, because the parent closed it or exited.
fn stdin_closed() -> oneshot::Receiver<()> {
    let (closed, receiver) = oneshot::channel();
    // Use a plain thread: the runtime would wait for its own blocking read at shutdown.
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // The receiver was dropped if a signal came first.
        let _ = closed.send(());
    });
    receiver
}
