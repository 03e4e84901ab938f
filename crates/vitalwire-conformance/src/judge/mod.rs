//! The judge: serves the scripted responses of each case, receives the outcome, and decides whether the case passes.

mod attempts;
mod connection_handler;
mod control;
mod http;
mod listeners;
mod posted;
mod reply;
mod request_check;
mod state;
mod syncs;
mod tls;
mod verdict;
mod wire;

use std::sync::Arc;

use self::connection_handler::ConnectionHandler;
use self::listeners::Listeners;
use self::state::State;
use crate::case::{Case, Port};
use crate::ledger::Limits;
use crate::plan::{self, Addresses};
use crate::set::Set;

/// A running judge.
pub struct Judge {
    handler: ConnectionHandler,
    listeners: Listeners,
    ca: String,
}

impl Judge {
    /// Opens the ports for a set of cases.
    ///
    /// # Errors
    ///
    /// If a port or a certificate cannot be created.
    pub async fn open(set: Arc<Set>) -> anyhow::Result<Self> {
        let certificates = tls::create()?;
        let handler = ConnectionHandler { state: Arc::new(State::new(set)), via_proxy: Arc::default(), control: Arc::default() };
        let listeners = Listeners::open(&handler, &certificates).await?;
        Ok(Self { handler, listeners, ca: certificates.ca })
    }

    /// Returns the URL at which a runner gets its plan and posts outcomes. Append a slash and the run's name.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/judge", self.listeners.url(Port::Plain))
    }

    /// Plans these cases for a run, which has the name of a language.
    ///
    /// # Errors
    ///
    /// If a case cannot be planned.
    pub fn plan(&self, run: &str, cases: &[&Case]) -> anyhow::Result<()> {
        let fixtures = self.handler.state.set.fixtures();
        let plan = |case: &&Case| {
            let start = format!("{}/{run}/{}", self.listeners.url(case.client.port), case.id);
            let proxy = case.client.proxy.map(|proxy| self.listeners.proxy(proxy));
            let addresses = Addresses { health: format!("{start}/h"), care: format!("{start}/c"), proxy, ca: self.ca.clone() };
            plan::planned_case(case, &addresses, &fixtures, state::default_token)
        };
        let cases = cases.iter().map(plan).collect::<anyhow::Result<_>>()?;
        self.handler.control.plan(run, cases);
        Ok(())
    }

    /// Returns the ids of the cases whose canaries appear in the log of a run.
    ///
    /// # Errors
    ///
    /// If there are too many canaries to search for.
    pub fn leaks<'a>(&self, run: &str, cases: &[&'a Case]) -> anyhow::Result<Vec<&'a str>> {
        verdict::leaks(&self.handler.state, run, cases)
    }

    /// Returns the reasons why a case fails in a run. Returns none if it passes. `limits` has the limits of the language's types.
    #[must_use]
    pub fn verdict(&self, run: &str, case: &Case, limits: Limits) -> Vec<String> {
        verdict::failure_reasons(&self.handler.state, run, case, limits)
    }

    /// Whether a case has no outcome in a run, or a timeout error.
    #[must_use]
    pub fn timed_out(&self, run: &str, case: &Case) -> bool {
        verdict::timed_out(&self.handler.state, run, case)
    }
}
