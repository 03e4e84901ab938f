use super::*;

fn to(path: &Path) -> Destination {
    Destination { output: Some(path.to_owned()), force: true, may_be_written: false }
}

#[test]
fn an_output_that_cannot_be_a_file_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [folder.path().to_owned(), folder.path().join("none/d")] {
        assert!(matches!(to(&path).check(true), Err(Failure::File(..))));
    }
    assert!(Destination { output: Some(STDOUT.into()), ..Destination::default() }.file().is_none());
    assert!(matches!(reject_terminal(true, true), Err(Failure::Usage(_, hint)) if hint.contains("--output")));
    assert!(reject_terminal(false, true).is_ok() && reject_terminal(true, false).is_ok());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_without_write_access_is_rejected() {
    // Not even root can create files there.
    let outcome = to(Path::new("/proc/self/d")).check(false);
    assert!(matches!(outcome, Err(Failure::File(text, _)) if text.starts_with("no file can be created in /proc/self: ")));
}

#[test]
fn the_input_file_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, other) = (folder.path().join("d"), folder.path().join("e"));
    fs::write(&path, "input").expect("a file");
    assert!(matches!(to(&path).reject_input(&folder.path().join(".").join("d")), Err(Failure::Blocked(..))));
    assert!(to(&other).reject_input(&path).is_ok() && to(&path).reject_input(&other).is_ok());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&path, &other).expect("a link");
        assert!(to(&other).reject_input(&path).is_err());
    }
}
