//! A built site: every link and anchor inside it is alive, ids are unique, and no page loads anything from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::Complaint;

/// HTML and CSS files by their path in the site; other files with an empty text.
pub type Site = BTreeMap<String, String>;

pub fn complaints(site: &Site) -> Vec<Complaint> {
    let mut found = Vec::new();
    let ids: BTreeMap<&str, Vec<&str>> = site
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .map(|(path, text)| {
            (
                path.as_str(),
                attributes(text, "id").map(|(_, id)| id).collect(),
            )
        })
        .collect();
    for (path, text) in site {
        let mut complain = |what: String| {
            found.push(Complaint {
                file: path.clone(),
                line: 0,
                what,
            });
        };
        if path.ends_with(".html") {
            for foreign in loaded_from_elsewhere(text) {
                complain(format!("loads {foreign} from elsewhere"));
            }
            for link in dead_links(site, &ids, path, text) {
                complain(format!("has a dead link: {link}"));
            }
            for twin in twins(&ids[path.as_str()]) {
                complain(format!("has the id `{twin}` twice"));
            }
        } else if path.ends_with(".css") {
            for foreign in css_from_elsewhere(text) {
                complain(format!("loads {foreign} from elsewhere"));
            }
        }
    }
    found
}

/// Name and tag, value. The text is what our own builder wrote, so double quotes are the rule.
fn attributes<'t>(html: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    html.split('<').skip(1).flat_map(move |tag| {
        let inside = tag.split('>').next().unwrap_or("");
        let element = inside.split([' ', '\n', '/']).next().unwrap_or("");
        inside
            .split(['\n', ' ', '\t'])
            .filter_map(move |attribute| {
                let value = attribute.strip_prefix(name)?.strip_prefix('=')?;
                let value = value.strip_prefix(['"', '\''])?;
                Some((element, value.split(['"', '\'']).next().unwrap_or("")))
            })
    })
}

fn is_elsewhere(url: &str) -> bool {
    !is_inline(url) && (url.starts_with("//") || url.contains("://"))
}

fn is_inline(url: &str) -> bool {
    url.starts_with("data:") || url.starts_with("mailto:")
}

fn loaded_from_elsewhere(html: &str) -> Vec<String> {
    let sources = ["src", "srcset", "data", "poster"]
        .into_iter()
        .flat_map(|name| attributes(html, name));
    let linked =
        attributes(html, "href").filter(|(tag, _)| ["link", "use", "image", "base"].contains(tag));
    let urls = sources.chain(linked).map(|(_, url)| url);
    let mut found: Vec<String> = urls
        .filter(|url| is_elsewhere(url))
        .map(str::to_owned)
        .collect();
    found.extend(css_from_elsewhere(html));
    found
}

fn css_from_elsewhere(css: &str) -> Vec<String> {
    let loads = ["url(", "@import"]
        .into_iter()
        .flat_map(|word| css.split(word).skip(1));
    loads
        .map(|rest| rest.trim_start_matches([' ', '"', '\'']))
        .filter(|url| {
            ["http:", "https:", "//"]
                .iter()
                .any(|start| url.starts_with(start))
        })
        .map(|url| {
            url.split(['"', '\'', ')', ';'])
                .next()
                .unwrap_or("")
                .to_owned()
        })
        .collect()
}

fn dead_links(site: &Site, ids: &BTreeMap<&str, Vec<&str>>, page: &str, html: &str) -> Vec<String> {
    let links = attributes(html, "href").chain(attributes(html, "src"));
    let inside = links.filter(|(_, url)| !is_elsewhere(url) && !is_inline(url));
    let dead = inside.filter(|(_, url)| {
        let (path, id) = url.split_once('#').unwrap_or((url, ""));
        let target = match path {
            "" => Some(page.to_owned()),
            path => super::expand::resolve(page, path.split('?').next().unwrap_or(path)),
        };
        let Some(target) = target else { return true };
        let folder = format!("{target}/index.html");
        let target = match site.contains_key(&target) {
            true => target,
            false => folder.trim_start_matches('/').to_owned(),
        };
        let known = ids.get(target.as_str());
        !site.contains_key(&target)
            || !id.is_empty() && known.is_none_or(|known| !known.contains(&decoded(id).as_str()))
    });
    dead.map(|(_, url)| url.to_owned()).collect()
}

/// `%C3%A4` and entities; others do not occur in ids.
fn decoded(id: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = id;
    while let Some(first) = rest.chars().next() {
        let hex = rest.strip_prefix('%').and_then(|hex| hex.get(..2));
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[3..];
            }
            None => {
                bytes.extend_from_slice(&rest.as_bytes()[..first.len_utf8()]);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    String::from_utf8_lossy(&bytes).replace("&amp;", "&")
}

fn twins<'i>(ids: &[&'i str]) -> BTreeSet<&'i str> {
    let mut seen = BTreeSet::new();
    ids.iter().copied().filter(|id| !seen.insert(*id)).collect()
}
