//! Removes third-party files from Dokka's documentation: scripts, fonts, images and style sheets. Our archives do not contain the notices
//! for these files, and the pages work without them.

use anyhow::{Context as _, bail, ensure};

/// Style sheet that replaces Dokka's own. Without scripts, no element may cover another.
const STYLE: &str = include_str!("files/stylesheet.css");
const STYLE_PATH: &str = "stylesheet.css";

/// Third-party folders and files of Dokka: jQuery and its UI, the JDK's style and images, the search.
const THIRD_PARTY_FOLDERS: [&str; 2] = ["jquery/", "resources/"];
const THIRD_PARTY_FILES: [&str; 2] = ["dokka-javadoc-stylesheet.css", "search.js"];
const SEARCH_INDEX: &str = "-search-index.js";

/// Files that other tools need to link to the pages.
const LISTS: [&str; 2] = ["element-list", "package-list"];

/// Elements that need a script: start and end of each.
const SCRIPT_ELEMENTS: [(&str, &str); 6] = [
    ("<script", "</script>"),
    ("<noscript", "</noscript>"),
    ("<ul class=\"navListSearch\"", "</ul>"),
    ("<ul class=\"ui-autocomplete", "</ul>"),
    ("<span role=\"status\"", "</span>"),
    ("<div role=\"tablist\"", "</div>"),
];

/// Selects the files of the documentation archive from the files that Dokka wrote, given as (name with `/`, content).
///
/// # Errors
/// If a file is of an unknown kind. Its origin and licence must be checked first.
pub(super) fn pages(written: Vec<(String, Vec<u8>)>) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = vec![(STYLE_PATH.to_owned(), STYLE.into())];
    for (name, content) in written {
        if name.ends_with(".html") {
            let text = String::from_utf8(content).with_context(|| format!("reading {name}"))?;
            let page = clean_page(&text);
            ensure!(!page.contains("<script") && !page.contains("jquery"), "{name} still needs a script");
            pages.push((name, page.into_bytes()));
        } else if LISTS.iter().any(|list| name.ends_with(list)) {
            pages.push((name, content));
        } else if !is_third_party(&name) {
            bail!("Dokka wrote {name}: leave it out, or add the notice that it needs");
        }
    }
    Ok(pages)
}

fn is_third_party(name: &str) -> bool {
    name == STYLE_PATH
        || THIRD_PARTY_FOLDERS.iter().any(|folder| name.starts_with(folder))
        || THIRD_PARTY_FILES.contains(&name)
        || (!name.contains('/') && name.ends_with(SEARCH_INDEX))
}

/// Removes elements that need a script, and all style sheets but ours.
fn clean_page(text: &str) -> String {
    let page = SCRIPT_ELEMENTS.iter().fold(text.to_owned(), |page, (start, end)| remove_between(&page, start, end));
    let own = [format!("\"{STYLE_PATH}\""), format!("/{STYLE_PATH}\"")];
    let is_other_style = |line: &str| line.trim_start().starts_with("<link ") && !own.iter().any(|own| line.contains(own));
    page.split_inclusive('\n').filter(|line| !is_other_style(line)).collect()
}

/// Removes everything between two marks, and the marks. An element without an end stays.
fn remove_between(text: &str, start: &str, end: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        let Some((_, after)) = after.split_once(end) else { break };
        kept.push_str(before);
        rest = after;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<html><head>\n<link rel=\"stylesheet\" href=\"../stylesheet.css\">\n\
                        <link rel=\"stylesheet\" href=\"../dokka-javadoc-stylesheet.css\">\n\
                        <link rel=\"stylesheet\" href=\"../jquery/jquery-ui.css\">\n\
                        <script src=\"../jquery/jquery-3.6.0.min.js\"></script>\n</head>";
    const BODY: &str = "<body><script>\nvar pathtoroot = \"\";\n</script><noscript>\n<div>No.</div></noscript>\n<pre>\n  a\n\n  b\n</pre>\n\
                        <ul class=\"navListSearch\">\n<li><input id=\"search\"></li></ul>\n<ul class=\"navList\"></ul></body></html>\n";

    fn written(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_page_has_no_script_and_only_our_style_sheet() {
        let expected = "<html><head>\n<link rel=\"stylesheet\" href=\"../stylesheet.css\">\n\n</head>\
                        <body>\n<pre>\n  a\n\n  b\n</pre>\n\n<ul class=\"navList\"></ul></body></html>\n";
        assert_eq!(clean_page(&format!("{HEAD}{BODY}")), expected);
    }

    #[test]
    fn third_party_files_are_left_out() {
        let found = pages(written(&[
            ("a/B.html", HEAD),
            ("element-list", "a"),
            ("jquery/external/jquery/jquery.js", "/*! jQuery"),
            ("jquery/images/ui-icons.png", ""),
            ("resources/glass.png", ""),
            ("search.js", ""),
            ("type-search-index.js", ""),
            ("dokka-javadoc-stylesheet.css", ""),
            ("stylesheet.css", "/* Javadoc style sheet */"),
        ]))
        .unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["stylesheet.css", "a/B.html", "element-list"]);
        assert_eq!(found[0].1, STYLE.as_bytes());
    }

    #[test]
    fn unknown_files_are_an_error() {
        for name in
            ["script-dir/jquery-3.7.1.min.js", "resources-2/fonts/dejavu.woff2", "a/search.js", "a/type-search-index.js", "logo.svg"]
        {
            let error = pages(written(&[(name, "")])).unwrap_err().to_string();
            assert_eq!(error, format!("Dokka wrote {name}: leave it out, or add the notice that it needs"));
        }
        // An element without an end is an error.
        assert!(pages(written(&[("a.html", "<script src=\"a.js\">")])).unwrap_err().to_string().contains("still needs a script"));
    }
}
