//! Series of numbers, which cross in one buffer.

use uniffi::{FfiConverter, Lift, MetadataBuffer, RustBuffer, TypeId};

use crate::UniFfiTag;

/// A series of doubles. It crosses as bytes, little endian, eight a number: a list would be one object a number on the other side.
#[derive(Clone, PartialEq)]
pub struct Series(pub Vec<f64>);

/// What the bindings take it for.
type Bytes = Vec<u8>;

const WIDTH: usize = size_of::<f64>();

/// The most numbers whose bytes uniffi can count. No answer holds so many.
const MOST: usize = i32::MAX as usize / WIDTH;

// SAFETY: what is written and read here is what uniffi writes and reads of `Bytes`, a count and as many bytes, and the bindings are made
// for that type. Tests of the echo probe hold it.
#[expect(unsafe_code, reason = "uniffi writes bytes one by one, which takes as long as reading the numbers from JSON")]
unsafe impl FfiConverter<UniFfiTag> for Series {
    type FfiType = RustBuffer;

    const TYPE_ID_META: MetadataBuffer = <Bytes as TypeId<UniFfiTag>>::TYPE_ID_META;

    fn lower(series: Self) -> RustBuffer {
        let mut buffer = Vec::new();
        Self::write(series, &mut buffer);
        RustBuffer::from_vec(buffer)
    }

    fn write(series: Self, buffer: &mut Vec<u8>) {
        let numbers = series.0.get(..MOST).unwrap_or(&series.0);
        let count = numbers.len() * WIDTH;
        buffer.extend_from_slice(&i32::try_from(count).unwrap_or(i32::MAX).to_be_bytes());
        let start = buffer.len();
        buffer.resize(start + count, 0);
        // In places that are there already, the compiler makes one copy of it all.
        let (places, _) = buffer.get_mut(start..).unwrap_or_default().as_chunks_mut::<WIDTH>();
        places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
    }

    fn try_lift(buffer: RustBuffer) -> uniffi::Result<Self> {
        <Bytes as Lift<UniFfiTag>>::try_lift(buffer).map(Self::of_bytes)
    }

    fn try_read(buffer: &mut &[u8]) -> uniffi::Result<Self> {
        <Bytes as Lift<UniFfiTag>>::try_read(buffer).map(Self::of_bytes)
    }
}

uniffi::derive_ffi_traits!(local Series);

impl Series {
    fn of_bytes(bytes: Bytes) -> Self {
        let (numbers, _) = bytes.as_chunks();
        Self(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}
