use super::*;

fn to(path: &Path, force: bool) -> Destination {
    Destination { output: Some(path.to_owned()), force, may_be_written: false }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_written_completely_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.bin");
    let mut sink = to(&path, false).sink(true).expect("a sink");
    sink.write_all(b"half").expect("written");
    assert!(!path.exists());
    drop(sink);
    assert!(names(folder.path()).is_empty(), "an incomplete output leaves no file");
    let mut sink = to(&path, false).sink(true).expect("a sink");
    sink.write_all(&[0, 159, 146, 150]).expect("written");
    sink.finish().expect("finished");
    assert_eq!((names(folder.path()), fs::read(&path).expect("a file")), (vec!["d.bin".to_owned()], vec![0, 159, 146, 150]));
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d");
    fs::write(&path, "old").expect("a file");
    assert!(matches!(to(&path, false).check(false), Err(Failure::File(text, _)) if text.contains("exists already")));
    let mut sink = to(&path, true).sink(false).expect("a sink");
    sink.write_all(b"new").expect("written");
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    sink.finish().expect("finished");
    assert_eq!((names(folder.path()).len(), fs::read(&path).expect("a file")), (1, b"new".to_vec()));
}

#[test]
fn a_file_that_is_created_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d");
    let mut sink = to(&path, false).sink(false).expect("a sink");
    sink.write_all(b"ours").expect("written");
    fs::write(&path, "theirs").expect("a file");
    assert!(matches!(sink.finish(), Err(Failure::File(..))));
    assert_eq!((names(folder.path()).len(), fs::read(&path).expect("a file")), (1, b"theirs".to_vec()));
}

#[cfg(unix)]
#[test]
fn files_are_private_links_are_kept_and_devices_are_written_to() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (path, link) = (folder.path().join("d"), folder.path().join("link"));
    let mut sink = to(&path, false).sink(false).expect("a sink");
    sink.write_all(b"old").expect("written");
    sink.finish().expect("finished");
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the owner's decision");
    // Root can set any group.
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        chown(&path, None, Some(1)).expect("the owner's decision");
    }
    let earlier = fs::metadata(&path).expect("a file");
    symlink(&path, &link).expect("a link");
    let mut sink = to(&link, true).sink(false).expect("a sink");
    sink.write_all(b"new").expect("written");
    sink.finish().expect("finished");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
    let new = fs::metadata(&path).expect("a file");
    assert_eq!((new.uid(), new.gid()), (earlier.uid(), earlier.gid()));
    assert!(!is_root || new.gid() == 1);
    if is_root {
        chown(&path, Some(2), None).expect("another owner");
        let mut sink = to(&path, true).sink(false).expect("a sink");
        sink.write_all(b"new").expect("written");
        sink.finish().expect("finished");
        let new = fs::metadata(&path).expect("a file");
        assert_eq!((new.uid(), new.permissions().mode() & 0o777), (0, 0o600), "the mode of another user's file is ignored");
    }
    let null = Path::new("/dev/null");
    let mut sink = to(null, false).sink(true).expect("a sink");
    sink.write_all(b"x").expect("written");
    sink.finish().expect("finished");
    assert!(is_device(null));
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_write_error_is_kept() {
    let mut sink = to(Path::new("/dev/full"), false).sink(true).expect("a sink");
    assert!(sink.write_all(b"x").and_then(|()| sink.flush()).is_err());
    assert_eq!(sink.take_error().map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
}
