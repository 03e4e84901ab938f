use super::*;
use crate::error::ErrorKind;

fn work() -> Result<(), Error> {
    block_on(async { tokio::time::sleep(std::time::Duration::from_millis(1)).await })
}

#[cfg(unix)]
#[test]
fn a_lack_of_file_descriptors_is_a_transport_error() {
    // EMFILE and EPERM.
    for (number, kind) in [(24, ErrorKind::Transport), (1, ErrorKind::Internal)] {
        assert_eq!(start_error(io::Error::from_raw_os_error(number)).kind(), kind);
    }
}

#[test]
fn a_blocking_call_fails_inside_a_task_only() {
    assert!(work().is_ok());
    for inside in [Builder::new_current_thread().build(), Builder::new_multi_thread().worker_threads(1).build()] {
        let inside = inside.expect("a runtime");
        let is_rejected = |outcome: Result<(), Error>| outcome.is_err_and(|error| error.kind() == ErrorKind::Configuration);
        assert!(is_rejected(inside.block_on(async { work() })));
        assert!(is_rejected(inside.block_on(async { tokio::spawn(async { work() }).await.expect("no panic") })));
        let entered = inside.enter();
        assert!(work().is_ok(), "entering a runtime is not running a task");
        drop(entered);
    }
}

#[test]
fn a_blocking_call_runs_on_threads_for_blocking_work() {
    let runtime = Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let spawned = runtime.block_on(async { tokio::task::spawn_blocking(work).await });
    assert!(spawned.expect("no panic").is_ok());
    let in_place = runtime.block_on(async { tokio::spawn(async { tokio::task::block_in_place(work) }).await });
    assert!(in_place.expect("no panic").is_ok());
}
