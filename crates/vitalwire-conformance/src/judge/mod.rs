//! The judge: plays each case's server, receives the outcome, and decides whether the case passes.

mod control;
mod doors;
mod expect;
mod http;
mod posted;
mod reply;
mod serve;
mod state;
mod tls;
mod told;
mod verdict;
mod wire;

use std::sync::Arc;

use self::doors::Doors;
use self::serve::Desk;
use self::state::State;
use crate::case::{Case, Port};
use crate::ledger::Limits;
use crate::plan::{self, Addresses};
use crate::set::Set;

/// A running judge.
pub struct Judge {
    desk: Desk,
    doors: Doors,
    ca: String,
}

impl Judge {
    /// Opens the ports for a set of cases.
    ///
    /// # Errors
    ///
    /// If a port or a certificate cannot be created.
    pub async fn open(set: Arc<Set>) -> anyhow::Result<Self> {
        let certificates = tls::make()?;
        let desk = Desk { state: Arc::new(State::new(set)), by_proxy: Arc::default(), control: Arc::default() };
        let doors = Doors::open(&desk, &certificates).await?;
        Ok(Self { desk, doors, ca: certificates.ca })
    }

    /// Returns the URL at which a runner gets its plan and posts outcomes. Append a slash and the run's name.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/judge", self.doors.url(Port::Plain))
    }

    /// Plans these cases for a run, which has the name of a language.
    ///
    /// # Errors
    ///
    /// If a case cannot be planned.
    pub fn plan(&self, run: &str, cases: &[&Case]) -> anyhow::Result<()> {
        let fixtures = self.desk.state.set.fixtures();
        let plan = |case: &&Case| {
            let start = format!("{}/{run}/{}", self.doors.url(case.client.port), case.id);
            let proxy = case.client.proxy.map(|proxy| self.doors.proxy(proxy));
            let addresses = Addresses { health: format!("{start}/h"), care: format!("{start}/c"), proxy, ca: self.ca.clone() };
            plan::of(case, &addresses, &fixtures, state::usual_token)
        };
        let cases = cases.iter().map(plan).collect::<anyhow::Result<_>>()?;
        self.desk.control.plan(run, cases);
        Ok(())
    }

    /// Returns the ids of the cases whose canaries appear in the log of a run.
    ///
    /// # Errors
    ///
    /// If there are too many canaries to search for.
    pub fn leaks<'a>(&self, run: &str, cases: &[&'a Case]) -> anyhow::Result<Vec<&'a str>> {
        verdict::leaks(&self.desk.state, run, cases)
    }

    /// Returns why a case fails in a run. Returns nothing if it passes. `limits` has the limits of the language's types.
    #[must_use]
    pub fn verdict(&self, run: &str, case: &Case, limits: Limits) -> Vec<String> {
        verdict::of(&self.desk.state, run, case, limits)
    }

    /// Whether a case has no outcome in a run, or a timeout error.
    #[must_use]
    pub fn ran_out_of_time(&self, run: &str, case: &Case) -> bool {
        verdict::ran_out_of_time(&self.desk.state, run, case)
    }
}
