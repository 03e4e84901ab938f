//! Compiles the Swift snippets in the package's documentation as tests and runs them against the sandbox.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::layout::ARTICLES;

/// Declarations that a reader already has. A snippet may declare each of these names again.
const PRELUDE: &str = r#"import Foundation
import Testing
import Vitalwire
import VitalwireSandbox
import VitalwireServer
import VitalwireTesting
import XCTest
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns a token, as a reader's own server would.
private func signIn(_ again: Bool = false) async throws -> String { try Fixture().token }

private struct Fixture {
    let url: URL
    let token: String
    let id: String
    let client: VitalwireClient
    /// The smallest PNG: one pixel.
    let picture = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run these tests with `cargo xtask test`")
        (token, id) = (try XCTUnwrap(environment["VITALWIRE_TOKEN"]), try XCTUnwrap(environment["VITALWIRE_SLEEP_ID"]))
        client = try VitalwireClient(ClientOptions(baseURL: url, token: token))
    }
}

/// The Swift code of README and articles.
final class SnippetTests: XCTestCase {
"#;

/// Returns the tests of the snippets of the package in a folder.
///
/// # Errors
/// If a file cannot be read, or there is no snippet.
pub(super) fn tests(package: &Path) -> anyhow::Result<String> {
    let mut files = vec![package.join("README.md")];
    let articles = package.join(ARTICLES);
    for entry in fs::read_dir(&articles).with_context(|| format!("reading {}", articles.display()))? {
        files.push(entry?.path());
    }
    files.sort();
    let (mut tests, mut own) = (PRELUDE.to_owned(), String::new());
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        for (at, snippet) in snippets(&text).iter().enumerate() {
            let name = format!("{name}{}", at + 1);
            match snippet.framework {
                None => write!(tests, "{}", test(&name, &snippet.code))?,
                Some(framework) => write!(own, "{}", framework.tests(&name, &snippet.code))?,
            }
            count += 1;
        }
    }
    ensure!(count > 0, "the package's documentation must have Swift code");
    tests.push_str("}\n");
    Ok(tests + &own)
}

/// A block of Swift code, without its imports.
#[derive(Debug, Default, PartialEq, Eq)]
struct Snippet {
    /// The test framework, if the snippet has tests. Otherwise it is a function body.
    framework: Option<Framework>,
    code: String,
}

/// A test framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framework {
    XCTest,
    Testing,
}

impl Framework {
    fn imported(line: &str) -> Option<Self> {
        match line {
            "import XCTest" => Some(Self::XCTest),
            "import Testing" => Some(Self::Testing),
            _ => None,
        }
    }

    /// Returns a file with the snippet's tests. Tests of `Testing` have traits, which need the test scoping of Swift 6.1.
    fn tests(self, name: &str, snippet: &str) -> String {
        match self {
            Self::XCTest => format!("\n{snippet}"),
            Self::Testing => format!("\n#if compiler(>=6.1)\nstruct {name}Tests {{\n{snippet}}}\n#endif\n"),
        }
    }
}

fn test(name: &str, snippet: &str) -> String {
    format!(
        "    func test{name}() async throws {{
        let fixture = try Fixture()
        let (url, token, id, client, picture) = (fixture.url, fixture.token, fixture.id, fixture.client, fixture.picture)
        _ = (url, token, id, client, picture)
        do {{
{snippet}        }}
    }}

"
    )
}

/// Returns the blocks of Swift code in a text.
fn snippets(text: &str) -> Vec<Snippet> {
    let mut snippets: Vec<Snippet> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line.trim(), snippets.last_mut()) {
            ("```swift", _) => {
                inside = true;
                snippets.push(Snippet::default());
            }
            ("```", _) => inside = false,
            (code, Some(snippet)) if inside && code.starts_with("import ") => {
                snippet.framework = snippet.framework.or(Framework::imported(code));
            }
            (_, Some(snippet)) if inside => {
                snippet.code.push_str(line);
                snippet.code.push('\n');
            }
            _ => {}
        }
    }
    snippets
}

#[cfg(test)]
mod tests {
    use super::{Framework, Snippet, snippets};

    fn snippet(framework: Option<Framework>, code: &str) -> Snippet {
        Snippet { framework, code: code.to_owned() }
    }

    #[test]
    fn only_swift_code_is_found() {
        let text = "a\n```swift\nimport Vitalwire\n\nlet a = 1\n```\n```text\nb\n```\n```swift\nlet c = 2\n```\n";
        assert_eq!(snippets(text), [snippet(None, "\nlet a = 1\n"), snippet(None, "let c = 2\n")]);
    }

    #[test]
    fn tests_are_recognised_by_their_imports() {
        let text = "```swift\nimport Testing\nimport Vitalwire\na\n```\n```swift\nimport XCTest\nb\n```\n";
        assert_eq!(snippets(text), [snippet(Some(Framework::Testing), "a\n"), snippet(Some(Framework::XCTest), "b\n")]);
    }

    #[test]
    fn tests_with_traits_need_swift_6_1() {
        let traits = Framework::Testing.tests("Testing5", "@Test(.sandbox) func a() {}\n");
        assert_eq!(traits, "\n#if compiler(>=6.1)\nstruct Testing5Tests {\n@Test(.sandbox) func a() {}\n}\n#endif\n");
    }
}
