//! POMs for release, made from those in the workspace: the artifact and its dependencies, without build and tests.

use anyhow::{Context as _, ensure};

/// Start of the build properties in the workspace's POM.
const PROPERTIES: &str = "  <properties>\n";
const DEPENDENCIES: &str = "  <dependencies>\n";
const BUILD: &str = "  <build>\n";
const DEPENDENCY: &str = "    <dependency>\n";
const DEPENDENCY_ENDS: &str = "    </dependency>\n";

/// The dependency on JNA, which is another file on Android.
const JNA: &str = "      <artifactId>jna</artifactId>\n";

/// Android's API stubs, which devices do not need.
const ANDROID: &str = "<groupId>com.google.android</groupId>";

/// The file format of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packaging {
    Jar,
    /// An Android archive. Its artifact name differs from the name of the jar with the same classes.
    Aar,
}

impl Packaging {
    /// Returns the file extension, which Maven calls packaging.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Jar => "jar",
            Self::Aar => "aar",
        }
    }
}

#[derive(Debug)]
pub(super) struct Pom {
    pub(super) artifact: String,
    pub(super) text: String,
}

/// Creates the POM of a released artifact from the POM in the workspace.
///
/// # Errors
/// If the POM in the workspace has an unexpected form.
pub(super) fn release_pom(clone: &str, packaging: Packaging) -> anyhow::Result<Pom> {
    let (head, rest) = clone.split_once(PROPERTIES).context("the POM has no properties")?;
    let (properties, rest) = rest.split_once(DEPENDENCIES).context("the POM has no dependencies")?;
    let (dependencies, _) = rest.split_once(BUILD).context("the POM has no build")?;
    let name = between(head, "<artifactId>", "</artifactId>")?;
    let mut text = head.to_owned();
    let mut artifact = name.to_owned();
    if packaging == Packaging::Aar {
        artifact.push_str("-android");
        text = text.replacen(&format!("<artifactId>{name}</artifactId>"), &format!("<artifactId>{artifact}</artifactId>"), 1);
        let named = between(head, "<name>", "</name>")?;
        text =
            text.replacen(&format!("<name>{named}</name>"), &format!("<packaging>aar</packaging>\n  <name>{named} on Android</name>"), 1);
    }
    text.push_str(DEPENDENCIES);
    for dependency in dependencies.split(DEPENDENCY).skip(1) {
        let (dependency, _) = dependency.split_once(DEPENDENCY_ENDS).context("a dependency has no closing tag")?;
        if dependency.contains("<scope>test</scope>") || dependency.contains(ANDROID) {
            continue;
        }
        let mut lines = dependency.to_owned();
        if packaging == Packaging::Aar && dependency.contains(JNA) {
            lines.push_str("      <type>aar</type>\n");
        }
        // Dependencies for compilation have the scope `compile`, Maven's default.
        text.push_str(&format!("{DEPENDENCY}{lines}{DEPENDENCY_ENDS}"));
    }
    text.push_str("  </dependencies>\n</project>\n");
    text = text.replace("${project.version}", between(head, "<version>", "</version>")?);
    for line in properties.lines() {
        if let Some((property, value)) = line.trim().strip_prefix('<').and_then(|line| line.split_once('>'))
            && let Some((value, _)) = value.split_once("</")
        {
            text = text.replace(&format!("${{{property}}}"), value);
        }
    }
    ensure!(!text.contains("${"), "the POM of {artifact} has a property without a value");
    ensure!(
        packaging == Packaging::Jar || text.matches("<type>aar</type>").count() == 1,
        "the POM of {artifact} must have exactly one dependency on JNA"
    );
    Ok(Pom { artifact, text })
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> anyhow::Result<&'a str> {
    let found = text.split_once(start).and_then(|(_, rest)| Some(rest.split_once(end)?.0));
    found.with_context(|| format!("the POM has no {start}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POM: &str = "<project>\n  <groupId>g</groupId>\n  <artifactId>a</artifactId>\n  <version>1.2.3</version>\n  <name>A</name>\n\n\
                         \x20 <properties>\n    <!-- Why. -->\n    <kotlin.version>2.0</kotlin.version>\n  </properties>\n\n  <dependencies>\n\
                         \x20   <dependency>\n      <artifactId>b</artifactId>\n      <version>${kotlin.version}</version>\n    </dependency>\n\
                         \x20   <!-- Tests. -->\n    <dependency>\n      <artifactId>t</artifactId>\n      <scope>test</scope>\n    </dependency>\n\
                         \x20   <dependency>\n      <artifactId>jna</artifactId>\n      <version>5</version>\n    </dependency>\n\
                         \x20 </dependencies>\n\n  <build>\n  </build>\n</project>\n";

    #[test]
    fn the_pom_of_a_jar_has_the_dependencies_of_applications() {
        let made = release_pom(POM, Packaging::Jar).unwrap();
        let expected = "<project>\n  <groupId>g</groupId>\n  <artifactId>a</artifactId>\n  <version>1.2.3</version>\n  <name>A</name>\n\n\
                        \x20 <dependencies>\n    <dependency>\n      <artifactId>b</artifactId>\n      <version>2.0</version>\n    </dependency>\n\
                        \x20   <dependency>\n      <artifactId>jna</artifactId>\n      <version>5</version>\n    </dependency>\n\
                        \x20 </dependencies>\n</project>\n";
        assert_eq!((made.artifact.as_str(), made.text.as_str()), ("a", expected));
    }

    #[test]
    fn the_pom_of_an_aar_depends_on_the_aar_of_jna() {
        let made = release_pom(POM, Packaging::Aar).unwrap();
        assert_eq!(made.artifact, "a-android");
        assert!(made.text.contains("<artifactId>a-android</artifactId>\n  <version>1.2.3</version>\n  <packaging>aar</packaging>\n"));
        assert!(made.text.contains("<artifactId>jna</artifactId>\n      <version>5</version>\n      <type>aar</type>\n    </dependency>"));
    }

    #[test]
    fn a_property_without_a_value_is_an_error() {
        assert!(
            release_pom(&POM.replace("${kotlin.version}", "${other}"), Packaging::Jar).unwrap_err().to_string().contains("without a value")
        );
        assert!(release_pom(&POM.replace("jna", "other"), Packaging::Aar).is_err());
        assert!(release_pom("<project/>", Packaging::Jar).is_err());
    }

    /// Companion artifacts use the package's classes that the application provides. On Android, these are in another artifact, and an
    /// application with both artifacts would not build.
    #[test]
    fn companion_artifacts_do_not_depend_on_the_jar_unless_they_are_for_servers() {
        let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("bindings/kotlin");
        for part in ["server", "testing", "serialization", "consent"] {
            let made = release_pom(&std::fs::read_to_string(package.join(part).join("pom.xml")).unwrap(), Packaging::Jar).unwrap();
            let ours: Vec<&str> =
                made.text.split(DEPENDENCY).skip(1).filter(|one| one.contains("<groupId>dev.vitalwire</groupId>")).collect();
            assert_eq!(ours.len(), 1, "{part}");
            assert_eq!(ours[0].contains("<scope>provided</scope>"), part != "server", "{part}");
        }
    }

    /// A Kotlin compiler reads classes of its own version and the next one, so the standard library of an application must not be newer.
    #[test]
    fn the_oldest_supported_kotlin_can_read_the_dependencies() {
        let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("bindings/kotlin");
        let read = |name: &str| std::fs::read_to_string(package.join(name)).unwrap();
        let minor = |version: &str| version.split('.').nth(1).unwrap().parse::<u32>().unwrap();
        let property = |pom: &str, name: &str| between(pom, &format!("<{name}>"), &format!("</{name}>")).unwrap().to_owned();
        let oldest = property(&read("pom.xml"), "kotlin.compiler.apiVersion");
        for part in ["", "server/", "testing/", "serialization/", "consent/"] {
            let pom = read(&format!("{part}pom.xml"));
            for name in ["kotlin.compiler.apiVersion", "kotlin.compiler.languageVersion"] {
                assert_eq!(property(&pom, name), oldest, "{part}");
            }
        }
        let made = release_pom(&read("pom.xml"), Packaging::Jar).unwrap();
        let stdlib = property(made.text.split_once("<artifactId>kotlin-stdlib</artifactId>").unwrap().1, "version");
        assert!((minor(&oldest)..=minor(&oldest) + 1).contains(&minor(&stdlib)), "{stdlib}");
        for (artifact, name) in
            [("kotlin-stdlib", "kotlin.stdlib.version"), ("kotlinx-coroutines-core-jvm", "coroutines.version"), ("jna", "jna.version")]
        {
            let (_, after) = made.text.split_once(&format!("<artifactId>{artifact}</artifactId>")).unwrap();
            assert_eq!(property(after, "version"), property(&read("pom.xml"), name), "{artifact}");
        }
        for consumer in ["installed/pom.xml", "installed-robolectric/pom.xml"] {
            // XML does not allow two hyphens in a comment.
            assert!(!read(consumer).contains("<!-- --"), "{consumer}: write the mark of a snippet as `<?snippet ... ?>`");
        }
        let tried = property(&read("installed/pom.xml"), "kotlin.version");
        assert!(tried.starts_with(&format!("{oldest}.")), "installed/pom.xml must use the oldest supported Kotlin");
    }

    #[test]
    fn the_poms_of_the_workspace_can_be_released() {
        let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("bindings/kotlin");
        for (part, packaging) in ["server", "testing", "serialization", "consent"]
            .map(|part| (part, Packaging::Jar))
            .into_iter()
            .chain([("", Packaging::Jar), ("", Packaging::Aar)])
        {
            let made = release_pom(&std::fs::read_to_string(package.join(part).join("pom.xml")).unwrap(), packaging).unwrap();
            assert!(!made.text.contains(ANDROID), "{}", made.artifact);
            // Elements that Maven Central requires.
            for element in ["<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm>"] {
                assert!(made.text.contains(element), "{} has no {element}", made.artifact);
            }
        }
    }
}
