//! Series of numbers, which are passed in one buffer.

use uniffi::{FfiConverter, Lift, MetadataBuffer, RustBuffer, TypeId};

use crate::UniFfiTag;

/// A series of doubles. It is passed as little-endian bytes, eight per number, because a list would box each number on the foreign side.
#[derive(Clone, PartialEq)]
pub struct Series(pub Vec<f64>);

/// Type of a series in the bindings.
type Bytes = Vec<u8>;

const WIDTH: usize = size_of::<f64>();

/// Maximum length of a series: uniffi counts bytes in 32 bits. No response has that many numbers.
const MAX_NUMBERS: usize = i32::MAX as usize / WIDTH;

// SAFETY: this writes and reads the same format as uniffi does for `Bytes`, a count and that many bytes. The bindings are generated for
// `Bytes`. Tests of the echo probe check it.
#[expect(unsafe_code, reason = "uniffi writes bytes one by one, which is as slow as parsing the numbers from JSON")]
unsafe impl FfiConverter<UniFfiTag> for Series {
    type FfiType = RustBuffer;

    const TYPE_ID_META: MetadataBuffer = <Bytes as TypeId<UniFfiTag>>::TYPE_ID_META;

    fn lower(series: Self) -> RustBuffer {
        let mut buffer = Vec::new();
        Self::write(series, &mut buffer);
        RustBuffer::from_vec(buffer)
    }

    fn write(series: Self, buffer: &mut Vec<u8>) {
        let numbers = series.0.get(..MAX_NUMBERS).unwrap_or(&series.0);
        let count = numbers.len() * WIDTH;
        buffer.extend_from_slice(&i32::try_from(count).unwrap_or(i32::MAX).to_be_bytes());
        let start = buffer.len();
        buffer.resize(start + count, 0);
        // The buffer is resized first, so that the compiler can emit one copy instead of a push per number.
        let (places, _) = buffer.get_mut(start..).unwrap_or_default().as_chunks_mut::<WIDTH>();
        places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
    }

    fn try_lift(buffer: RustBuffer) -> uniffi::Result<Self> {
        <Bytes as Lift<UniFfiTag>>::try_lift(buffer).map(Self::from_bytes)
    }

    fn try_read(buffer: &mut &[u8]) -> uniffi::Result<Self> {
        <Bytes as Lift<UniFfiTag>>::try_read(buffer).map(Self::from_bytes)
    }
}

uniffi::derive_ffi_traits!(local Series);

impl Series {
    fn from_bytes(bytes: Bytes) -> Self {
        let (numbers, _) = bytes.as_chunks();
        Self(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}
