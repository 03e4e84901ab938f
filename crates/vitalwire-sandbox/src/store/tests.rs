use std::fs;

use serde_json::{Value, json};

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn memory_store() -> Store {
    Store::open(None, 7).unwrap()
}

/// Temporary folder, removed on drop.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vitalwire-sandbox-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> std::path::PathBuf {
        self.0.join("sandbox.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open_error(path: &Path, seed: u64) -> String {
    let error = Store::open(Some(path), seed).err().expect("refused");
    error.to_string().split_once(": ").unwrap().1.to_owned()
}

#[tokio::test]
async fn documents_are_put_found_listed_and_removed() {
    let store = memory_store();
    for (id, second) in [("b", 20), ("a", 10), ("c", 30), ("d", 20)] {
        store.put(DocumentKind::Delivery, "one", id, at(second), &json!(id)).await.unwrap();
    }
    store.put(DocumentKind::Delivery, "two", "a", at(10), &json!("other user")).await.unwrap();
    store.put(DocumentKind::Setting, "one", "a", at(10), &json!("other kind")).await.unwrap();
    let list = async |from: Option<i64>, to: Option<i64>| -> Vec<String> {
        store.list(DocumentKind::Delivery, "one", from.map(at), to.map(at)).await.unwrap()
    };
    assert_eq!(list(None, None).await, ["a", "b", "d", "c"]);
    assert_eq!(list(Some(20), Some(30)).await, ["b", "d"]);
    assert_eq!(list(Some(21), None).await, ["c"]);
    assert!(list(Some(20), Some(20)).await.is_empty());
    assert_eq!(store.get::<Value>(DocumentKind::Delivery, "one", "a").await.unwrap(), Some(json!("a")));
    assert_eq!(store.get::<Value>(DocumentKind::Delivery, "one", "z").await.unwrap(), None);
    // A replaced document keeps its id and may change its time.
    store.put(DocumentKind::Delivery, "one", "a", at(40), &json!("later")).await.unwrap();
    assert_eq!(list(None, None).await, ["b", "d", "c", "later"]);
    assert!(store.remove(DocumentKind::Delivery, "one", "a").await.unwrap());
    assert!(!store.remove(DocumentKind::Delivery, "one", "a").await.unwrap());
    assert_eq!(store.get::<Value>(DocumentKind::Delivery, "two", "a").await.unwrap(), Some(json!("other user")));
}

#[tokio::test]
async fn instants_are_exact_to_the_nanosecond() {
    let store = memory_store();
    let first: Timestamp = "2025-11-21T12:00:00.000000001Z".parse().unwrap();
    let second: Timestamp = "2025-11-21T12:00:00.000000002Z".parse().unwrap();
    store.put(DocumentKind::Delivery, "one", "a", first, &1).await.unwrap();
    assert!(store.list::<i32>(DocumentKind::Delivery, "one", Some(second), None).await.unwrap().is_empty());
    assert_eq!(store.list::<i32>(DocumentKind::Delivery, "one", Some(first), Some(second)).await.unwrap(), [1]);
    store.put(DocumentKind::Delivery, "one", "end", Timestamp::MAX, &2).await.unwrap();
    store.put(DocumentKind::Delivery, "one", "start", Timestamp::MIN, &0).await.unwrap();
    assert_eq!(store.list::<i32>(DocumentKind::Delivery, "one", None, None).await.unwrap(), [0, 1, 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_inserts_and_updates_are_atomic() {
    let store = Arc::new(memory_store());
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..50_u32 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let count = |before: Option<u32>| (Some((at(0), before.map_or(1, |count| count + 1))), ());
            store.update(DocumentKind::Setting, "", "count", count).await.unwrap();
            store.insert_once(DocumentKind::Setting, "", "first", at(0), &number).await.unwrap()
        });
    }
    let first = tasks.join_all().await.into_iter().filter(|added| *added).count();
    assert_eq!(first, 1);
    assert_eq!(store.get(DocumentKind::Setting, "", "count").await.unwrap(), Some(50));
    let unchanged = store.update(DocumentKind::Setting, "", "count", |count: Option<u32>| (None, count)).await.unwrap();
    assert_eq!(unchanged, Some(50));
}

