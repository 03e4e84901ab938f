//! Keys as arguments. Their buffers are overwritten, which uniffi does not do for bytes.

use uniffi::{Lift, MetadataBuffer, RustBuffer, TypeId};
use zeroize::Zeroizing;

use crate::UniFfiTag;

/// Types of these arguments in the bindings.
type Bytes = Vec<u8>;
type ListOfBytes = Vec<Vec<u8>>;

/// A key.
pub struct Secret(Zeroizing<Bytes>);

/// Several keys.
pub struct SecretList(Vec<Zeroizing<Bytes>>);

impl Secret {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl SecretList {
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|key| key.as_slice())
    }
}

/// Reads an argument and overwrites its buffer.
fn lift<T: Lift<UniFfiTag>>(buffer: RustBuffer) -> uniffi::Result<T> {
    let bytes = Zeroizing::new(buffer.destroy_into_vec());
    let mut rest = bytes.as_slice();
    let value = T::try_read(&mut rest)?;
    uniffi::deps::anyhow::ensure!(rest.is_empty(), "the argument has {} bytes too many", rest.len());
    Ok(value)
}

/// Implements the conversion of an argument, whose type in the bindings is `$inner`.
macro_rules! argument {
    ($name:ident, $inner:ty, $wrap:expr) => {
        // SAFETY: this reads the same format as uniffi does for the inner type, for which the bindings are generated.
        #[expect(unsafe_code, reason = "uniffi frees the buffers of bytes without overwriting them")]
        unsafe impl Lift<UniFfiTag> for $name {
            type FfiType = RustBuffer;

            fn try_lift(buffer: RustBuffer) -> uniffi::Result<Self> {
                lift(buffer)
            }

            fn try_read(buffer: &mut &[u8]) -> uniffi::Result<Self> {
                <$inner as Lift<UniFfiTag>>::try_read(buffer).map($wrap)
            }
        }

        impl TypeId<UniFfiTag> for $name {
            const TYPE_ID_META: MetadataBuffer = <$inner as TypeId<UniFfiTag>>::TYPE_ID_META;
        }
    };
}

argument!(Secret, Bytes, |bytes| Self(Zeroizing::new(bytes)));
argument!(SecretList, ListOfBytes, |keys| Self(keys.into_iter().map(Zeroizing::new).collect()));
