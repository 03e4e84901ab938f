//! Keeps `SIGPIPE` from the program. Its default action ends programs that are not written in Rust when a peer closes a connection.
//!
//! tokio and rustls write to sockets with `writev`, which has no flag against the signal. On Linux and Android, threads that drive
//! connections therefore block it. On Apple platforms sockets have an option against it, which the HTTP library sets. The signal's
//! disposition belongs to the program and is never changed.

#[cfg(any(target_os = "linux", target_os = "android"))]
pub use self::linux::{SigpipeBlocker, block_on_this_thread};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub use self::other::{SigpipeBlocker, block_on_this_thread};

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use std::io;
    use std::marker::PhantomData;

    use nix::sys::signal::{SigSet, SigmaskHow, Signal, raise};
    use nix::sys::signalfd::{SfdFlags, SignalFd};

    fn sigpipe() -> SigSet {
        SigSet::from(Signal::SIGPIPE)
    }

    /// Blocks the signal on a thread of the library until the thread ends.
    pub fn block_on_this_thread() {
        // It fails only if its arguments are invalid.
        let _ = sigpipe().thread_block();
    }

    /// Blocks the signal on threads of the program while they drive connections.
    #[derive(Debug)]
    pub struct SigpipeBlocker {
        /// Reads pending signals of the thread that reads from it.
        pending: SignalFd,
    }

    impl SigpipeBlocker {
        /// Creates a blocker for all threads of this process.
        ///
        /// # Errors
        /// If no file descriptors are left.
        pub fn new() -> io::Result<Self> {
            Ok(Self { pending: SignalFd::with_flags(&sigpipe(), SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)? })
        }

        /// Blocks the signal on this thread until the returned guard is dropped.
        pub fn block(&self) -> SigpipeGuard<'_> {
            let earlier_mask = sigpipe().thread_swap_mask(SigmaskHow::SIG_BLOCK);
            let was_blocked = earlier_mask.is_ok_and(|mask| mask.contains(Signal::SIGPIPE));
            let was_pending = was_blocked && self.take_pending();
            SigpipeGuard { blocker: self, was_blocked, was_pending, not_send: PhantomData }
        }

        /// Discards a pending signal of this thread. Returns whether there was one.
        fn take_pending(&self) -> bool {
            matches!(self.pending.read_signal(), Ok(Some(_)))
        }
    }

    /// Restores the mask of its thread when dropped.
    #[derive(Debug)]
    pub struct SigpipeGuard<'blocker> {
        blocker: &'blocker SigpipeBlocker,
        was_blocked: bool,
        /// Whether the program had left the signal pending.
        was_pending: bool,
        /// Masks belong to a thread.
        not_send: PhantomData<*const ()>,
    }

    impl Drop for SigpipeGuard<'_> {
        fn drop(&mut self) {
            self.blocker.take_pending();
            if !self.was_blocked {
                let _ = sigpipe().thread_unblock();
            } else if self.was_pending {
                let _ = raise(Signal::SIGPIPE);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn is_blocked() -> bool {
            SigSet::thread_get_mask().expect("a mask").contains(Signal::SIGPIPE)
        }

        #[test]
        fn a_signal_of_the_library_is_discarded() {
            let blocker = SigpipeBlocker::new().expect("a descriptor");
            let guard = blocker.block();
            assert!(is_blocked());
            raise(Signal::SIGPIPE).expect("raised");
            drop(guard);
            assert!(!is_blocked());
            block_on_this_thread();
            assert!(is_blocked() && !blocker.take_pending());
        }

        #[test]
        fn a_pending_signal_of_the_program_stays_pending() {
            let blocker = SigpipeBlocker::new().expect("a descriptor");
            block_on_this_thread();
            drop(blocker.block());
            assert!(is_blocked() && !blocker.take_pending());
            raise(Signal::SIGPIPE).expect("raised");
            drop(blocker.block());
            assert!(is_blocked() && blocker.take_pending());
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod other {
    use std::io;

    /// Does nothing on this platform.
    pub fn block_on_this_thread() {}

    /// Does nothing on this platform.
    #[derive(Debug)]
    pub struct SigpipeBlocker;

    impl SigpipeBlocker {
        /// Creates a blocker.
        ///
        /// # Errors
        /// None on this platform.
        pub fn new() -> io::Result<Self> {
            Ok(Self)
        }

        /// Returns a guard that does nothing.
        pub fn block(&self) {}
    }
}
