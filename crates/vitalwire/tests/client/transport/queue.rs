//! Tests of the limit of connections and of requested pauses with many parallel calls.

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use vitalwire::client::{CallOptions, CancelToken, Client, CloseMode};
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Reply, Server, json, response};

use crate::transport::{builder, client, get, upload};

#[tokio::test]
async fn connections_stay_within_the_limit() {
    let server = Server::with_script(|_, _| {
        std::thread::sleep(Duration::from_millis(20));
        json(200, "{}")
    });
    let client = builder(&server).max_connections(3).build().unwrap();
    let outcomes = join_all((0..30).map(|_| get(&client).send())).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert!(server.connections() <= 3, "{}", server.connections());
}

#[tokio::test]
async fn a_call_that_ends_in_the_queue_was_not_sent() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let client = builder(&server).max_connections(1).build().unwrap();
    let first = tokio::spawn(get(&client).send());
    server.wait_for(1).await;
    // Longer than the deadline of an attempt, which does not include the queue.
    let options = CallOptions::new().attempt_timeout(Duration::from_millis(20)).timeout(Duration::from_millis(200));
    let started = Instant::now();
    let error = upload(&client, "{}").options(options).await.unwrap_err();
    assert!(started.elapsed() >= Duration::from_millis(200));
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Timeout, 0, false));
    assert!(error.to_string().contains("max_connections"), "{error}");
    first.abort();
    assert!(first.await.is_err());
    // A dropped call has released its permit.
    let options = CallOptions::new().timeout(Duration::from_millis(200));
    assert_eq!(get(&client).options(options).await.unwrap_err().attempts(), 1);
    assert_eq!(server.count(), 2);
}

/// The first call releases its permit and then blocks the only thread beyond the deadline of the waiting call.
#[tokio::test]
async fn a_permit_after_the_deadline_is_not_used() {
    let server = Server::with_script(|_, _| {
        std::thread::sleep(Duration::from_millis(50));
        json(200, "{}")
    });
    let hold = |_: &_| std::thread::sleep(Duration::from_millis(600));
    let client = builder(&server).max_connections(1).on_attempt(hold).build().unwrap();
    let options = CallOptions::new().timeout(Duration::from_millis(300));
    let (first, second) = futures_util::future::join(get(&client).send(), upload(&client, "{}").options(options).send()).await;
    first.unwrap();
    let error = second.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Timeout, 0, false));
    assert!(error.to_string().contains("max_connections"), "{error}");
    assert_eq!(server.count(), 1);
}

/// When both calls are ended, the second one does not use the permit that the first one releases.
#[tokio::test]
async fn a_permit_at_the_end_of_a_call_is_not_used() {
    for close in [false, true] {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        let client = builder(&server).max_connections(1).build().unwrap();
        let token = CancelToken::new();
        let call = || upload(&client, "{}").options(CallOptions::new().cancel_token(&token)).send();
        let (first, second, ()) = futures_util::future::join3(call(), call(), async {
            server.wait_for(1).await;
            if close { client.close(CloseMode::Abort) } else { token.cancel() }
        })
        .await;
        let summary = |error: Error| (error.kind(), error.attempts(), error.may_have_taken_effect());
        let kind = if close { ErrorKind::Closed } else { ErrorKind::Cancelled };
        assert_eq!(summary(first.unwrap_err()), (kind, 1, true));
        assert_eq!(summary(second.unwrap_err()), (kind, 0, false));
        assert_eq!((server.count(), server.connections()), (1, 1));
    }
}

#[test]
fn max_connections_must_be_above_zero() {
    let error = Client::builder().max_connections(0).build().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("max_connections")));
}

