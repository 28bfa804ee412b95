//! A page of HTML that needs nothing else: no file beside it, no network.

use crate::core::drawing::escape;

/// `title` is text, in `language`; `body` is HTML below the heading.
pub(in crate::core) fn document(
    title: &str,
    language: &str,
    css: &str,
    body: &str,
    script: &str,
) -> String {
    let title = escape(title);
    // The policy holds even where something slipped through: nothing is fetched, and nothing is sent.
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{}{css}</style>\n</head>\n<body>\n<h1 lang=\"{language}\">{title}</h1>\n{body}\
         <script>\n{script}</script>\n</body>\n</html>\n",
        include_str!("document.css")
    )
}
