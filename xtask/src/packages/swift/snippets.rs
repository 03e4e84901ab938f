//! The Swift code in the package's documentation, as tests: each snippet is compiled, and run against the sandbox.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::ARTICLES;

/// What a reader of a snippet has already; a snippet may give each of these names anew.
const GIVEN: &str = r#"import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// As a reader's own server would give a token.
private func signIn(_ again: Bool = false) async throws -> String { try Given().token }

private struct Given {
    let url: URL
    let token: String
    let id: String
    let client: VitalwireClient
    /// The smallest PNG: one pixel.
    let picture = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
        (token, id) = (try XCTUnwrap(environment["VITALWIRE_TOKEN"]), try XCTUnwrap(environment["VITALWIRE_SLEEP_ID"]))
        client = try VitalwireClient(ClientOptions(baseURL: url, token: token))
    }
}

/// The Swift code of README and articles.
final class SnippetTests: XCTestCase {
"#;

/// The tests of the package in a folder.
///
/// # Errors
/// Where a file cannot be read, or there is no snippet at all.
pub(super) fn tests(package: &Path) -> anyhow::Result<String> {
    let mut files = vec![package.join("README.md")];
    let articles = package.join(ARTICLES);
    for entry in fs::read_dir(&articles).with_context(|| format!("reading {}", articles.display()))? {
        files.push(entry?.path());
    }
    files.sort();
    let mut tests = GIVEN.to_owned();
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        for (at, snippet) in snippets(&text).iter().enumerate() {
            write!(tests, "{}", test(&format!("{name}{}", at + 1), snippet))?;
            count += 1;
        }
    }
    ensure!(count > 0, "there is no Swift code in the package's documentation");
    tests.push_str("}\n");
    Ok(tests)
}

fn test(name: &str, snippet: &str) -> String {
    format!(
        "    func test{name}() async throws {{
        let given = try Given()
        let (url, token, id, client, picture) = (given.url, given.token, given.id, given.client, given.picture)
        _ = (url, token, id, client, picture)
        do {{
{snippet}        }}
    }}

"
    )
}

/// The blocks of Swift code in a text, without their imports.
fn snippets(text: &str) -> Vec<String> {
    let mut snippets = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim() {
            "```swift" => {
                inside = true;
                snippets.push(String::new());
            }
            "```" => inside = false,
            code if inside && !code.starts_with("import ") => {
                if let Some(snippet) = snippets.last_mut() {
                    snippet.push_str(line);
                    snippet.push('\n');
                }
            }
            _ => {}
        }
    }
    snippets
}

#[cfg(test)]
mod tests {
    use super::snippets;

    #[test]
    fn finds_swift_and_nothing_else() {
        let text = "a\n```swift\nimport Vitalwire\n\nlet a = 1\n```\n```text\nb\n```\n```swift\nlet c = 2\n```\n";
        assert_eq!(snippets(text), ["\nlet a = 1\n", "let c = 2\n"]);
    }
}
