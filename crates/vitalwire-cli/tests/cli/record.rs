//! `vitalwire record`: a replay has the same results, and the recording contains no credential and no id.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use vitalwire::Client;
use vitalwire::mock::MockResponses;

use crate::common::{RunningSandbox, run, vitalwire};

/// An id without a record.
const NOBODY: &str = "00000000-0000-0000-0000-00000000beef";

/// A running `vitalwire record` in front of a sandbox.
pub(crate) struct RunningRecorder {
    child: Child,
    /// Kept open, because the program exits if it cannot write.
    _stdout: BufReader<ChildStdout>,
    pub(crate) base_url: String,
}

impl RunningRecorder {
    pub(crate) fn start(served: &RunningSandbox, folder: &Path) -> Self {
        let mut command = vitalwire();
        command.args(["record", "--to"]).arg(folder);
        command.args(["--base-url", &served.field("base_url"), "--care-base-url", &served.field("care_base_url")]);
        Self::start_command(command)
    }

    /// Like [`start`](Self::start), with a complete command.
    pub(crate) fn start_command(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("a line");
        let base_url = line.trim().strip_prefix("export VITALWIRE_BASE_URL=").expect("an address").to_owned();
        Self { child, _stdout: stdout, base_url }
    }

    /// Stops the recorder and returns its messages.
    pub(crate) fn end(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        assert_eq!(self.child.wait().expect("a child").code(), Some(130));
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        said
    }
}