#[tokio::test]
async fn a_requested_pause_applies_to_all_calls() {
    let limited = |after: &str| response(429, &[("retry-after", after)], b"{}");
    let server = Server::in_order([limited("20"), json(200, "1"), json(200, "2"), json(200, "3")]);
    let client = client(&server);
    let started = Instant::now();
    // The client waits 1% of 20 s.
    let error = get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
    assert_eq!((error.kind(), error.retry_after()), (ErrorKind::RateLimited, Some(Duration::from_secs(20))));
    let impatient = get(&client).options(CallOptions::new().timeout(Duration::from_millis(50))).await.unwrap_err();
    assert_eq!((impatient.kind(), impatient.status(), impatient.attempts()), (ErrorKind::RateLimited, None, 0));
    assert!(impatient.retry_after().unwrap() <= Duration::from_millis(200));
    assert!(join_all((0..3).map(|_| get(&client).send())).await.iter().all(Result::is_ok));
    assert!(started.elapsed() >= Duration::from_millis(200), "{:?}", started.elapsed());
    assert_eq!(server.count(), 4);
    // A pause beyond the maximum delay is ignored.
    let server = Server::in_order([limited("3600"), json(200, "1")]);
    let client = crate::transport::client(&server);
    get(&client).await.unwrap_err();
    assert_eq!(get(&client).await.unwrap().meta.attempts, 1);
}

/// Number of parallel calls.
const CALLS: usize = 2_000;
/// Number of parallel calls behind a semaphore.
const SEMAPHORE: usize = 100;

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_parallel_calls_need_few_file_descriptors() {
    let server = Server::always(json(200, "{}"));
    let program = std::env::current_exe().unwrap();
    let limited = format!(
        "ulimit -n 256; exec '{}' --exact transport::queue::child_thousands_of_calls --ignored --nocapture --test-threads=1",
        program.display()
    );
    let child =
        tokio::task::spawn_blocking(move || Command::new("sh").args(["-c", &limited]).env("SERVICE", server.url()).output().unwrap());
    let output = child.await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // Without the lines of the test harness, which tools would count as tests.
    let output_lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("test ")).collect();
    assert!(output.status.success() && text.contains("1 passed"), "{output_lines:#?}");
    println!("{}", output_lines.iter().rfind(|line| line.contains("at once")).unwrap_or(&""));
}

/// Needs a limit of file descriptors and the URL of a service.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by thousands_of_parallel_calls_need_few_file_descriptors"]
async fn child_thousands_of_calls() {
    let client_with = |connections: usize| {
        let builder = Client::builder().base_url(std::env::var("SERVICE").unwrap()).token("t").no_proxy();
        builder.max_connections(connections).build().unwrap()
    };
    let all_at_once = |client: Client| async move {
        let started = Instant::now();
        let outcomes = join_all((0..CALLS).map(|_| get(&client).send())).await;
        (outcomes.into_iter().filter_map(Result::err).collect::<Vec<Error>>(), started.elapsed())
    };
    // The goal is 1.2. The limit is higher for busy machines, and there are three trials.
    let mut ratio = f64::INFINITY;
    for _ in 0..3 {
        let (lost, time) = all_at_once(client_with(64)).await;
        assert!(lost.is_empty(), "{} lost: {}", lost.len(), lost[0]);
        // The same calls with a semaphore of the caller.
        let (client, semaphore) = (client_with(SEMAPHORE), tokio::sync::Semaphore::new(SEMAPHORE));
        let started = Instant::now();
        let call = || async {
            let _permit = semaphore.acquire().await.unwrap();
            get(&client).send().await
        };
        assert!(join_all((0..CALLS).map(|_| call())).await.iter().all(Result::is_ok));
        ratio = ratio.min(time.as_secs_f64() / started.elapsed().as_secs_f64());
        // Starts with a line break because the name of the test precedes it.
        println!("\n{CALLS} calls at once: {time:?}, at best {ratio:.2} times a semaphore of {SEMAPHORE}");
        if ratio <= 1.5 {
            break;
        }
    }
    assert!(ratio <= 1.5, "{ratio}");
    // Without a limit, file descriptors run out and the error says so.
    let (lost, _) = all_at_once(client_with(CALLS)).await;
    assert!(lost.iter().all(|error| error.to_string().contains("file descriptors")), "{:?}", lost.first());
    assert!(!lost.is_empty());
}
