//! Mock service with the daily steps of several users.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use vitalwire::Client;
use vitalwire::value::Date;
use vitalwire_cohort::{CohortReader, Credential, RateLimits, UserCredentials};
use vitalwire_testkit::{Reply, Server, response};

use super::date;

/// Returns a JSON response with the service's time.
fn answer(time: &str, body: &str) -> Reply {
    response(200, &[("content-type", "application/json"), ("date", time)], body.as_bytes())
}

/// Steps by user and day. A user's token is `token-`, followed by the user id.
type Steps = Arc<Mutex<BTreeMap<String, BTreeMap<Date, i32>>>>;

/// Changes the body of a response.
pub(super) type Edit = fn(String) -> String;

/// A mock service whose clock shows noon. Tests can change its data and its day.
pub(super) struct Service {
    pub(super) server: Server,
    steps: Steps,
    clock: Arc<Mutex<Clock>>,
}

/// The service's day, and the day on which each user connected a provider.
struct Clock {
    today: Date,
    connected: BTreeMap<String, Date>,
    /// Whether requests for users' information fail.
    has_outage: bool,
    /// Changes the responses with statistics of a user.
    edit: Option<(String, Edit)>,
    /// Delays the responses of a user.
    slow_user: Option<String>,
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
        let clock = Arc::new(Mutex::new(Clock {
            today: date("2025-03-01"),
            connected: BTreeMap::new(),
            has_outage: false,
            edit: None,
            slow_user: None,
        }));
        let shown = Arc::clone(&clock);
        let server = Server::with_script(move |request, _| {
            let user = request.bearer().and_then(|token| token.strip_prefix("token-")).unwrap_or_default();
            let (known, clock) = (known.lock().unwrap(), shown.lock().unwrap());
            let time = clock.today.jiff().strftime("%a, %d %b %Y 12:00:00 GMT").to_string();
            let Some(steps) = known.get(user) else { return response(401, &[("date", &time)], b"{}") };
            if request.target().contains("/userinfo") {
                if clock.has_outage {
                    return response(500, &[("date", &time)], b"{}");
                }
                let connected =
                    clock.connected.get(user).map(|day| format!(r#"{{"created_at":"{day}T08:00:00Z","provider_slug":"oura"}}"#));
                let providers = connected.unwrap_or_default();
                return answer(&time, &format!(r#"{{"application_user_id":"{user}","integrated_providers":[{providers}]}}"#));
            }
            let parameter = |name: &str| -> Date {
                let (_, rest) = request.target().split_once(&format!("{name}=")).unwrap();
                date(rest.split('&').next().unwrap())
            };
            let (from, to) = (parameter("from_date"), parameter("to_date"));
            let rows = steps.range(from..=to).map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#));
            let rows: Vec<String> = rows.collect();
            let body = format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, rows.join(","));
            let is_slow = clock.slow_user.as_deref() == Some(user);
            let body = match &clock.edit {
                Some((edited, edit)) if edited == user => edit(body),
                _ => body,
            };
            drop((known, clock));
            if is_slow {
                std::thread::sleep(std::time::Duration::from_millis(500));
            }
            answer(&time, &body)
        });
        Self { server, steps, clock }
    }

    /// Changes the steps of a user.
    pub(super) fn change(&self, user: &str, change: impl FnOnce(&mut BTreeMap<Date, i32>)) {
        change(self.steps.lock().unwrap().get_mut(user).unwrap());
    }

    /// Moves the service's clock to noon of a day.
    pub(super) fn set_today(&self, day: &str) {
        self.clock.lock().unwrap().today = date(day);
    }

    /// Connects a provider at 8 o'clock of a day.
    pub(super) fn connect_provider(&self, user: &str, day: &str) {
        self.clock.lock().unwrap().connected.insert(user.to_owned(), date(day));
    }

    /// Changes the responses with statistics of a user.
    pub(super) fn edit(&self, user: &str, edit: Edit) {
        self.clock.lock().unwrap().edit = Some((user.to_owned(), edit));
    }

    /// Sends unchanged responses again.
    pub(super) fn end_edits(&self) {
        self.clock.lock().unwrap().edit = None;
    }

    /// Delays the responses of a user by half a second.
    pub(super) fn slow_down(&self, user: &str) {
        self.clock.lock().unwrap().slow_user = Some(user.to_owned());
    }

    /// Makes requests for users' information fail, or succeed again.
    pub(super) fn set_outage(&self, has_outage: bool) {
        self.clock.lock().unwrap().has_outage = has_outage;
    }

    /// Returns the users and first days of the requests for statistics, after the first `skip` requests.
    pub(super) fn requested(&self, skip: usize) -> Vec<(String, String)> {
        let requests = self.server.requests().split_off(skip);
        let statistics = requests.iter().filter(|request| request.target().contains("from_date="));
        statistics
            .map(|request| {
                let (_, rest) = request.target().split_once("from_date=").unwrap();
                (request.bearer().unwrap().replace("token-", ""), rest[..10].to_owned())
            })
            .collect()
    }

    /// Deletes a user. The service then rejects the user's token.
    pub(super) fn delete(&self, user: &str) {
        self.steps.lock().unwrap().remove(user);
    }

    pub(super) fn reader(&self, users: &[&str]) -> CohortReader {
        let users = users.iter().map(|user| (*user, Credential::Token(format!("token-{user}").into())));
        let builder = Client::builder().base_url(self.server.url()).retry_delay_scale(0.0);
        CohortReader::new(builder, UserCredentials::new(users).unwrap(), RateLimits::new()).unwrap()
    }
}
