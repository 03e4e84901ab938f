//! Newtypes for number maps and series maps. Methods for known names need a type in the crate that declares the names.

/// Declares a newtype around a map. It dereferences to the map.
#[doc(hidden)]
#[macro_export]
macro_rules! map_type {
    ($(#[$about:meta])* $name:ident($inner:ty)) => {
        $(#[$about])*
        #[derive(Clone, Default, PartialEq)]
        pub struct $name($inner);

        impl std::ops::Deref for $name {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.0
            }
        }

        impl From<$inner> for $name {
            fn from(map: $inner) -> Self {
                Self(map)
            }
        }

        impl From<$name> for $inner {
            fn from(map: $name) -> Self {
                map.0
            }
        }

        impl<T> FromIterator<T> for $name
        where
            $inner: FromIterator<T>,
        {
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                Self(items.into_iter().collect())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl $crate::value::decode::Decode for $name {
            const EXPECTED: &'static str = <$inner as $crate::value::decode::Decode>::EXPECTED;
            const KIND: $crate::value::decode::Kind = <$inner as $crate::value::decode::Decode>::KIND;

            fn object<'de, A: $crate::value::decode::ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
                Ok(<$inner as $crate::value::decode::Decode>::object(fields)?.map(Self))
            }
        }

        $crate::deserialize_by_decode!($name);
    };
}

/// Declares a newtype around a map of numbers with a basis.
#[doc(hidden)]
#[macro_export]
macro_rules! map_type_with_basis {
    ($(#[$about:meta])* $name:ident($inner:ty)) => {
        $crate::map_type!($(#[$about])* $name($crate::value::WithBasis<$inner>));

        impl $crate::value::SetBasis for $name {
            fn set_basis(&mut self, basis: $crate::value::NumberBasis) {
                self.0.set_basis(basis);
            }

            fn first_basis(&self) -> Option<$crate::value::NumberBasis> {
                self.0.first_basis()
            }
        }
    };
}
