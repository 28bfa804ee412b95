//! Cargo's JSON -> the files that rustc is told of, and how far the build is. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{Artifact, Message, Metadata, PackageId, TargetKind};

use super::Linkage;

/// What a finished build left.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) lab: PathBuf,
    /// Name in source and file.
    pub(super) externs: BTreeMap<String, PathBuf>,
    pub(super) search: BTreeSet<PathBuf>,
}

/// The lab's packages, from `cargo metadata`.
pub(super) struct Plan {
    root: PackageId,
    /// Direct dependencies: package and name in source.
    direct: BTreeMap<PackageId, String>,
    names: BTreeMap<PackageId, String>,
    /// Messages to expect; a package that is built for build scripts as well counts once.
    total: usize,
}

impl Plan {
    pub(super) fn new(metadata: &Metadata) -> Option<Self> {
        let resolve = metadata.resolve.as_ref()?;
        let root = resolve.root.clone()?;
        let node = resolve.nodes.iter().find(|node| node.id == root)?;
        let direct = node
            .deps
            .iter()
            .map(|dep| (dep.pkg.clone(), dep.name.clone()))
            .collect();
        let in_use: BTreeSet<&PackageId> = resolve.nodes.iter().map(|node| &node.id).collect();
        let packages = metadata
            .packages
            .iter()
            .filter(|package| in_use.contains(&package.id));
        let has_script = |package: &cargo_metadata::Package| {
            package
                .targets
                .iter()
                .any(|target| target.kind.contains(&TargetKind::CustomBuild))
        };
        Some(Self {
            root,
            direct,
            names: packages
                .clone()
                .map(|package| (package.id.clone(), package.name.to_string()))
                .collect(),
            // A build script is compiled, and run.
            total: packages
                .map(|package| if has_script(package) { 3 } else { 1 })
                .sum(),
        })
    }
}

impl Plan {
    /// What these packages are called in source: a library may have another name than its package.
    pub(super) fn in_source(&self, packages: &[String]) -> Vec<&str> {
        let is_one = |id: &PackageId| {
            self.names
                .get(id)
                .is_some_and(|name| packages.contains(name))
        };
        let direct = self.direct.iter().filter(|(id, _)| is_one(id));
        let mut names: Vec<&str> = direct.map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}

pub(super) struct Tracker<'a> {
    plan: &'a Plan,
    target: &'a Path,
    host: &'a str,
    linkage: Linkage,
    seen: usize,
    built: Built,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(plan: &'a Plan, target: &'a Path, host: &'a str, linkage: Linkage) -> Self {
        Self {
            plan,
            target,
            host,
            linkage,
            seen: 0,
            built: Built::default(),
        }
    }

    /// Done, of how many, and the package just done.
    pub(super) fn on(&mut self, message: &Message) -> Option<(usize, usize, String)> {
        let package = match message {
            Message::CompilerArtifact(artifact) => {
                self.artifact(artifact);
                &artifact.package_id
            }
            Message::BuildScriptExecuted(script) => &script.package_id,
            _ => return None,
        };
        self.seen += 1;
        let name = self.plan.names.get(package).cloned().unwrap_or_default();
        Some((self.seen.min(self.plan.total), self.plan.total, name))
    }

    fn artifact(&mut self, artifact: &Artifact) {
        if artifact.target.kind.contains(&TargetKind::CustomBuild) {
            return;
        }
        let files: Vec<&Path> = artifact
            .filenames
            .iter()
            .map(|file| file.as_std_path())
            .collect();
        if artifact.package_id == self.plan.root {
            self.built.lab = self.file(&files, self.linkage).unwrap_or_default();
            return;
        }
        self.built.search.extend(
            files
                .iter()
                .filter_map(|file| file.parent())
                .map(Path::to_path_buf),
        );
        let Some(name) = self.plan.direct.get(&artifact.package_id) else {
            return;
        };
        let is_macro = artifact.target.kind.contains(&TargetKind::ProcMacro);
        // The same crate may have been built for build scripts, with other features.
        let ours = |file: &&Path| {
            is_macro
                || file
                    .strip_prefix(self.target)
                    .is_ok_and(|file| file.starts_with(self.host))
        };
        let files: Vec<&Path> = files.into_iter().filter(ours).collect();
        let file = if is_macro {
            self.file(&files, Linkage::Dylib)
        } else {
            self.file(&files, Linkage::Rlib)
        };
        self.built
            .externs
            .extend(file.map(|file| (name.clone(), file)));
    }

    fn file(&self, files: &[&Path], linkage: Linkage) -> Option<PathBuf> {
        let extension = match linkage {
            Linkage::Dylib => std::env::consts::DLL_EXTENSION,
            Linkage::Rlib => "rlib",
        };
        files
            .iter()
            .find(|file| file.extension().is_some_and(|found| found == extension))
            .map(|file| file.to_path_buf())
    }

    /// `None`: cargo said that all went well, and named no lab.
    pub(super) fn finish(self) -> Option<Built> {
        (self.built.lab.is_file() && !self.built.externs.is_empty()).then_some(self.built)
    }
}
