//! Joins the files of a task into one page with a tab per language.

use std::path::Path;

use super::page::{Line, Page};

/// Folder of the tasks. Each task is a folder with `index.md` and one file per tab.
const FOLDER: &str = "guide";

/// Files and titles of the tabs, in their order.
pub(super) const TABS: [(&str, &str); 8] = [
    ("rust", "Rust"),
    ("python", "Python"),
    ("data-engineering", "Data"),
    ("swift", "Swift"),
    ("kotlin", "Kotlin, Java"),
    ("c", "C"),
    ("cpp", "C++"),
    ("command-line", "Command line"),
];

/// Tabs of the tasks of applications for phones.
const PHONE_TABS: [(&str, &str); 2] = [TABS[3], TABS[4]];

/// Replaces the files of each task with its page. Adds a problem for a missing tab and for a file that is not a tab.
pub(super) fn join(pages: Vec<Page>, problems: &mut Vec<String>) -> Vec<Page> {
    let (files, mut joined): (Vec<Page>, Vec<Page>) = pages.into_iter().partition(|page| is_part(&page.path));
    let mut tasks: Vec<&Path> = files.iter().filter_map(|file| file.path.parent()).collect();
    tasks.dedup();
    for task in tasks {
        let parts: Vec<&Page> = files.iter().filter(|file| file.path.parent() == Some(task)).collect();
        joined.push(page(task, &parts, problems));
    }
    joined
}

/// Whether a source is a file of a task.
pub(super) fn is_part(path: &Path) -> bool {
    path.starts_with(FOLDER) && path.components().count() == 3
}

fn page(task: &Path, parts: &[&Page], problems: &mut Vec<String>) -> Page {
    let find = |name: &str| parts.iter().find(|part| part.path.file_stem().is_some_and(|stem| stem == name));
    let mut page = Page { path: task.with_extension("md"), lines: Vec::new() };
    let index = find("index").map(|index| index.lines.as_slice()).unwrap_or_default();
    // The line that links the tabs decides which ones the task has.
    let phone_links = links(&page.path, &PHONE_TABS);
    let is_for_phones = index.iter().any(|line| line.text == phone_links);
    let tabs: &[(&str, &str)] = if is_for_phones { &PHONE_TABS } else { &TABS };
    let links = links(&page.path, tabs);
    let index: Vec<&[Line]> = index.split(|line| line.text == links).collect();
    if find("index").is_none() {
        problems.push(format!("docs/site/{}: index.md is missing", task.display()));
    } else if index.len() != 2 {
        problems.push(format!("docs/site/{}/index.md: must have a line that links the tabs, like those of other tasks", task.display()));
    }
    page.lines.extend(index[0].iter().cloned());
    for (name, title) in tabs {
        let Some(part) = find(name) else {
            problems.push(format!("docs/site/{}: {name}.md is missing; if the language has no such thing, say why", task.display()));
            continue;
        };
        let place = part.lines.first().map_or_else(String::new, |line| line.place.clone());
        let generated = |text: String| Line { text, place: place.clone() };
        page.lines.extend([generated(String::new()), generated(format!("=== \"{title}\"")), generated(String::new())]);
        page.lines.extend(part.lines.iter().map(|line| Line { text: indented(&line.text), place: line.place.clone() }));
    }
    page.lines.extend(index.iter().skip(1).flat_map(|lines| lines.iter().cloned()));
    for part in parts {
        let stem = part.path.file_stem().unwrap_or_default();
        if stem != "index" && !tabs.iter().any(|(name, _)| stem == *name) {
            problems.push(format!("docs/site/{}: is not the name of a tab", part.path.display()));
        }
    }
    page
}

/// Returns the line of `index.md` that links the files of the tabs, for readers of the sources. Here, they are links to the page itself.
fn links(page: &Path, tabs: &[(&str, &str)]) -> String {
    let page = page.file_name().unwrap_or_default().display();
    tabs.iter().map(|(_, title)| format!("[{title}]({page})")).collect::<Vec<_>>().join(" · ")
}

fn indented(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("    {text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Page {
        Page { path: path.into(), lines: vec![Line { text: format!("text of {path}"), place: format!("{path}:1") }] }
    }

    #[test]
    fn files_of_a_task_become_tabs() {
        let names = TABS.iter().map(|(name, _)| format!("guide/upload/{name}.md"));
        let mut problems = Vec::new();
        let mut pages: Vec<Page> =
            ["index.md".to_owned(), "guide/upload/index.md".to_owned()].into_iter().chain(names).map(|name| file(&name)).collect();
        let after = Line { text: "text after the tabs".to_owned(), place: "guide/upload/index.md:3".to_owned() };
        pages[1].lines.push(Line { text: links(Path::new("guide/upload.md"), &TABS), place: "guide/upload/index.md:2".to_owned() });
        pages[1].lines.push(after);
        let joined = join(pages.clone(), &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            joined.iter().map(|page| page.path.as_path()).collect::<Vec<_>>(),
            [Path::new("index.md"), Path::new("guide/upload.md")]
        );
        let text = joined[1].text();
        assert!(text.starts_with("text of guide/upload/index.md\n\n=== \"Rust\"\n"), "{text}");
        assert!(text.contains("\n=== \"C++\"\n\n    text of guide/upload/cpp.md\n"), "{text}");
        assert!(text.ends_with("text of guide/upload/command-line.md\ntext after the tabs\n"), "{text}");
        pages[1].lines.truncate(1);
        join(pages, &mut problems);
        assert_eq!(problems, ["docs/site/guide/upload/index.md: must have a line that links the tabs, like those of other tasks"]);
    }

    #[test]
    fn a_task_of_phones_has_two_tabs() {
        let mut problems = Vec::new();
        let mut pages: Vec<Page> = ["index", "swift", "kotlin", "rust"].map(|name| file(&format!("guide/device/{name}.md"))).into();
        pages[0].lines.push(Line { text: links(Path::new("guide/device.md"), &PHONE_TABS), place: "guide/device/index.md:2".to_owned() });
        let text = join(pages, &mut problems)[0].text();
        assert_eq!(text.matches("=== ").count(), 2, "{text}");
        assert!(text.contains("=== \"Swift\"\n") && text.contains("=== \"Kotlin, Java\"\n"), "{text}");
        assert_eq!(problems, ["docs/site/guide/device/rust.md: is not the name of a tab"]);
    }

    #[test]
    fn a_missing_tab_and_a_file_without_a_tab_are_problems() {
        let mut problems = Vec::new();
        join(vec![file("guide/upload/index.md"), file("guide/upload/cobol.md")], &mut problems);
        assert_eq!(problems.len(), TABS.len() + 2, "{problems:?}");
        assert!(problems[1].contains("rust.md is missing") && problems[TABS.len() + 1].contains("cobol.md"), "{problems:?}");
    }
}
