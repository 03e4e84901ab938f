//! A recorded hour: an application reads everything every five minutes while analyses end and records change and disappear.

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use vitalwire::mock::MockResponses;
use vitalwire::{Client, Error};

use crate::common::{RunningSandbox, control};
use crate::record::RunningRecorder;

/// Number of readings in the hour, one every five minutes.
const READINGS: usize = 12;
/// Duration of an analysis, in seconds of the sandbox's clock.
const ANALYSIS: &str = "900";
/// A PNG of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
/// Number of exchanges: before the first reading, in each reading, and between readings.
const EXCHANGES: usize = 4 + 9 * READINGS + 2;

/// An application and its state.
struct App<'a> {
    client: &'a Client,
    /// Ids that the application knows in advance.
    known: &'a KnownIds,
    meal: String,
    report: String,
    /// Texts that the recording must not contain.
    secrets: Vec<String>,
}

/// Ids of a night, and of a clinic, a patient and a policy of the care service.
struct KnownIds {
    sleep: String,
    policy: [String; 3],
}

impl<'a> App<'a> {
    /// Gets a token and a consent URL, and uploads a meal and a report.
    async fn start(client: &'a Client, known: &'a KnownIds, application: i64, user: &str, key: &str) -> Result<Self, Error> {
        let signature = vitalwire::signing::sign_user_id(key, user)?;
        let token = client.tokens().exchange(application, user, &signature).await?.into_inner().access_token;
        let consent = client.integrations().init_url("polar").await?.into_inner().path.unwrap_or_default();
        let picture = BASE64.decode(PICTURE).expect("base64");
        let meal = client.nutrition_records().upload().body(picture).await?.record_id.to_string();
        let report = client.lab_reports().upload(b"%PDF-1.7 synthetic".to_vec(), "report.pdf").await?;
        let report = report.lab_report.record_id.to_string();
        let secrets = vec![signature, token, consent, meal.clone(), report.clone()];
        Ok(Self { client, known, meal, report, secrets })
    }

    /// Reads the current state, without ids, which differ in a recording.
    async fn read(&mut self, reading: usize) -> Result<String, Error> {
        let (client, day) = (self.client, |text: &str| text.parse::<vitalwire::Date>().expect("a date"));
        let info = client.user().info().await?;
        let night = client.sleeps().get(&self.known.sleep).await?;
        let days = client.statistics().daily(day("2025-11-20")..=day("2025-11-21"), ["steps"]).await?;
        // Each reading requests the data since the previous one.
        let from = format!("2025-11-21T11:{:02}:00Z", reading * 5).parse().expect("an instant");
        let hours = client.statistics().interval("1h", ["steps"]).from_timestamp(from).await?;
        let reports = client.lab_reports().list().await?;
        let meals = client.nutrition_records().list().await?;
        let report = client.lab_reports().get(&self.report).await?;
        let meal = match client.nutrition_records().get(&self.meal).await {
            Ok(meal) => format!("{} {:?}", meal.status, meal.serving_size),
            Err(error) => error.kind().to_string(),
        };
        let [clinic, patient, policy] = &self.known.policy;
        let benefits = client.care().benefits(clinic, patient, policy).await?;
        self.secrets.extend(reports.iter().map(|it| it.record_id.to_string()).chain(meals.iter().map(|it| it.record_id.to_string())));
        self.secrets.extend(info.uid.iter().map(|id| id.to_string()));
        Ok(format!(
            "{:?}; {:?}; {}; {}; {} reports, {} {:?}; {} meals, {meal}; {}",
            info.created_at,
            night.duration,
            days.statistics.len(),
            hours.statistics.len(),
            reports.len(),
            report.status,
            report.parsing_error,
            meals.len(),
            benefits.status,
        ))
    }
}

