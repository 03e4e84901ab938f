//! Mock service with one user, who has daily and hourly steps, sleeps and meals.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use vitalwire::{Client, Date};
use vitalwire_sync::{RecordKind, SyncCall, SyncClient as _, SyncKey, SyncPart};
use vitalwire_testkit::{Reply, Request, Server, response};

use super::date;

/// Records and clock of the service.
#[derive(Clone)]
pub(super) struct World {
    /// Day of the service's clock, which shows noon.
    pub(super) today: Date,
    pub(super) steps: BTreeMap<Date, i32>,
    /// Steps by hour, as the number of hours since 1970-01-01.
    pub(super) hours: BTreeMap<i64, i32>,
    /// Day and duration by id.
    pub(super) sleeps: BTreeMap<String, (Date, i32)>,
    /// Day and serving size by id.
    pub(super) meals: BTreeMap<String, (Date, i32)>,
    pub(super) account: String,
    /// Whether the user's information names the user.
    pub(super) has_account: bool,
    /// Internal id of the user.
    pub(super) uid: Option<&'static str>,
    /// Data set of the sandbox. Empty if the service is not a sandbox.
    pub(super) data_set: &'static str,
    /// Replaces the `Date` header.
    pub(super) clock: Option<&'static str>,
    /// Whether empty lists are null.
    pub(super) null_lists: bool,
    /// Whether the user has a provider that was created years ago.
    pub(super) has_old_provider: bool,
    /// Whether the connection with this provider is broken.
    pub(super) is_broken: bool,
    /// Day on which the user connected a provider.
    pub(super) connected: Option<Date>,
    /// Requests whose target contains this text fail with this status. 0 closes the connection.
    pub(super) failing: Option<(&'static str, u16)>,
    /// Item that is added to lists.
    pub(super) extra_item: Option<&'static str>,
}

pub(super) struct Service {
    pub(super) server: Server,
    world: Arc<Mutex<World>>,
}

impl Service {
    pub(super) fn start(today: &str) -> Self {
        let world = World {
            today: date(today),
            steps: BTreeMap::new(),
            hours: BTreeMap::new(),
            sleeps: BTreeMap::new(),
            meals: BTreeMap::new(),
            account: "user-7".to_owned(),
            has_account: true,
            uid: None,
            data_set: "seed=1",
            clock: None,
            null_lists: false,
            has_old_provider: false,
            is_broken: false,
            connected: None,
            failing: None,
            extra_item: None,
        };
        let world = Arc::new(Mutex::new(world));
        let shown = Arc::clone(&world);
        let server = Server::with_script(move |request, _| shown.lock().unwrap().respond(request));
        Self { server, world }
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    pub(super) fn client(&self) -> Client {
        Client::builder().base_url(self.server.url()).token("a-token").retry_delay_scale(0.0).max_retries(0).build().unwrap()
    }

    pub(super) fn call(&self, kinds: impl IntoIterator<Item = RecordKind>) -> SyncCall {
        self.client().sync(kinds, key())
    }

    /// Runs a sync, and returns its parts.
    pub(super) async fn parts(&self, call: SyncCall) -> Vec<SyncPart> {
        let mut stream = call.start().unwrap();
        let mut parts = Vec::new();
        while let Some(part) = stream.next().await {
            parts.push(part.unwrap());
        }
        parts
    }

    /// Runs a sync of one part. Returns its changes as text, and its state.
    pub(super) async fn changes(&self, call: SyncCall) -> (Vec<String>, Vec<u8>) {
        let [part] = &self.parts(call).await[..] else { panic!("one part") };
        (part.changes().iter().map(text).collect(), part.state().to_vec())
    }
}

pub(super) fn key() -> SyncKey {
    SyncKey::new(b"0123456789abcdef", "user-7").unwrap()
}

/// Returns the type, id and day of a change.
pub(super) fn text(change: &vitalwire_sync::Change) -> String {
    let id = change.id.as_deref().unwrap_or("-");
    format!("{} {id} {}", change.change_type.as_str(), change.day.map_or_else(|| "-".to_owned(), |day| day.to_string()))
}

impl World {
    fn respond(&self, request: &Request) -> Reply {
        let time = self.today.jiff().strftime("%a, %d %b %Y 12:00:00 GMT").to_string();
        let time = self.clock.unwrap_or(&time);
        // As a sandbox, so that only the service's clock counts.
        let headers = [("content-type", "application/json"), ("date", time), ("vitalwire-sandbox", self.data_set)];
        let headers = if self.data_set.is_empty() { &headers[..2] } else { &headers };
        let target = request.target().replace("%3A", ":");
        if let Some((_, status)) = self.failing.filter(|(text, _)| target.contains(text)) {
            return if status == 0 { Reply::Close } else { response(status, headers, b"{}") };
        }
        let parameter = |name: &str| -> Date {
            let (_, rest) = target.split_once(&format!("{name}=")).unwrap();
            date(&rest[..10])
        };
        let body = if target.contains("/userinfo") {
            self.user_info()
        } else if target.contains("/daily") {
            let (first, last) = (parameter("from_date"), parameter("to_date"));
            let items = if target.contains("include_record_ids") { self.listing(first, last) } else { self.days(first, last) };
            format!(r#"{{"from_date":"{first}","to_date":"{last}","statistics":[{}]}}"#, self.join(items))
        } else if target.contains("/interval") {
            let items = self.hours(parameter("from_timestamp"), parameter("to_timestamp"));
            format!(r#"{{"statistics":[{}]}}"#, self.join(items))
        } else if target.contains("/nutrition_records") {
            format!("[{}]", self.join(self.meals(parameter("from_timestamp"), parameter("to_timestamp"))))
        } else if target.contains("/lab_reports") {
            "[]".to_owned()
        } else {
            let id = target.split(['?', '/']).find(|part| part.starts_with("sleep-")).unwrap();
            let Some((day, duration)) = self.sleeps.get(id) else { return response(404, headers, b"{}") };
            format!(
                r#"{{"sleep_id":"{id}","modified_at":"{day}T08:00:00Z","start_at_timestamp":"{day}T00:00:00Z","sleep_date":"{day}",
                    "duration":{duration},"stages":[{{"stage":"deep","start_at":"{day}T00:00:00Z","duration":{duration}}}]}}"#
            )
        };
        let body = if self.null_lists { body.replace(r#""statistics":[]"#, r#""statistics":null"#) } else { body };
        let body = if self.null_lists && body == "[]" { "null" } else { &body };
        response(200, headers, body.as_bytes())
    }

    fn join(&self, mut items: Vec<String>) -> String {
        items.extend(self.extra_item.map(str::to_owned));
        items.join(",")
    }

    fn user_info(&self) -> String {
        let provider = self.connected.map(|day| format!(r#"{{"created_at":"{day}T13:00:00Z","provider_slug":"oura"}}"#));
        let account = if self.has_account { format!(r#""application_user_id":"{}","#, self.account) } else { String::new() };
        let old = format!(
            r#"{{"created_at":"2019-01-01T13:00:00Z","provider_slug":"fitbit","provider_integration_id":7,"is_integration_broken":{}}}"#,
            self.is_broken
        );
        let providers: Vec<String> = provider.into_iter().chain(self.has_old_provider.then_some(old)).collect();
        let uid = self.uid.map(|uid| format!(r#""uid":"{uid}","#)).unwrap_or_default();
        format!(r#"{{{account}{uid}"integrated_providers":[{}]}}"#, providers.join(","))
    }

    fn days(&self, first: Date, last: Date) -> Vec<String> {
        let days = self.steps.range(first..=last);
        days.map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#)).collect()
    }

    fn listing(&self, first: Date, last: Date) -> Vec<String> {
        let mut days: BTreeMap<Date, Vec<String>> = BTreeMap::new();
        for (id, (day, _)) in self.sleeps.iter().filter(|(_, (day, _))| first <= *day && *day <= last) {
            days.entry(*day).or_default().push(format!("\"{id}\""));
        }
        let day = |(day, ids): (&Date, &Vec<String>)| {
            format!(r#"{{"date":"{day}","record_ids":[{}],"values":{{"sleep_duration_total":1}}}}"#, ids.join(","))
        };
        days.iter().map(day).collect()
    }

    fn hours(&self, first: Date, end: Date) -> Vec<String> {
        let hour = |day: Date| i64::from(date("1970-01-01").days_until(day)) * 24;
        let item = |(hour, steps): (&i64, &i32)| {
            let start = vitalwire::Timestamp::from_unix(hour * 3600, 0).unwrap();
            format!(r#"{{"from_timestamp":"{start}","to_timestamp":"{start}","values":{{"steps":{steps}}}}}"#)
        };
        self.hours.range(hour(first)..hour(end)).map(item).collect()
    }

    fn meals(&self, first: Date, end: Date) -> Vec<String> {
        let meals = self.meals.iter().filter(|(_, (day, _))| first <= *day && *day < end);
        let item = |(id, (day, size)): (&String, &(Date, i32))| {
            format!(
                r#"{{"record_id":"{id}","status":"completed","uploaded_at":"{day}T12:00:00Z","modified_at":"{day}T12:00:00Z","consumed_at":"{day}T12:00:00Z","serving_size":{size}}}"#
            )
        };
        meals.map(item).collect()
    }
}
