//! State shared by all screens: the output, the client, and results of earlier screens.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use vitalwire::client::{Call, Operation, Response};
use vitalwire::open_sets::ProviderSlug;
use vitalwire::{Client, Error, OPERATIONS};
use vitalwire_sandbox::{Person, Sandbox};

use crate::commands::local_sandbox;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::style::{BAD, FAINT, GOOD, STRONG, join_wrapped, paint};
use crate::screen::Screen;

/// Maximum width of a screen, in columns.
const COLUMNS: usize = 80;
/// Delay between two polls of a record whose analysis has not ended.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const MAX_POLLS: u32 = 60;

pub(crate) struct DemoState<'a> {
    screen: Screen,
    /// The client, without a token until one has been exchanged.
    pub(crate) client: Client,
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) person: &'a Person,
    /// The user's offset from UTC in minutes, from the record of the last night.
    pub(crate) offset_minutes: i64,
    pub(crate) last_provider: Option<ProviderSlug>,
    screens: u32,
    /// Ids of the operations called so far.
    called_operations: BTreeSet<&'static str>,
    call_count: u32,
    wait_time: Duration,
    started: Instant,
}

impl<'a> DemoState<'a> {
    pub(crate) fn new(sandbox: &'a Sandbox, person: &'a Person) -> Result<Self, Error> {
        let client = local_sandbox::client(sandbox, None)?;
        Ok(Self {
            screen: Screen::new(Output::stdout(), true),
            client,
            sandbox,
            person,
            offset_minutes: 0,
            last_provider: None,
            screens: 0,
            called_operations: BTreeSet::new(),
            call_count: 0,
            wait_time: Duration::ZERO,
            started: Instant::now(),
        })
    }

    pub(crate) fn introduce(&mut self) -> Result<(), Failure> {
        let base = self.sandbox.base_url().to_owned();
        self.screen.plain(&paint(STRONG, "Vitalwire: a walk through the health data service"))?;
        if self.width() < COLUMNS {
            let columns = self.width();
            self.note(&format!("This tour needs {COLUMNS} columns. The terminal has {columns}: longer lines are broken."))?;
        }
        self.note(&format!(
            "A sandbox serves invented people at {base}; the client calls it over HTTP as it would call the real service. \
             All data is synthetic: nobody it describes exists."
        ))
    }

    pub(crate) fn summarize(&mut self) -> Result<(), Failure> {
        self.rule("The end")?;
        let (call_count, wait_time, whole) = (self.call_count, milliseconds(self.wait_time), milliseconds(self.started.elapsed()));
        self.line(&format!("{call_count} calls, {wait_time} waiting for responses, {whole} in all."))?;
        for operation in OPERATIONS.iter().filter(|operation| !self.called_operations.contains(operation.id)) {
            let line = format!("not shown: {} {}", operation.http_method, operation.path);
            self.screen.note(&line)?;
        }
        self.line(&format!("{}  serves the same people until Ctrl-C", paint(STRONG, "vitalwire sandbox")))?;
        self.flush()
    }

    /// Begins a screen.
    pub(crate) fn heading(&mut self, title: &str) -> Result<(), Failure> {
        self.screens += 1;
        let title = format!("{}  {title}", self.screens);
        self.rule(&title)
    }

    /// Makes a call and shows its operation and outcome.
    pub(crate) async fn call<O: Operation>(&mut self, call: Call<O>) -> Result<Response<O::Output>, Failure> {
        Ok(self.attempt(call).await??)
    }

    /// Makes a call whose error is part of the demo. The outer error is one of the output.
    pub(crate) async fn attempt<O: Operation>(&mut self, call: Call<O>) -> Result<Result<Response<O::Output>, Error>, Failure> {
        let started = Instant::now();
        let response = call.send().await;
        let duration = started.elapsed();
        let status = response.as_ref().map_or_else(Error::status, |response| Some(response.metadata().status));
        let (style, status) = match (&response, status) {
            (Ok(_), Some(status)) => (GOOD, status.to_string()),
            (_, Some(status)) => (BAD, status.to_string()),
            (_, None) => (BAD, "not sent".to_owned()),
        };
        if status != "not sent" {
            self.called_operations.insert(O::META.id);
            self.call_count += 1;
            self.wait_time += duration;
        }
        let duration = milliseconds(duration);
        let method = O::META.http_method;
        // Break a long path after a slash; the last line leaves room for the outcome.
        let room = self.available_width().saturating_sub(method.len() + 1 + status.len() + duration.len() + 4);
        let mut path = join_wrapped(O::META.path.split_inclusive('/'), "", room);
        let last = path.pop().unwrap_or_default();
        let mut lead = format!("{method} ");
        for part in path {
            self.line(&paint(FAINT, &format!("{lead}{part}")))?;
            lead = " ".repeat(lead.len());
        }
        self.line(&format!("{}  {}  {}", paint(FAINT, &format!("{lead}{last}")), paint(style, &status), paint(FAINT, &duration)))?;
        Ok(response)
    }

    /// Polls a record until its analysis ends.
    pub(crate) async fn wait_for_analysis<O: Operation>(
        &mut self,
        read: impl Fn(&Client) -> Call<O>,
        is_pending: impl Fn(&O::Output) -> bool,
    ) -> Result<O::Output, Failure> {
        for _ in 0..MAX_POLLS {
            let record = self.call(read(&self.client)).await?.into_inner();
            if !is_pending(&record) {
                return Ok(record);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Err(Failure::Local("the analysis did not end in time", None))
    }

    /// Returns the user's current date in the sandbox.
    pub(crate) fn today(&self) -> Date {
        let now = vitalwire::value::Timestamp::from(self.sandbox.app().now());
        now.local(self.offset_minutes).map_or_else(|| self.sandbox.app().today(), |local| local.date())
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1_000.0)
}

impl Deref for DemoState<'_> {
    type Target = Screen;

    fn deref(&self) -> &Screen {
        &self.screen
    }
}

impl DerefMut for DemoState<'_> {
    fn deref_mut(&mut self) -> &mut Screen {
        &mut self.screen
    }
}
