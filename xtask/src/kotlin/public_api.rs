//! The public API in the committed API files. A test compares these files with the classes.

use std::path::Path;

use super::maven::FOLDER;
use crate::folder;
use crate::public_api::{self, Name, Names, PublicApi};

/// Folder of the API files.
const FILES: &str = "api";

pub(super) const PUBLIC_API: PublicApi = PublicApi {
    name: "Kotlin and Java",
    compiles: false,
    missing: |_| Ok(None),
    changes: |checkouts| Ok(public_api::compare(&names(checkouts.before)?, &names(checkouts.after)?)),
};

fn names(root: &Path) -> anyhow::Result<Names> {
    let mut names = Names::new();
    for (_, text) in folder::contents(&root.join(FOLDER).join(FILES))? {
        names.append(&mut parse(&String::from_utf8(text)?));
    }
    Ok(names)
}

/// Parses an API file. Each class, supertype and signature is a name.
fn parse(text: &str) -> Names {
    let mut names = Names::new();
    let (mut class, mut is_enum) = (String::new(), false);
    for line in text.lines().filter(|line| !line.is_empty() && *line != "}") {
        if let Some(member) = line.strip_prefix('\t') {
            let is_entry = is_enum && member.starts_with("public static final field ") && member.ends_with(&format!(" L{class};"));
            let is_closed = is_entry || member.starts_with("public abstract ");
            let name = Name { text: String::new(), closed_type: is_closed.then(|| class.clone()) };
            names.insert(format!("{class}: {member}"), name);
            continue;
        }
        let head = line.trim_end_matches(" {");
        let (head, supertypes) = head.split_once(" : ").unwrap_or((head, ""));
        class = head.rsplit(' ').next().unwrap_or(head).to_owned();
        is_enum = supertypes == "java/lang/Enum" || supertypes.starts_with("java/lang/Enum,");
        names.insert(class.clone(), Name { text: head.to_owned(), closed_type: None });
        for supertype in supertypes.split(", ").filter(|supertype| !supertype.is_empty()) {
            names.insert(format!("{class}: extends {supertype}"), Name::default());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::public_api::Change;

    const BEFORE: &str = "public final class a/Kind : java/lang/Enum {\n\tpublic static final field ONE La/Kind;\n}\n\n\
                          public abstract interface class a/Sleeps {\n\tpublic abstract fun get ()V\n}\n";

    fn changes(after: &str) -> Vec<Change> {
        public_api::compare(&parse(BEFORE), &parse(after))
    }

    #[test]
    fn new_enum_entries_and_abstract_functions_break() {
        assert_eq!(changes(BEFORE), []);
        let entry = changes(&BEFORE.replace("\n}\n\n", "\n\tpublic static final field TWO La/Kind;\n}\n\n"));
        assert_eq!(entry, [Change::breaking("a/Kind: public static final field TWO La/Kind; was added to a/Kind")]);
        let function = changes(&BEFORE.replace("get ()V\n", "get ()V\n\tpublic abstract fun all ()V\n"));
        assert_eq!(function, [Change::breaking("a/Sleeps: public abstract fun all ()V was added to a/Sleeps")]);
    }

    #[test]
    fn other_new_names_and_supertypes_are_additions() {
        let after = BEFORE.replace("java/lang/Enum", "java/lang/Enum, a/Named").replace("get ()V\n", "get ()V\n\tpublic fun all ()V\n");
        let expected = [Change::addition("a/Kind: extends a/Named"), Change::addition("a/Sleeps: public fun all ()V")];
        assert_eq!(changes(&after), expected);
    }

    #[test]
    fn changed_signatures_and_classes_break() {
        let after = BEFORE.replace("get ()V", "get (I)V").replace("final class", "abstract class");
        let texts: Vec<String> = changes(&after).into_iter().map(|change| change.text).collect();
        let class = "a/Kind was `public final class a/Kind` and is `public abstract class a/Kind`";
        let added = "a/Sleeps: public abstract fun get (I)V was added to a/Sleeps";
        assert_eq!(texts, [class, "a/Sleeps: public abstract fun get ()V was removed", added]);
    }
}
