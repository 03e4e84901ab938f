//! Mock service with the daily steps of several users.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use vitalwire::Client;
use vitalwire::cohort::{Budget, CohortReader, Credential, People};
use vitalwire::value::Date;
use vitalwire_testkit::{Server, json, problem};

use super::date;

/// Steps by user and day. A user's token is `token-`, followed by the user id.
type Steps = Arc<Mutex<BTreeMap<String, BTreeMap<Date, i32>>>>;

/// A mock service. Tests can change its data.
pub(super) struct Service {
    pub(super) server: Server,
    steps: Steps,
}

impl Service {
    /// Starts a service with `steps(user, day)` for each day of January 2025. `user` is an index in `users`, and `day` counts from 0.
    pub(super) fn start(users: &[&str], steps: impl Fn(usize, i32) -> Option<i32>) -> Self {
        let first = date("2025-01-01");
        let of_user = |at: usize| (0..31).filter_map(|day| Some((first.plus_days(day)?, steps(at, day)?))).collect();
        let all: BTreeMap<String, BTreeMap<Date, i32>> =
            users.iter().enumerate().map(|(at, user)| ((*user).to_owned(), of_user(at))).collect();
        let steps: Steps = Arc::new(Mutex::new(all));
        let known = Arc::clone(&steps);
        let server = Server::with_script(move |request, _| {
            let user = request.bearer().and_then(|token| token.strip_prefix("token-")).unwrap_or_default();
            let known = known.lock().unwrap();
            let Some(steps) = known.get(user) else { return problem(401, "expired jwt") };
            let parameter = |name: &str| -> Date {
                let (_, rest) = request.target().split_once(&format!("{name}=")).unwrap();
                date(rest.split('&').next().unwrap())
            };
            let (from, to) = (parameter("from_date"), parameter("to_date"));
            let rows = steps.range(from..=to).map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#));
            let rows: Vec<String> = rows.collect();
            json(200, &format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, rows.join(",")))
        });
        Self { server, steps }
    }

    /// Changes the steps of a user.
    pub(super) fn change(&self, user: &str, change: impl FnOnce(&mut BTreeMap<Date, i32>)) {
        change(self.steps.lock().unwrap().get_mut(user).unwrap());
    }

    /// Deletes a user. The service then rejects the user's token.
    pub(super) fn delete(&self, user: &str) {
        self.steps.lock().unwrap().remove(user);
    }

    pub(super) fn reader(&self, users: &[&str]) -> CohortReader {
        let people = users.iter().map(|user| (*user, Credential::Token(format!("token-{user}").into())));
        let builder = Client::builder().base_url(self.server.url()).retry_delay_scale(0.0);
        CohortReader::new(builder, People::new(people).unwrap(), Budget::new()).unwrap()
    }
}
