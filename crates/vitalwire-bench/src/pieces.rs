//! CPU time of one call whose body arrives in pieces, compared with reqwest and serde_json for the same pieces.

use std::fs;
use std::hint::black_box;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use vitalwire::blocking::RegisteredCall;
use vitalwire::client::CancelToken;
use vitalwire::open_sets::StatisticName;
use vitalwire::{Client, Date, OpenSet};

use crate::payload::{self, Unknown};
use crate::report::Line;
use crate::rounds::{self, Alternative, Budget, Clock, Seconds};
use crate::{baseline, call, piece_server, server};

/// Days in the body, which has about 89 KB.
const DAYS: usize = 139;
const PAUSE: Duration = Duration::from_micros(100);
/// Numbers of pieces, and the pause between them.
const PIECES: [(usize, Duration); 5] = [(1, Duration::ZERO), (64, Duration::ZERO), (365, Duration::ZERO), (64, PAUSE), (365, PAUSE)];
/// Consecutive calls per run.
const CALLS: u32 = 8;
const MAX_ROUNDS: usize = 15;

/// How a call is made, and the maximum ratios of its CPU time to that of reqwest, in the order of [`PIECES`]: 5 % above the worst figure of
/// three runs on an idle machine and of three runs on one core.
///
/// The library's threads pay for handing over each call, and the thread that waits for it. A body in one piece, or in a few with pauses,
/// costs so little that this shows. If many pieces arrive at once, these threads read several of them per wake.
const STYLES: [(Style, &str, [f64; 5]); 3] = [
    (Style::Blocking, "blocking", [1.06, 1.16, 1.19, 1.2, 1.03]),
    (Style::Awaited, "awaited", [0.98, 1.05, 1.11, 1.06, 1.06]),
    (Style::Started, "on the library's threads", [1.41, 1.34, 1.23, 1.48, 1.31]),
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
pub fn run(budget: Budget) -> Result<Vec<Line>> {
    if cpu_time().is_none() {
        return Ok(Vec::new());
    }
    // A slice of zero: each round has as few calls as the CPU time of threads can resolve.
    let budget = Budget { rounds: budget.rounds.min(MAX_ROUNDS), slice: Duration::ZERO };
    let address = piece_server::start(body()?)?;
    let mut lines = Vec::new();
    for (at, (pieces, pause)) in PIECES.into_iter().enumerate() {
        let styles = STYLES.into_iter().map(|(style, _, _)| style).chain([Style::Reqwest]);
        let callers = styles.map(|style| Caller::new(style, address, pieces, pause)).collect::<Result<Vec<_>>>()?;
        let found = rounds::compare(budget, callers.iter().map(Caller::alternative).collect())?;
        let body = match (pieces, pause.is_zero()) {
            (1, _) => "1 piece".to_owned(),
            (_, true) => format!("{pieces} pieces"),
            (_, false) => format!("{pieces} pieces, {} ms apart", pause.as_secs_f64() * 1e3),
        };
        for (ours, (_, style, max)) in STYLES.into_iter().enumerate() {
            let text = |caller| format!("{:.2} ms CPU", found.median(caller, Clock::Cpu) * 1e3);
            let ratio = found.compare(ours, STYLES.len(), Clock::Cpu, |ours, reqwest| ours / reqwest);
            lines.push(Line::new(format!("body in {body}, {style}"), text(ours), text(STYLES.len()), ratio).at_most(max[at]));
        }
    }
    Ok(lines)
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
        let base = format!("http://{address}/{pieces}/{}", pause.as_micros());
        let client = Client::builder().base_url(&base).token(call::TOKEN).no_proxy().build()?;
        let url = format!("{base}/v3/queries/statistics/daily");
        let days = "2025-01-01".parse()?..="2025-05-19".parse()?;
        Ok(Self { style, client, reqwest: call::reqwest_client()?.build()?, url, runtime: server::runtime()?, days })
    }

    /// Returns an alternative that makes [`CALLS`] calls per run. Its times are those of one call.
    fn alternative(&self) -> Alternative<'_> {
        Box::new(|times| {
            let (before, started) = (cpu_time().context("no CPU time")?, Instant::now());
            (0..times * CALLS).try_for_each(|_| self.call())?;
            let (wall, cpu) = (started.elapsed(), cpu_time().context("no CPU time")?.saturating_sub(before));
            Ok(Seconds { wall: wall.as_secs_f64(), cpu: cpu.as_secs_f64() / f64::from(times * CALLS) })
        })
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
