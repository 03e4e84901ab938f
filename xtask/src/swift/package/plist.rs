//! Property lists, as XML.

/// A value of a property list.
pub(super) enum Value {
    Text(String),
    List(Vec<Value>),
    Dictionary(Vec<(&'static str, Value)>),
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// The file with a value. Indented by tabs, as Apple's tools do.
pub(super) fn file(value: &Value) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n",
    );
    write(&mut out, value, 0);
    out.push_str("</plist>\n");
    out
}

fn write(out: &mut String, value: &Value, depth: usize) {
    let tabs = "\t".repeat(depth);
    match value {
        Value::Text(text) => out.push_str(&format!("{tabs}<string>{}</string>\n", escaped(text))),
        Value::List(items) => {
            out.push_str(&format!("{tabs}<array>\n"));
            items.iter().for_each(|item| write(out, item, depth + 1));
            out.push_str(&format!("{tabs}</array>\n"));
        }
        Value::Dictionary(entries) => {
            out.push_str(&format!("{tabs}<dict>\n"));
            for (key, value) in entries {
                out.push_str(&format!("{tabs}\t<key>{}</key>\n", escaped(key)));
                write(out, value, depth + 1);
            }
            out.push_str(&format!("{tabs}</dict>\n"));
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Python's own reader says what is in it.
    #[test]
    fn another_reader_finds_the_same_values() {
        let list = Value::List(vec![Value::text("a<b&c>"), Value::Dictionary(Vec::new())]);
        let text = file(&Value::Dictionary(vec![("z", Value::text("1")), ("a&b", list)]));
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.plist"), text).unwrap();
        let program = "import plistlib; print(plistlib.load(open('a.plist', 'rb')))";
        let output = Command::new("python3").current_dir(&folder).args(["-I", "-c", program]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "{'z': '1', 'a&b': ['a<b&c>', {}]}\n");
    }
}