#[tokio::test]
async fn memory_removes_the_oldest_of_a_kind() {
    let store = memory_store();
    store.put(DocumentKind::Setting, "", "stays", at(0), &0).await.unwrap();
    for number in 0..10_300 {
        store.put(DocumentKind::Delivery, "", &number.to_string(), at(-number), &number).await.unwrap();
    }
    let stored: Vec<i64> = store.list(DocumentKind::Delivery, "", None, None).await.unwrap();
    assert!((10_000..10_128).contains(&stored.len()), "{}", stored.len());
    assert_eq!(stored[0], 10_299, "the newest document stays, regardless of its time");
    assert_eq!(store.get(DocumentKind::Setting, "", "stays").await.unwrap(), Some(0));
    assert_eq!(*store.forgotten().borrow(), 0, "removed deliveries are not counted");
    // The limit is applied after every 128 documents.
    for number in 0..10_240 {
        store.put(DocumentKind::Report, "", &number.to_string(), at(0), &number).await.unwrap();
    }
    assert_eq!(*store.forgotten().borrow(), 240);
}

#[tokio::test]
async fn a_panicking_job_is_an_error_and_the_store_continues() {
    let store = memory_store();
    let panics = |_: Option<u32>| -> (Option<(Timestamp, u32)>, ()) { unreachable!("a panic in a test") };
    let panicked = store.update(DocumentKind::Setting, "", "x", panics).await;
    assert!(panicked.is_err());
    store.put(DocumentKind::Setting, "", "x", at(0), &1).await.unwrap();
    assert!(store.get::<String>(DocumentKind::Setting, "", "x").await.is_err(), "a number is not a text");
}

#[tokio::test]
async fn a_reopened_file_has_all_data_and_numbers_continue() {
    let folder = Folder::new("again");
    let integration = StoredIntegration {
        slug: "oura".to_owned(),
        id: 5,
        created_at: at(1),
        since: None,
        broken: true,
        removed: false,
        stopped_at: None,
    };
    let number = {
        let store = Store::open(Some(&folder.file()), 7).unwrap();
        store.put(DocumentKind::Meal, "one", "a", at(1), &json!({"deep": [1, null]})).await.unwrap();
        let made = integration.clone();
        assert!(store.change_integration("one", "oura", at(1), Vec::new(), move |_| Some((made, false))).await.unwrap());
        store.write_setting("fact", &"kept").unwrap();
        store.next_number()
    };
    let store = Store::open(Some(&folder.file()), 7).unwrap();
    assert_eq!(store.get::<Value>(DocumentKind::Meal, "one", "a").await.unwrap(), Some(json!({"deep": [1, null]})));
    assert_eq!(*store.integrations("one"), [integration]);
    assert!(store.integrations("two").is_empty());
    assert_eq!(store.read_setting::<String>("fact").as_deref(), Some("kept"));
    assert!(store.next_number() > number);
}

