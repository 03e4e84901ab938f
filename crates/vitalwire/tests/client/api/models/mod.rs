//! Decoding and serialization of every model.

pub mod fields;
pub mod lists;
pub mod maps;
pub mod open_sets;
pub mod shape;
pub mod shapes;
pub mod texts;
pub mod typed;
pub mod values;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vitalwire::value::Extra;

use shape::Shape;

/// Common interface of the generated models.
pub trait Model: Serialize + DeserializeOwned + Debug + Clone + PartialEq {
    fn shape() -> &'static Shape;
    fn extra(&self) -> &Extra;
}

pub trait Visit {
    fn visit<M: Model>(&mut self);
}

macro_rules! models {
    ($($model:ident)*) => {
        $(impl super::Model for vitalwire::models::$model {
            fn shape() -> &'static super::Shape {
                super::shapes::shape_of(stringify!($model))
            }

            fn extra(&self) -> &vitalwire::value::Extra {
                &self.extra
            }
        })*

        /// Visits every model.
        pub fn each(visitor: &mut impl super::Visit) {
            $(visitor.visit::<vitalwire::models::$model>();)*
        }
    };
}

#[path = "../generated/models.rs"]
mod all;

pub use all::each;
