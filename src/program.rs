//! How this program is started, so that a command it names can be typed as it stands.

use std::path::Path;
use std::sync::OnceLock;

/// `asynclings`; or what a clone needs, where nothing is installed.
pub fn name() -> &'static str {
    static NAME: OnceLock<&str> = OnceLock::new();
    NAME.get_or_init(|| match runs_in_its_clone() {
        true => "cargo run -q --",
        false => "asynclings",
    })
}

/// Cargo built this program below the repository's folder, and that is where we are.
fn runs_in_its_clone() -> bool {
    let (Ok(program), Ok(here)) = (std::env::current_exe(), std::env::current_dir()) else {
        return false;
    };
    let is_clone = |folder: &&Path| folder.join("lab/lab.toml").is_file();
    let clone = program.ancestors().find(is_clone);
    clone.is_some_and(|clone| here.starts_with(clone))
}
