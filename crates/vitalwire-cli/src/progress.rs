//! Progress on stderr, if that is a terminal. It is cleared before the response is printed.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::render::style::{clean, truncate};

/// Time between two frames of the spinner.
const TICK: Duration = Duration::from_millis(120);
/// Delay before progress is shown. Fast responses show none.
const DELAY: Duration = Duration::from_millis(400);
const SPINNER: [char; 4] = ['|', '/', '-', '\\'];
/// Columns that stay free at the end of the line, for the `^C` of the terminal. Wrapped onto a new line, it would not be cleared.
const MARGIN: usize = 6;
/// Width if the terminal states none.
const DEFAULT_WIDTH: usize = 80;
/// Clears the line of the cursor.
const CLEAR: &str = "\r\u{1b}[2K";

/// The progress line on the terminal.
#[derive(Default)]
struct Line {
    /// Number of the [`Progress`] that may draw, or 0.
    owner: u64,
    /// Number of progress lines created so far.
    count: u64,
    drawn: bool,
    /// Time of the next attempt, after one that failed.
    retry_at: Option<Instant>,
}

static LINE: Mutex<Line> = Mutex::new(Line { owner: 0, count: 0, drawn: false, retry_at: None });

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Clears the line. Returns whether there was one.
    fn clear(&mut self) -> bool {
        self.owner = 0;
        let drawn = std::mem::take(&mut self.drawn);
        if drawn {
            write_stderr(CLEAR);
        }
        drawn
    }
}

/// Shows the delay before the next attempt, if there is one.
pub(crate) fn set_retry_delay(delay: Option<Duration>) {
    line().retry_at = delay.and_then(|delay| Instant::now().checked_add(delay));
}

/// Ends the progress and clears its line.
pub(crate) fn hide() {
    line().clear();
}

/// Ends the progress after Ctrl-C. Without a progress line, ends the line on which the terminal wrote `^C`.
pub(crate) fn interrupt() {
    if !line().clear() && io::stderr().is_terminal() {
        write_stderr("\n");
    }
}

/// A progress line. Dropping it clears the line.
pub(crate) struct Progress {
    /// `None` if no progress is shown.
    text: Option<Arc<Mutex<String>>>,
}

impl Progress {
    /// Shows a text, unless stderr is not a terminal or cannot show it.
    pub(crate) fn start(what: &'static str) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        // Build servers log everything that is written to a terminal.
        if dumb || std::env::var_os("CI").is_some() || !io::stderr().is_terminal() {
            return Self { text: None };
        }
        // On Windows, enables escape sequences on the terminal.
        let _ = anstream::AutoStream::auto(io::stderr());
        let text = Arc::new(Mutex::new(what.to_owned()));
        let id = {
            let mut line = line();
            line.clear();
            line.count += 1;
            line.owner = line.count;
            line.owner
        };
        tokio::spawn(draw(id, Arc::clone(&text)));
        Self { text: Some(text) }
    }

    /// Returns a function that changes the text.
    pub(crate) fn reporter(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let text = self.text.clone();
        // Remove control characters, because the text may contain a status that the service sent.
        move |now| {
            if let Some(text) = &text {
                *text.lock().unwrap_or_else(PoisonError::into_inner) = clean(now).into_owned();
            }
        }
    }
}

/// Draws until another progress owns the line.
async fn draw(id: u64, text: Arc<Mutex<String>>) {
    let started = Instant::now();
    tokio::time::sleep(DELAY).await;
    for frame in SPINNER.into_iter().cycle() {
        {
            let mut line = line();
            if line.owner != id {
                return;
            }
            let width = terminal_size::terminal_size_of(io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
            let text = text.lock().unwrap_or_else(PoisonError::into_inner);
            let mut shown = format!("{frame} {}s  {text}", started.elapsed().as_secs());
            // The last second shows no zero.
            if let Some(left) = line.retry_at.and_then(|at| at.checked_duration_since(Instant::now())).filter(|left| left.as_secs() > 0) {
                shown.push_str(&format!(", next attempt in {}s", left.as_secs()));
            }
            write_stderr(&format!("{CLEAR}{}", truncate(&shown, width.saturating_sub(MARGIN))));
            line.drawn = true;
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Writes to stderr. Ignores errors, because they cannot be reported.
fn write_stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Waits for a response. Shows progress if it takes a while.
pub(crate) async fn with_progress<T>(response: impl Future<Output = T>) -> T {
    let _progress = Progress::start("calling the service");
    response.await
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.text.is_some() {
            hide();
        }
    }
}