#[test]
fn a_file_is_bound_to_its_owner_seed_and_one_program() {
    let folder = Folder::new("owner");
    let store = Store::open(Some(&folder.file()), 7).unwrap();
    #[cfg(unix)]
    for entry in fs::read_dir(&folder.0).unwrap() {
        let mode = std::os::unix::fs::PermissionsExt::mode(&entry.unwrap().metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(open_error(&folder.file(), 7), "another program has this database open");
    drop(store);
    assert_eq!(open_error(&folder.file(), 8), "this database was created with seed 7, not with seed 8");
    Store::open(Some(&folder.file()), 7).unwrap();
}

#[test]
fn foreign_files_are_left_unchanged() {
    let folder = Folder::new("foreign");
    let path = folder.file();
    let untouched = |why: &str| {
        let before = fs::read(&path).unwrap();
        assert_eq!(open_error(&path, 7), why);
        assert_eq!(fs::read(&path).unwrap(), before);
        fs::remove_file(&path).unwrap();
    };
    fs::write(&path, "a letter, and by chance a long one: ".repeat(100)).unwrap();
    untouched("not a database of a sandbox");

    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE theirs (x)").unwrap();
    drop(other);
    untouched("not a database of a sandbox");

    drop(Store::open(Some(&path), 7).unwrap());
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    untouched("this database was created by a later version");

    drop(Store::open(Some(&path), 7).unwrap());
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[4_096..end].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    untouched("this database is damaged");

    let missing = folder.0.join("no folder").join("x.db");
    assert!(Store::open(Some(&missing), 7).is_err());
    assert!(Store::open(Some(&folder.0), 7).is_err());
}

#[tokio::test]
async fn long_lookup_ids_are_stored_as_distinct_digests() {
    let store = memory_store();
    let long = "a".repeat(65_536);
    assert_eq!(store.first_lookup(&[&long, "b", "c"], at(1)).await.unwrap(), at(1));
    assert_eq!(store.first_lookup(&[&long, "b", "c"], at(2)).await.unwrap(), at(1));
    assert_eq!(store.first_lookup(&[&long, "bc", ""], at(3)).await.unwrap(), at(3));
    let sql = "SELECT max(length(id)) FROM documents";
    let longest: i64 = store.worker.call_blocking(|database| Ok(database.connection().query_row(sql, [], |row| row.get(0))?)).unwrap();
    assert_eq!(longest, 64);
}

#[tokio::test]
async fn due_documents_are_listed_in_order_up_to_the_limit() {
    let store = Store::open(None, 7).unwrap();
    for (id, second) in [("late", 30), ("second", 20), ("first", 10), ("third", 20)] {
        store.put(DocumentKind::Delivery, "one", id, at(second), &id).await.unwrap();
    }
    store.put(DocumentKind::Delivery, "two", "other", at(1), &"other").await.unwrap();
    let due = async |now, most| store.list_due::<String>(DocumentKind::Delivery, "one", at(now), most).await.unwrap();
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(due(9, 5).await, (texts(&[]), Some(at(10))));
    assert_eq!(due(20, 5).await, (texts(&["first", "second", "third"]), Some(at(30))));
    assert_eq!(due(20, 2).await, (texts(&["first", "second"]), Some(at(30))));
    assert_eq!(due(30, 4).await.1, None);
    assert_eq!(store.list_latest::<String>(DocumentKind::Delivery, 2).await.unwrap(), ["other", "third"]);
}

#[tokio::test]
async fn a_future_clock_limit_is_stored_until_shutdown() {
    let folder = Folder::new("shown");
    let stored = || {
        let copy = folder.0.join("copy.db");
        fs::copy(folder.file(), &copy).unwrap();
        // Committed data that is not yet in the main file is in the write-ahead log.
        let _ = fs::copy(folder.file().with_extension("db-wal"), copy.with_extension("db-wal"));
        Store::open(Some(&copy), 7).unwrap().read_setting::<Timestamp>(SEEN)
    };
    let store = Store::open(Some(&folder.file()), 7).unwrap();
    store.track_clock(|ahead| at(100 + i64::try_from(ahead.as_secs()).unwrap())).unwrap();
    store.write_setting("any", &1).unwrap();
    // The copy is in the state after a crash. Its limit covers at least the next five seconds.
    assert!(stored().is_some_and(|stored| stored >= at(105)), "{:?}", stored());
    drop(store);
    assert_eq!(Store::open(Some(&folder.file()), 7).unwrap().read_setting(SEEN), Some(at(100)));
}
