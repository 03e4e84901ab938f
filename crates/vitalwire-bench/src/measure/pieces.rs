//! CPU time of one call whose body arrives in pieces, compared with the same body in one piece and with reqwest.

use std::fs;
use std::hint::black_box;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use vitalwire::blocking::RegisteredCall;
use vitalwire::client::CancelToken;
use vitalwire::open_sets::StatisticName;
use vitalwire::{Client, Date, OpenSet};

use super::piece_server::{self, Content};
use super::rounds::median;
use super::{Effort, call, server};
use crate::baseline;
use crate::payload::{self, Unknown};
use crate::report::Line;

/// Days in the body, which has about 89 KB.
const DAYS: usize = 139;
/// Numbers of pieces. The first one is the baseline.
const PIECES: [usize; 3] = [1, 64, 365];
const PAUSES: [(&str, Duration); 2] = [("", Duration::ZERO), (", 0.1 ms apart", Duration::from_micros(100))];
/// Consecutive calls per run.
const CALLS: u32 = 8;
const MAX_ROUNDS: usize = 15;

/// How a call is made. Maximum ratios of its CPU time: that of many pieces to one piece, and, with a pause, to reqwest with the same pieces.
const STYLES: [(Style, &str, [f64; 2]); 3] = [
    (Style::Blocking, "blocking", [1.5, 1.2]),
    (Style::Awaited, "awaited", [1.5, 1.1]),
    (Style::Started, "on the library's threads", [1.5, 1.3]),
];

#[derive(Clone, Copy, Debug)]
enum Style {
    Blocking,
    Awaited,
    /// A call that the library's threads drive, like those of C and of Python's event loop.
    Started,
    Reqwest,
}

/// Measures each style with each number of pieces. Returns nothing where the system does not report the CPU time of threads.
///
/// # Errors
/// Any error of a call.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    if cpu_time().is_none() {
        return Ok(Vec::new());
    }
    let address = start_server()?;
    let mut lines = Vec::new();
    for (apart, pause) in PAUSES {
        let mut measured = Vec::new();
        for style in STYLES.into_iter().map(|(style, _, _)| style).chain([Style::Reqwest]) {
            for pieces in PIECES {
                measured.push((Caller::new(style, address, pieces, pause)?, Vec::new()));
            }
        }
        for round in 0..=effort.rounds.min(MAX_ROUNDS) {
            for (caller, seconds) in &mut measured {
                let taken = caller.measure()?;
                // The first round warms up.
                if round > 0 {
                    seconds.push(taken);
                }
            }
        }
        let seconds: Vec<Vec<f64>> = measured.into_iter().map(|(_, seconds)| seconds).collect();
        let (ours, reqwest) = seconds.split_at(STYLES.len() * PIECES.len());
        for (pieces, many) in PIECES.iter().zip(reqwest).skip(1) {
            lines.push(line(&format!("{pieces} pieces{apart}, reqwest (one piece as the baseline)"), many, &reqwest[0]));
        }
        for ((_, style, [to_one, to_reqwest]), ours) in STYLES.into_iter().zip(ours.chunks(PIECES.len())) {
            for ((pieces, many), reqwest) in PIECES.iter().zip(ours).zip(reqwest).skip(1) {
                let name = format!("{pieces} pieces{apart}, {style}");
                // With a pause, most of the time is the system's: it wakes the thread for each piece.
                lines.push(if pause.is_zero() {
                    line(&format!("{name} (one piece as the baseline)"), many, &ours[0]).at_most(to_one)
                } else {
                    line(&format!("{name} (reqwest as the baseline)"), many, reqwest).at_most(to_reqwest)
                });
            }
        }
    }
    Ok(lines)
}

fn line(name: &str, ours: &[f64], baseline: &[f64]) -> Line {
    let ratio = median(ours.iter().zip(baseline).map(|(ours, baseline)| ours / baseline).collect());
    let text = |seconds: &[f64]| format!("{:.2} ms CPU", median(seconds.to_vec()) * 1e3);
    Line::new(format!("body in {name}"), text(ours), text(baseline), ratio)
}

/// Starts the server of the body. The path of its base URL is `/0/PIECES/MICROSECONDS`.
///
/// # Errors
/// Fails if no socket or thread can be created.
pub fn start_server() -> Result<SocketAddr> {
    piece_server::start(vec![Content { headers: "Content-Type: application/json\r\n", body: body()? }])
}

/// One style of call with one number of pieces, on connections of its own.
struct Caller {
    style: Style,
    client: Client,
    reqwest: reqwest::Client,
    url: String,
    runtime: Runtime,
    days: RangeInclusive<Date>,
}

impl Caller {
    fn new(style: Style, address: SocketAddr, pieces: usize, pause: Duration) -> Result<Self> {
        let base = format!("http://{address}/0/{pieces}/{}", pause.as_micros());
        let client = Client::builder().base_url(&base).token(call::TOKEN).no_proxy().build()?;
        let url = format!("{base}/v3/queries/statistics/daily");
        let days = "2025-01-01".parse()?..="2025-05-19".parse()?;
        Ok(Self { style, client, reqwest: call::reqwest_client()?, url, runtime: server::runtime()?, days })
    }

    /// Returns the CPU time of one call, in seconds.
    fn measure(&self) -> Result<f64> {
        let before = cpu_time().context("no CPU time")?;
        for _ in 0..CALLS {
            self.call()?;
        }
        let taken = cpu_time().context("no CPU time")?.saturating_sub(before);
        Ok(taken.as_secs_f64() / f64::from(CALLS))
    }

    fn call(&self) -> Result<()> {
        let call = || self.client.statistics().daily(self.days.clone(), StatisticName::KNOWN.iter().copied());
        match self.style {
            Style::Blocking => drop(black_box(call().send_blocking()?)),
            Style::Awaited => drop(black_box(self.runtime.block_on(call().send())?)),
            Style::Started => {
                let (sender, result) = oneshot::channel();
                let call = call();
                RegisteredCall::new(&CancelToken::new())?.start(call.send(), |result, _| async { drop(sender.send(result)) });
                drop(black_box(result.blocking_recv()??));
            }
            Style::Reqwest => self.runtime.block_on(async {
                let response = self.reqwest.get(&self.url).bearer_auth(call::TOKEN).send().await?;
                let body = response.error_for_status()?.bytes().await?;
                drop(black_box(serde_json::from_slice::<baseline::DailyStatistics>(&body)?));
                anyhow::Ok(())
            })?,
        }
        Ok(())
    }
}

fn body() -> Result<Vec<u8>> {
    let mut body: Value = serde_json::from_slice(&payload::daily(Unknown::None))?;
    body["statistics"].as_array_mut().context("the payload has no days")?.truncate(DAYS);
    Ok(serde_json::to_vec(&body)?)
}

/// Returns the CPU time of all threads so far, without the server's. `None` except on Linux.
fn cpu_time() -> Option<Duration> {
    fs::metadata("/proc/self/schedstat").ok()?;
    // The system updates the time of a thread when the thread stops running.
    sleep(Duration::from_micros(100));
    let mut total = Duration::ZERO;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let folder = thread.ok()?.path();
        // A thread may have ended since.
        let (Ok(name), Ok(times)) = (fs::read_to_string(folder.join("comm")), fs::read_to_string(folder.join("schedstat"))) else {
            continue;
        };
        if name.trim_end() != piece_server::THREAD_NAME {
            total += Duration::from_nanos(times.split(' ').next()?.parse().ok()?);
        }
    }
    Some(total)
}