/// Runs the whole hour. `later` advances the clock by five minutes.
async fn hour(app: &mut App<'_>, advance_clock: impl Fn()) -> Result<Vec<String>, Error> {
    let mut results = Vec::new();
    for reading in 0..READINGS {
        match reading {
            6 => drop(app.client.nutrition_records().update(&app.meal, 250.0).await?),
            9 => drop(app.client.nutrition_records().delete(&app.meal).await?),
            _ => {}
        }
        results.push(app.read(reading).await?);
        advance_clock();
    }
    Ok(results)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_hour_replays_equally_and_contains_no_personal_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("hour");
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21", "--processing", ANALYSIS]);
    let recorder = RunningRecorder::start(&served, &folder);
    let builder = Client::builder().base_url(&recorder.base_url).care_base_url(&recorder.base_url).no_proxy();
    let through = builder.token(&served.field("token")).care_token(&served.field("care_token")).build().expect("a client");
    let (user, key) = (served.field("user_id"), served.field("application_key"));
    let known = KnownIds { sleep: served.field("sleep_id"), policy: ["clinic-77", "patient-88", "policy-1"].map(str::to_owned) };
    let application = served.ready["application_id"].as_i64().expect("a number");
    let mut app = App::start(&through, &known, application, &user, &key).await.expect("a beginning");
    let five_minutes = || assert_eq!(control(&served, "POST", "/clock", r#"{"advance": 300}"#).0, 200);
    let results = hour(&mut app, five_minutes).await.expect("an hour");
    let mut secrets = app.secrets;
    assert!(recorder.end().contains(&format!("{EXCHANGES} exchanges were recorded")));

    // During the hour an analysis ends, a record changes, and a record is deleted.
    let changes: Vec<usize> = (1..READINGS).filter(|at| results[*at].split(';').skip(4).ne(results[*at - 1].split(';').skip(4))).collect();
    assert!(changes.contains(&6) && changes.contains(&9) && changes.len() >= 3, "{results:#?}");
    assert!(results[READINGS - 1].contains("not_found"), "{results:#?}");

    // The recording contains no personal data.
    secrets.extend([known.sleep, user, key, served.field("token"), served.field("care_token")]);
    secrets.extend(known.policy);
    secrets.sort();
    secrets.dedup();
    assert!(secrets.len() > 20 && secrets.iter().all(|secret| secret.len() > 5), "{} texts are looked for", secrets.len());
    let files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    assert_eq!(files.len(), EXCHANGES);
    let all: String = files.iter().map(|path| std::fs::read_to_string(path).expect("text")).collect();
    let left = secrets.iter().filter(|secret| all.contains(secret.as_str())).count();
    assert_eq!(left, 0, "of {} texts, in {} bytes", secrets.len(), all.len());

    // The hour is repeated with mock responses and with a sandbox. Names are invented, and the ids come from the recording.
    let path_of = |name: &str| {
        let path = files.iter().find(|path| path.to_string_lossy().contains(name)).expect("an exchange");
        let recorded: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).expect("text")).expect("JSON");
        recorded["request"]["path"].as_str().expect("a path").split('/').map(str::to_owned).collect::<Vec<_>>()
    };
    let (night, policy) = (path_of("get_sleep"), path_of("get_policy_benefits"));
    let known = KnownIds { sleep: night[4].clone(), policy: [4, 6, 8].map(|at| policy[at].clone()) };
    let responses = MockResponses::from_folder(&folder).expect("a recording");
    let mock_client = Client::builder().mock_responses(&responses).build().expect("a client");
    let replayed = RunningSandbox::start(&["--replay", folder.to_str().expect("text")]);
    let builder = Client::builder().base_url(replayed.field("base_url")).care_base_url(replayed.field("care_base_url"));
    let sandbox = builder.token(&replayed.field("token")).care_token(&replayed.field("care_token")).no_proxy().build().expect("a client");
    for client in [mock_client, sandbox] {
        let mut app = App::start(&client, &known, 1, "anybody", "an-application-key").await.expect("a beginning");
        assert_eq!(hour(&mut app, || {}).await.expect("an hour"), results);
    }
}
