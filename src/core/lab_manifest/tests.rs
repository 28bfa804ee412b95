use super::*;

const LAB: &str = "[package]\nname = \"asynclings-lab\"\n\n[dependencies]\nbytes = \"1\"\n\
    tokio = { version = \"1\", features = [\"full\"] }\n\n[profile.dev]\ndebug = 1\n";

fn merged(pack: &str) -> Merged {
    merge(LAB, pack).unwrap().unwrap()
}

#[test]
fn crates_are_added_however_they_are_written() {
    let Merged { manifest, added } = merged(
        "# Ours.\n[dependencies]\nslab = \"0.4\" # pinned\nmd5 = { package = \"md-5\", version = \"0.10\" }\n\n\
         [dependencies.house]\ngit = \"https://git.example/house\"\n",
    );
    assert_eq!(added, ["slab", "md-5", "house"]);
    let table: toml::Table = manifest.parse().unwrap();
    assert_eq!(table["dependencies"]["slab"].as_str(), Some("0.4"));
    assert_eq!(
        table["dependencies"]["md5"]["package"].as_str(),
        Some("md-5")
    );
    assert_eq!(table["dependencies"]["bytes"].as_str(), Some("1"));
    assert!(table["profile"]["dev"]["debug"].is_integer());
}

#[test]
fn features_of_the_labs_crates_add_up() {
    let Merged { manifest, added } = merged(
        "[dependencies]\ntokio = { features = [\"full\", \"io-uring\"] }\nbytes = { features = [\"serde\"] }\n",
    );
    assert!(added.is_empty());
    let table: toml::Table = manifest.parse().unwrap();
    let features = |name: &str| table["dependencies"][name]["features"].to_string();
    assert_eq!(features("tokio"), "[\"full\", \"io-uring\"]");
    assert_eq!(features("bytes"), "[\"serde\"]");
    assert_eq!(
        table["dependencies"]["bytes"]["version"].as_str(),
        Some("1")
    );
}

#[test]
fn a_pack_that_adds_nothing_has_the_lab_of_everybody() {
    for pack in [
        "",
        "# slab = \"0.4\"\n",
        "[dependencies]\n",
        "[dependencies]\ntokio = { features = [\"full\"] }\n",
    ] {
        assert_eq!(merge(LAB, pack), Ok(None), "{pack}");
    }
}

#[test]
fn what_a_pack_cannot_ask_for_is_complained_about_with_its_line() {
    for (pack, complaint) in [
        ("[dependencies]\nslab = \n", "lab.toml:2: "),
        (
            "[profile.dev]\ndebug = 1\n",
            "lab.toml:1: `profile` has no place here; a pack adds `[dependencies]` alone",
        ),
        (
            "[dependencies]\n\nhouse = { path = \"../house\" }\n",
            "lab.toml:3: `house` has `path`: the lab is built in a cache folder",
        ),
        (
            "[dependencies]\ntokio = \"1.40\"\n",
            "lab.toml:2: `tokio` is in the lab already, at version 1, and exercises can use it; leave it out here",
        ),
        (
            "[dependencies]\nbytes = { version = \"1\", features = [\"serde\"] }\n",
            "lab.toml:2: `bytes` is in the lab already, at version 1,",
        ),
        (
            "[dependencies]\nslab = { features = [\"std\"] }\n",
            "lab.toml:2: `slab` has no `version`",
        ),
        (
            "[dependencies]\nslab = { version = \"1\", optional = true }\n",
            "lab.toml:2: `slab` has `optional`",
        ),
        (
            "[dependencies]\nlab = \"1\"\n",
            "lab.toml:2: `lab` is a name of the lab's own",
        ),
        (
            "dependencies = 3\n",
            "lab.toml:1: `dependencies` must be a table",
        ),
    ] {
        let found = merge(LAB, pack).unwrap_err();
        assert!(
            found[0].to_string().starts_with(complaint),
            "{complaint}\nbut: {}",
            found[0]
        );
    }
}
