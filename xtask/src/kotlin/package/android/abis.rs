//! Processors of Android devices.

use object::elf::{EM_AARCH64, EM_ARM, EM_X86_64, Machine};

/// Minimum API level of devices, the first one with `CompletableFuture`. A build of the classes checks that they need no later one, apart
/// from what core library desugaring adds.
pub(super) const MIN_SDK: u32 = 24;

#[derive(Debug)]
pub(crate) struct Abi {
    /// Name of the ABI, and of its folder in an AAR.
    pub(crate) name: &'static str,
    /// The Rust target.
    pub(super) triple: &'static str,
    /// Prefix of clang's target, followed by the API level.
    pub(super) clang: &'static str,
    /// Machine in the ELF header.
    pub(super) machine: Machine,
    /// Whether the processor has 64 bits, as in all devices with pages of 16 KiB.
    pub(super) is_64_bit: bool,
    /// Whether to force frame pointers, which ARM code has anyway. Without them, each push of an argument adds a row to the unwind tables.
    /// On x86_64, these are half of all rows.
    pub(super) frame_pointers: bool,
    /// Maximum size of the library in bytes: 2% above the last size. On 2026-12-01, only `arm64-v8a` was measured; the others are estimated
    /// from it. The target for devices is 3.5 MB; only emulators use x86_64.
    pub(super) max_bytes: usize,
}

pub(crate) const ABIS: [Abi; 3] = [
    Abi {
        name: "arm64-v8a",
        triple: "aarch64-linux-android",
        clang: "aarch64-linux-android",
        machine: EM_AARCH64,
        is_64_bit: true,
        frame_pointers: false,
        max_bytes: 4_170_000,
    },
    Abi {
        name: "armeabi-v7a",
        triple: "armv7-linux-androideabi",
        clang: "armv7a-linux-androideabi",
        machine: EM_ARM,
        is_64_bit: false,
        frame_pointers: false,
        max_bytes: 3_130_000,
    },
    Abi {
        name: "x86_64",
        triple: "x86_64-linux-android",
        clang: "x86_64-linux-android",
        machine: EM_X86_64,
        is_64_bit: true,
        frame_pointers: true,
        max_bytes: 5_150_000,
    },
];

/// Returns the ABIs with these names, or all if `names` is empty.
pub(super) fn select(names: &[String]) -> Vec<&'static Abi> {
    ABIS.iter().filter(|abi| names.is_empty() || names.iter().any(|name| name == abi.name)).collect()
}