/// Calls every operation and returns the results, without ids, which differ in a recording.
async fn session(client: &Client, sleep: &str, unknown_id: &str, policy: [&str; 3]) -> Vec<String> {
    let day = |text: &str| text.parse::<vitalwire::Date>().expect("a date");
    let mut results = Vec::new();
    let info = client.user().info().await.expect("user information");
    results.push(format!("{:?} {}", info.created_at, info.integrated_providers.iter().len()));
    let properties = client.user().properties().await.expect("properties");
    results.push(format!("{:?}", properties.properties.as_ref().and_then(|known| known.height)));
    let night = client.sleeps().get(sleep).include_stages(true).await.expect("a night");
    results.push(format!("{:?} {:?} {}", night.duration, night.start_at_timestamp, night.stages.iter().len()));
    let days = client.statistics().daily(day("2025-11-01")..=day("2025-11-20"), ["steps", "heartrate"]).include_record_ids(true);
    for day in days.await.expect("days") {
        results.push(format!("{:?} {:?}", day.date, day.values.as_ref().map(|values| (values.steps(), values.heartrate()))));
    }
    let reports = client.lab_reports().list().await.expect("reports");
    results.push(format!("{}", reports.len()));
    let one = client.lab_reports().get(reports[0].record_id.clone()).await.expect("a report");
    results.push(format!("{:?} {}", one.uploaded_at, one.sections.iter().len()));
    let meals = client.nutrition_records().list().await.expect("meals");
    results.push(format!("{:?}", meals.iter().map(|meal| meal.dish_name.clone()).collect::<Vec<_>>()));
    results.push(format!("{:?}", client.lab_reports().get(unknown_id).await.expect_err("nobody's").kind()));
    let [clinic, patient, policy] = policy;
    let benefits = client.care().benefits(clinic, patient, policy).await.expect("benefits");
    results.push(format!("{:?}", benefits.status));
    results
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_session_replays_equally_and_contains_no_personal_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("session");
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let recorder = RunningRecorder::start(&served, &folder);
    let client = |url: &str| {
        let builder = Client::builder().base_url(url).care_base_url(url).no_proxy();
        builder.token(&served.field("token")).care_token(&served.field("care_token")).build().expect("a client")
    };
    let through = client(&recorder.base_url);
    let seen = session(&through, &served.field("sleep_id"), NOBODY, ["clinic-77", "patient-88", "policy-1"]).await;
    let ids: Vec<String> = {
        let info = through.user().info().await.expect("user information");
        let reports = through.lab_reports().list().await.expect("reports");
        let meals = through.nutrition_records().list().await.expect("meals");
        let uid = info.uid.as_ref().map(|id| id.to_string());
        let client_id = info.compat_application_client_id.as_ref().map(|id| id.to_string());
        let records = reports.iter().map(|it| it.record_id.to_string()).chain(meals.iter().map(|it| it.record_id.to_string()));
        records.chain(uid).chain(client_id).chain(info.application_id.map(|id| format!("\"application_id\":{id}"))).collect()
    };
    let said = recorder.end();
    assert!(said.contains("12 exchanges were recorded"), "{said}");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| std::fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
        let file = std::fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("a file").path();
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    }
    // The recording contains no personal data.
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert_eq!(files.len(), 12);
    assert!(files[0].ends_with("00001-get_user_info.json"), "{files:?}");
    let all: String = files.iter().map(|path| std::fs::read_to_string(path).expect("text")).collect();
    let names = ["token", "care_token", "user_id", "sleep_id", "application_key"].map(|name| served.field(name));
    let given = ["clinic-77", "patient-88", "policy-1", "00000000beef"].map(str::to_owned);
    for secret in names.iter().chain(&given).chain(&ids) {
        assert!(secret.len() > 3 && !all.contains(secret.as_str()), "{secret} is left in the folder");
    }

    // The session is repeated with mock responses and with a sandbox, with the ids of the recording.
    let path_of = |name: &str, nth: usize| {
        let path = files.iter().filter(|path| path.to_string_lossy().contains(name)).nth(nth).expect("an exchange");
        let recorded: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).expect("text")).expect("JSON");
        recorded["request"]["path"].as_str().expect("a path").split('/').map(str::to_owned).collect::<Vec<_>>()
    };
    let (sleep, nobody, policy) = (path_of("get_sleep", 0), path_of("get_lab_report", 1), path_of("get_policy_benefits", 0));
    let responses = MockResponses::from_folder(&folder).expect("a recording");
    let mock_client = Client::builder().mock_responses(&responses).build().expect("a client");
    let replayed = RunningSandbox::start(&["--replay", folder.to_str().expect("text")]);
    let builder = Client::builder().base_url(replayed.field("base_url")).care_base_url(replayed.field("care_base_url"));
    let sandbox = builder.token(&replayed.field("token")).care_token(&replayed.field("care_token")).no_proxy().build().expect("a client");
    for client in [mock_client, sandbox] {
        let again = session(&client, &sleep[4], &nobody[3], [&policy[4], &policy[6], &policy[8]]).await;
        assert_eq!(again, seen);
        let error = client.lab_reports().get(NOBODY).await.expect_err("not recorded");
        assert!(!error.is_not_found(), "{error}");
    }
}

#[test]
fn a_folder_with_files_and_a_missing_base_url_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("new");
    let output = run(&["record", "--to", empty.to_str().expect("text")]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no base URL is set"), "{output:?}");
    let output = run(&["record", "--sandbox", "--to", empty.to_str().expect("text"), "--bind", "0.0.0.0:1"]);
    assert!(!output.status.success() && !empty.exists(), "a recorder that cannot start leaves no folder: {output:?}");
    std::fs::write(folder.path().join("1.json"), "{}").expect("a file");
    let output = run(&["record", "--sandbox", "--to", folder.path().to_str().expect("text")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(&format!("the folder {} of a new recording must be empty", folder.path().display())), "{stderr}");
    let file = folder.path().join("1.json/recording");
    let output = run(&["record", "--sandbox", "--to", file.to_str().expect("text")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(&format!("the folder {} cannot be written to: ", file.display())), "{stderr}");
    let output = run(&["sandbox", "--replay", folder.path().to_str().expect("text")]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("must be a recorded exchange"), "{output:?}");
}
