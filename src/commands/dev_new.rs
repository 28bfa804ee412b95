//! `dev new`: a model exercise, complete and proven, under a new name; with `--pack`, in a workbook of its own. What an
//! author then does is replace it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::init::GITIGNORE;
use super::new_folder::NewFolder;
use super::{dev_update, output};
use crate::cli::Shared;
use crate::core::manifest::{Manifest, nearest, parse};
use crate::embedded;
use crate::exit::{Fault, Outcome, told};
use crate::store;
use crate::workbook::{LAB_TOML, Workbook};

const INFO: &str = include_str!("dev_new/info.toml");

/// Where each file goes, and its text.
const FILES: [(&str, &str); 5] = [
    (
        "exercises/CHAPTER/NAME.rs",
        include_str!("dev_new/exercise.rs"),
    ),
    (
        "solutions/CHAPTER/NAME.rs",
        include_str!("dev_new/solution.rs"),
    ),
    ("checks/CHAPTER/NAME.rs", include_str!("dev_new/checks.rs")),
    (
        "checks/CHAPTER/NAME/right/boxed.rs",
        include_str!("dev_new/right.rs"),
    ),
    (
        "checks/CHAPTER/NAME/wrong/dropped.rs",
        include_str!("dev_new/wrong.rs"),
    ),
];

/// What a pack has besides, as an author begins with it.
const PACK: [(&str, &str); 4] = [
    ("README.md", include_str!("dev_new/pack/README.md")),
    (LAB_TOML, include_str!("dev_new/pack/lab.toml")),
    (".gitignore", GITIGNORE),
    ("writing_checks.md", embedded::WRITING_CHECKS),
];
const PACK_INFO: &str = include_str!("dev_new/pack/info.toml");
const PACK_LIMITS: &str = include_str!("dev_new/pack/limits.toml");

/// `dev new --pack DIR`: a workbook of the author's own, with the model as its first exercise.
pub(super) fn pack(dir: &Path, name: Option<&str>, chapter: Option<&str>) -> Result<Outcome> {
    let (name, chapter) = (
        name.unwrap_or("uncounted_orders"),
        chapter.unwrap_or("01_incidents"),
    );
    let full = std::path::absolute(dir).unwrap_or_default();
    let title = full.file_name().unwrap_or_default().to_string_lossy();
    let fill = |text: &str| {
        let text = text.replace("NAME", name).replace("CHAPTER", chapter);
        text.replace("PACK", &title)
    };
    let info = fill(&format!("{PACK_INFO}{INFO}{PACK_LIMITS}"));
    let manifest = read_back(&info)?;
    let mut files = vec![("info.toml".into(), info)];
    files.extend(FILES.map(|(path, text)| (PathBuf::from(fill(path)), fill(text))));
    // The README speaks of names, and means none.
    files.extend(PACK.map(|(path, text)| (path.into(), text.replace("PACK", &title))));
    files.extend(dev_update::of_new_pack(&manifest)?);
    let folder = NewFolder::begin(dir, "a pack")?;
    folder.write(&files)?;
    let enter = folder.finish()?;
    output::print([
        format!("a pack with the exercise `{name}` is in {}", dir.display()),
        format!("{enter}`asynclings dev check` proves it, `asynclings` solves it as a learner does"),
        "README.md says what is where, and `asynclings book` how to write checks and what info.toml can say".to_string(),
    ])?;
    Ok(Outcome::Passed)
}

/// Before anything is written: a name that does not fit is refused with the reason.
fn read_back(info: &str) -> Result<Manifest> {
    parse(info).map_err(|complaints| Fault::Usage(told(&complaints)).into())
}

pub(super) fn run(shared: &Shared, name: &str, chapter: &str) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let root = workbook.root();
    refuse(&workbook, name, chapter)?;
    let fill = |text: &str| text.replace("NAME", name).replace("CHAPTER", chapter);
    let info = root.join("info.toml");
    let text = fs::read_to_string(&info)
        .with_context(|| Fault::Workbook("info.toml cannot be read".into()))?;
    let text = format!("{}\n{}", text.trim_end(), fill(INFO));
    read_back(&text)?;
    let files = FILES.map(|(path, text)| (PathBuf::from(fill(path)), text));
    write_all(root, &files).context(Fault::Machine(
        "cannot write the exercise; nothing is left of it".into(),
    ))?;
    store::replace(&info, text.as_bytes())
        .context(Fault::Machine("cannot write info.toml".into()))?;
    let mut lines: Vec<String> = files
        .iter()
        .map(|(path, _)| format!("{} is written", path.display()))
        .collect();
    lines.push(format!(
        "info.toml has `{name}` at its end; move it to its place in the order"
    ));
    let proven = format!("`asynclings dev check {name}` proves it");
    lines.push(if workbook.is_pack() {
        dev_update::bring_editors_in_step(&Workbook::find(Some(root))?)?;
        proven
    } else {
        format!("{proven}, `asynclings dev update` shows it to editors")
    });
    output::print(lines)?;
    Ok(Outcome::Passed)
}

fn refuse(workbook: &Workbook, name: &str, chapter: &str) -> Result<()> {
    let manifest: &Manifest = workbook.manifest();
    if manifest.chapter(chapter).is_none() {
        let known = manifest.chapters.iter().map(|chapter| chapter.id.as_str());
        let advice = match nearest(chapter, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add it to info.toml first".to_string(),
        };
        bail!(Fault::Usage(format!(
            "no chapter is called `{chapter}`; {advice}"
        )));
    }
    if manifest.find(name).is_ok() {
        bail!(Fault::Usage(format!(
            "an exercise is or was called `{name}`; progress hangs on names, so take another"
        )));
    }
    if !workbook.has_own_checks() {
        let text = "this workbook has no checks/ of its own; write exercises in a clone of the repository, or `asynclings dev new --pack DIR` makes a workbook for your own";
        bail!(Fault::Usage(text.to_string()));
    }
    Ok(())
}

/// All or none.
fn write_all(root: &Path, files: &[(PathBuf, &str)]) -> io::Result<()> {
    let mut written: Vec<PathBuf> = Vec::new();
    for (path, text) in files {
        let path = root.join(path);
        let result = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| {
                let mut file = File::create_new(&path)?;
                written.push(path.clone());
                file.write_all(text.as_bytes())
            });
        if let Err(error) = result {
            for path in written {
                let _ = fs::remove_file(path);
            }
            return Err(io::Error::new(
                error.kind(),
                format!("{}: {error}", path.display()),
            ));
        }
    }
    Ok(())
}
