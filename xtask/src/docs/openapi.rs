//! Reference pages of the specifications, by Redocly.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::build::target;
use crate::language::Reference;
use crate::process::{execute, has};
use crate::{folder, redocly};

pub(super) const REFERENCE: Reference = Reference {
    name: "openapi",
    missing: |_| Ok((!has("npm") || !has("node")).then_some("npm or node is missing; on Debian: apt install npm")),
    build: pages,
};

/// Permits only what the page itself contains. Redocly's script would load its logo and icons from another server.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; \
     style-src 'unsafe-inline'; img-src data:; font-src data:; worker-src blob:\">";

/// Folder of the specifications with all overlays.
const SPECIFICATIONS: &str = "openapi/resolved";

fn pages(root: &Path, work: &Path) -> anyhow::Result<PathBuf> {
    let pages = work.join("pages");
    fs::create_dir_all(&pages)?;
    for specification in folder::files(&root.join(SPECIFICATIONS))? {
        let page = pages.join(specification.file_name().unwrap_or_default()).with_extension("html");
        let mut redocly = redocly::command(&target(root)?)?;
        redocly.arg("build-docs").arg(specification).args(["--inlineBundle", "--output"]).arg(&page).current_dir(work);
        execute(&mut redocly)?;
        let text = fs::read_to_string(&page)?;
        fs::write(&page, offline(&text).with_context(|| format!("{} has no head", page.display()))?)?;
    }
    Ok(pages)
}

/// Adds the policy to a page.
fn offline(page: &str) -> Option<String> {
    let (before, after) = page.split_once("<head>")?;
    Some(format!("{before}<head>{POLICY}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loads_nothing_from_other_servers() {
        let page = offline("<html><head><title>A</title></head></html>").unwrap();
        assert!(page.starts_with("<html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "), "{page}");
        assert!(page.ends_with("\"><title>A</title></head></html>"), "{page}");
        assert_eq!(offline("<html></html>"), None);
    }
}
