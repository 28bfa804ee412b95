//! Progress bars on standard error: drawn for a terminal, silent in a pipe.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// `[=====>    ] 12/26 exercises, then a word about the one at hand`
pub fn of(total: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    let template = format!("[{{bar:30}}] {{pos}}/{{len}} {what} {{wide_msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// For work whose steps cannot be counted.
pub fn spinner(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
