//! Deserializers for objects that must be written as objects.
//!
//! The code that serde derives for a struct also accepts a list of its fields in order. That order
//! is not a part of the contract, and field names can't be checked in a list, so lists are
//! rejected.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::explain::Accepted;

/// A value that is read from a JSON object only.
#[derive(Debug)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Object)
    }
}

/// Deserializes a count that some clients write as `2.0`: JSON, JavaScript and JSON Schema have
/// only one kind of number.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    struct Whole;

    impl Visitor<'_> for Whole {
        type Value = u32;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            Accepted::Whole { min: 0, max: u32::MAX }.describe(out)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
            u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
            u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<u32, E> {
            let fits = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
            if fits {
                Ok(number as u32)
            } else {
                Err(E::invalid_value(Unexpected::Float(number), &self))
            }
        }
    }

    deserializer.deserialize_any(Whole)
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Deserializes a field that is a list of objects.
pub fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|Object(value)| value).collect())
}

/// Deserializes a field that is an object.
pub fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| value)
}

/// Deserializes a field that is an object or `null`.
pub fn object_or_null<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let object = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(object.map(|Object(value)| value).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Count(#[serde(deserialize_with = "whole")] u32);

    #[test]
    fn a_count_may_be_written_as_any_number_that_is_one() {
        for (json, expected) in
            [("2", Some(2)), ("2.0", Some(2)), ("4294967295", Some(u32::MAX)), ("0", Some(0))]
                .into_iter()
                .chain(
                    ["2.5", "-1", "-1.0", "4294967296", "1e300", "\"2\"", "null"]
                        .map(|json| (json, None)),
                )
        {
            let read = serde_json::from_str::<Count>(json).ok().map(|Count(count)| count);
            assert_eq!(read, expected, "{json}");
        }
    }
}
