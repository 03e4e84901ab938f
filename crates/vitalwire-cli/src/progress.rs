//! Progress, shown on stderr while that is a terminal, and cleared before the answer.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::render::style::clean;

/// Between two pictures of the spinner.
const TICK: Duration = Duration::from_millis(120);
/// How long nothing is shown: quick answers show none.
const PATIENCE: Duration = Duration::from_millis(400);

/// A line that says what goes on. Dropping it wipes it away.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Says what goes on, unless nobody looks or the terminal cannot show it.
    pub(crate) fn start(what: &'static str) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        if dumb || !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // Without colours, so there are none to switch off.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        let later = bar.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if !later.is_finished() {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Self(bar)
    }

    /// Says how far it is, from wherever that is known.
    pub(crate) fn reporter(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let bar = self.0.clone();
        // What is said may hold a word of the service.
        move |text| bar.set_message(clean(text).into_owned())
    }
}

/// Waits for an answer, and says so where it takes a while.
pub(crate) async fn asked<T>(answer: impl Future<Output = T>) -> T {
    let _progress = Progress::start("calling the service");
    answer.await
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
