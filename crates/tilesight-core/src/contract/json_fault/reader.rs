//! A deserializer around the parser, whose errors are the faults themselves.
//!
//! Input: a deserializer of `serde_json`. Output: the value, or the fault and the path of its
//! field. `serde` calls the typed constructors of [`ReadError`], and each value is read by the
//! method that names its type, so what was found and what is accepted are values and not words.
//! Invariants: nothing is buffered; an error of the parser itself passes through unchanged.
//!
//! Between two values stands the parser, whose error type is its own. A fault passes it in the
//! [`Track`]; an error of the parser waits beside the [`Reader`] or the [`List`] or [`Object`] that
//! met it while [`ReadError::Parser`] stands for it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Write as _};
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

use super::{Expected, FaultAt, Found, JsonFault, JsonKind, syntax};
use crate::contract::unknown::{NameSort, UnknownName};
use crate::explain::Wording;

/// Reads a value from JSON. `root` names it in the path of a fault; it is empty for a whole text.
///
/// # Errors
/// The first fault.
pub(in crate::contract) fn read<T: DeserializeOwned>(
    json: &[u8],
    root: &str,
) -> Result<T, FaultAt> {
    let mut parser = serde_json::Deserializer::from_slice(json);
    let value = read_tracked(&mut parser, root, |error| syntax::find_fault(error, json))?;
    parser.end().map_err(|error| FaultAt {
        path: root.to_owned(),
        fault: JsonFault::Syntax { line: error.line(), column: error.column() },
    })?;
    Ok(value)
}

/// Reads a value from parsed JSON.
///
/// # Errors
/// The first fault.
pub(crate) fn read_parsed<T: DeserializeOwned>(json: serde_json::Value) -> Result<T, FaultAt> {
    read_tracked(json, "", |_| JsonFault::Unusable)
}

fn read_tracked<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    parser: D,
    root: &str,
    fault_of: impl FnOnce(&D::Error) -> JsonFault,
) -> Result<T, FaultAt> {
    let track = Track::default();
    let seed = Seed { seed: PhantomData, track: &track, step: None };
    seed.deserialize(parser).map_err(|error| {
        let mut path = track.path_from(root);
        let fault = match track.fault.take() {
            Some(ReadError::Fault { fault, field }) => {
                push_key(&mut path, field.as_deref().unwrap_or_default());
                *fault
            }
            Some(_) => JsonFault::Unusable,
            None => fault_of(&error),
        };
        FaultAt { path, fault }
    })
}

/// Error of the reader.
#[derive(Debug)]
enum ReadError {
    /// The parser's own error.
    Parser,
    /// A value is not what its type takes. The reader of the value knows what that is.
    Unexpected(Found),
    /// A list has another number of entries than its type takes.
    Length(usize),
    /// A fault of the value, or of one of its fields.
    Fault { fault: Box<JsonFault>, field: Option<String> },
}

impl ReadError {
    fn from_field(field: &str, fault: JsonFault) -> ReadError {
        ReadError::Fault { fault: Box::new(fault), field: Some(field.to_owned()) }
    }

    /// Returns the error of a value for which `found` was sent.
    fn from_value(found: Found, expected: &dyn de::Expected) -> ReadError {
        match Wording::from_display(expected) {
            Some(wording) => {
                JsonFault::WrongValue { found, expected: Expected::Own(wording) }.into()
            }
            None => ReadError::Unexpected(found),
        }
    }

    /// Returns the error with what the type of the value takes.
    fn with_expected(self, expected: Option<Expected>) -> ReadError {
        match (self, expected) {
            (ReadError::Unexpected(found), Some(expected)) => {
                JsonFault::WrongValue { found, expected }.into()
            }
            (ReadError::Unexpected(_) | ReadError::Length(_), _) => JsonFault::Unusable.into(),
            (error, _) => error,
        }
    }

    /// Returns the error of a key, which names itself in the path.
    fn without_field(self) -> ReadError {
        match self {
            ReadError::Fault { fault, .. } => (*fault).into(),
            error => error.with_expected(None),
        }
    }
}

impl From<JsonFault> for ReadError {
    fn from(fault: JsonFault) -> ReadError {
        ReadError::Fault { fault: Box::new(fault), field: None }
    }
}

impl Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Fault { fault, .. } => fault.fmt(out),
            _ => JsonFault::Unusable.fmt(out),
        }
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> ReadError {
        Wording::from_display(&message).map_or(JsonFault::Unusable, JsonFault::Own).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> ReadError {
        ReadError::from_value(Found::from(found), expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> ReadError {
        let found = match Found::from(found) {
            Found::Number(number) => Found::OutOfRange(number),
            found => found,
        };
        ReadError::from_value(found, expected)
    }

    fn invalid_length(found: usize, _: &dyn de::Expected) -> ReadError {
        ReadError::Length(found)
    }

    fn unknown_variant(value: &str, accepted: &'static [&'static str]) -> ReadError {
        JsonFault::NoneOf { value: value.to_owned(), accepted }.into()
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> ReadError {
        let known = known.iter().map(|&known| known.to_owned()).collect();
        let unknown = UnknownName { sort: NameSort::Field, name: name.to_owned(), known };
        ReadError::from_field(name, JsonFault::Unknown(unknown))
    }

    fn missing_field(name: &'static str) -> ReadError {
        ReadError::from_field(name, JsonFault::Missing)
    }

    fn duplicate_field(name: &'static str) -> ReadError {
        ReadError::from_field(name, JsonFault::Twice)
    }
}

impl From<Unexpected<'_>> for Found {
    fn from(found: Unexpected<'_>) -> Found {
        Found::Kind(match found {
            Unexpected::Unsigned(number) => return Found::Number(number.to_string()),
            Unexpected::Signed(number) => return Found::Number(number.to_string()),
            Unexpected::Float(number) => {
                return Found::Number(serde_json::Value::from(number).to_string());
            }
            Unexpected::Bool(_) => JsonKind::Boolean,
            Unexpected::Unit | Unexpected::Option => JsonKind::Null,
            Unexpected::Seq | Unexpected::TupleVariant => JsonKind::List,
            Unexpected::Map | Unexpected::StructVariant | Unexpected::NewtypeStruct => {
                JsonKind::Object
            }
            Unexpected::Char(_)
            | Unexpected::Str(_)
            | Unexpected::Bytes(_)
            | Unexpected::Enum
            | Unexpected::UnitVariant
            | Unexpected::NewtypeVariant => JsonKind::Text,
            Unexpected::Other(_) => JsonKind::Number,
        })
    }
}

/// A step from a value to one inside it.
enum Step<'a> {
    Key(Cow<'a, str>),
    Index(usize),
}

impl Step<'_> {
    fn into_owned(self) -> Step<'static> {
        match self {
            Step::Key(key) => Step::Key(Cow::Owned(key.into_owned())),
            Step::Index(at) => Step::Index(at),
        }
    }
}

/// The fault on its way through the parser, and its path from the inside out.
#[derive(Default)]
struct Track {
    fault: Cell<Option<ReadError>>,
    steps: RefCell<Vec<Step<'static>>>,
}

impl Track {
    /// Returns the parser's form of an error of the reader. `kept` is the parser's own error.
    fn hand_on<E: de::Error>(&self, error: ReadError, kept: Option<E>) -> E {
        match (error, kept) {
            (ReadError::Parser, Some(kept)) => kept,
            (error, _) => {
                self.fault.set(Some(error));
                E::custom("")
            }
        }
    }

    /// Returns the reader's form of an error that comes out of the parser. The parser's own error
    /// is kept.
    fn take_back<E>(&self, error: E, kept: &mut Option<E>) -> ReadError {
        self.fault.take().unwrap_or_else(|| {
            *kept = Some(error);
            ReadError::Parser
        })
    }

    fn path_from(&self, root: &str) -> String {
        let mut path = root.to_owned();
        for step in self.steps.borrow().iter().rev() {
            match step {
                Step::Key(key) => push_key(&mut path, key),
                // Writing to a text never fails.
                Step::Index(at) => drop(write!(path, "[{at}]")),
            }
        }
        path
    }
}

fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() && !key.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

/// Seed whose value is read by the [`Reader`].
struct Seed<'a, S> {
    seed: S,
    track: &'a Track,
    /// The step that leads to the value. The path of an error of the parser before the value is
    /// without it.
    step: Option<Step<'a>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<S::Value, D::Error> {
        let mut kept = None;
        let reader = Reader { parser, track: self.track, kept: &mut kept };
        self.seed.deserialize(reader).map_err(|error| {
            self.track.steps.borrow_mut().extend(self.step.map(Step::into_owned));
            self.track.hand_on(error, kept)
        })
    }
}

/// Deserializer of one value.
struct Reader<'a, 'de, D: Deserializer<'de>> {
    parser: D,
    track: &'a Track,
    kept: &'a mut Option<D::Error>,
}

impl<'de, D: Deserializer<'de>> Reader<'_, 'de, D> {
    /// Reads a value of any kind. `expected` is what its type takes, if the method says that.
    fn read<V: Visitor<'de>>(
        self,
        visitor: V,
        expected: Option<Expected>,
        length: Option<usize>,
    ) -> Result<V::Value, ReadError> {
        let checked = Checked { visitor, track: self.track, expected, length };
        let read = self.parser.deserialize_any(checked);
        read.map_err(|error| self.track.take_back(error, self.kept))
    }
}

/// Methods that read any value and know what its type takes.
macro_rules! read_expected {
    ($($method:ident: $expected:expr;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            self.read(visitor, $expected, None)
        }
    )+};
}

const fn kind(kind: JsonKind) -> Option<Expected> {
    Some(Expected::Kind(kind))
}

fn whole(min: impl Into<i128>, max: impl Into<i128>) -> Option<Expected> {
    Some(Expected::Whole { min: min.into(), max: max.into() })
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Reader<'_, 'de, D> {
    type Error = ReadError;

    read_expected! {
        deserialize_any: None;
        deserialize_bool: kind(JsonKind::Boolean);
        deserialize_u8: whole(u8::MIN, u8::MAX);
        deserialize_u16: whole(u16::MIN, u16::MAX);
        deserialize_u32: whole(u32::MIN, u32::MAX);
        deserialize_u64: whole(u64::MIN, u64::MAX);
        deserialize_u128: whole(u64::MIN, u64::MAX);
        deserialize_i8: whole(i8::MIN, i8::MAX);
        deserialize_i16: whole(i16::MIN, i16::MAX);
        deserialize_i32: whole(i32::MIN, i32::MAX);
        deserialize_i64: whole(i64::MIN, i64::MAX);
        deserialize_i128: whole(i64::MIN, i64::MAX);
        deserialize_f32: kind(JsonKind::Number);
        deserialize_f64: kind(JsonKind::Number);
        deserialize_char: kind(JsonKind::Text);
        deserialize_str: kind(JsonKind::Text);
        deserialize_string: kind(JsonKind::Text);
        deserialize_bytes: kind(JsonKind::Text);
        deserialize_byte_buf: kind(JsonKind::Text);
        deserialize_identifier: kind(JsonKind::Text);
        deserialize_unit: kind(JsonKind::Null);
        deserialize_seq: kind(JsonKind::List);
        deserialize_map: kind(JsonKind::Object);
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let checked = Checked { visitor, track: self.track, expected: None, length: None };
        let read = self.parser.deserialize_option(checked);
        read.map_err(|error| self.track.take_back(error, self.kept))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let checked = Checked { visitor, track: self.track, expected: None, length: None };
        let read = self.parser.deserialize_ignored_any(checked);
        read.map_err(|error| self.track.take_back(error, self.kept))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.read(visitor, kind(JsonKind::List), Some(length))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.read(Variant(visitor), Some(Expected::OneOf(variants)), None)
    }
}

/// Visitor of an enum: its variant is a text, or the only key of an object.
struct Variant<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(out)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<V::Value, E> {
        self.0.visit_enum(StrDeserializer::new(name))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(MapAccessDeserializer::new(map))
    }
}

/// Visitor whose errors state what the type of the value takes.
struct Checked<'a, V> {
    visitor: V,
    track: &'a Track,
    expected: Option<Expected>,
    /// Number of entries that a tuple has.
    length: Option<usize>,
}

/// Methods that visit a value without others in it.
macro_rules! visit_plain {
    ($($method:ident($value:ty);)+) => {$(
        fn $method<E: de::Error>(self, value: $value) -> Result<V::Value, E> {
            let visited = self.visitor.$method(value);
            visited.map_err(|error: ReadError| {
                self.track.hand_on(error.with_expected(self.expected), None)
            })
        }
    )+};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Checked<'_, V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(out)
    }

    visit_plain! {
        visit_bool(bool);
        visit_u64(u64);
        visit_i64(i64);
        visit_f64(f64);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        let visited = self.visitor.visit_unit();
        visited.map_err(|error: ReadError| {
            self.track.hand_on(error.with_expected(self.expected), None)
        })
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        let visited = self.visitor.visit_none();
        visited.map_err(|error: ReadError| self.track.hand_on(error, None))
    }

    fn visit_some<D: Deserializer<'de>>(self, parser: D) -> Result<V::Value, D::Error> {
        let mut kept = None;
        let reader = Reader { parser, track: self.track, kept: &mut kept };
        self.visitor.visit_some(reader).map_err(|error| self.track.hand_on(error, kept))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let mut list = List { list, track: self.track, kept: None, read: 0, is_at_end: false };
        let visited = self.visitor.visit_seq(&mut list);
        let List { list: mut rest, kept, read, is_at_end, .. } = list;
        let error = match visited {
            Ok(value) => {
                let mut found = read;
                while !is_at_end && rest.next_element::<IgnoredAny>()?.is_some() {
                    found += 1;
                }
                if found == read {
                    return Ok(value);
                }
                ReadError::Length(found)
            }
            Err(error) => error,
        };
        let is_object = self.expected == Some(Expected::Kind(JsonKind::Object));
        let error = match (error, self.length) {
            (ReadError::Length(found), Some(expected)) => {
                JsonFault::WrongLength { found, expected }.into()
            }
            (ReadError::Length(_), None) if is_object => {
                ReadError::Unexpected(Found::Kind(JsonKind::List)).with_expected(self.expected)
            }
            (error, _) => error.with_expected(self.expected.filter(|_| read == 0)),
        };
        Err(self.track.hand_on(error, kept))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let is_variant = matches!(self.expected, Some(Expected::OneOf(_)));
        let mut object = Object { map, track: self.track, kept: None, key: None, is_variant };
        let visited = self.visitor.visit_map(&mut object);
        let Object { kept, key, .. } = object;
        visited.map_err(|error| {
            // An error after the first key is about a value in the object, and an object is not
            // what was wrong where one is taken.
            let takes_none = key.is_none() && self.expected != kind(JsonKind::Object);
            let error = error.with_expected(self.expected.filter(|_| takes_none));
            self.track.hand_on(error, kept)
        })
    }
}

/// The entries of a list.
struct List<'a, 'de, A: SeqAccess<'de>> {
    list: A,
    track: &'a Track,
    kept: Option<A::Error>,
    /// Number of entries that were read.
    read: usize,
    is_at_end: bool,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for List<'_, 'de, A> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadError> {
        let seed = Seed { seed, track: self.track, step: Some(Step::Index(self.read)) };
        let entry = self
            .list
            .next_element_seed(seed)
            .map_err(|error| self.track.take_back(error, &mut self.kept))?;
        self.read += usize::from(entry.is_some());
        self.is_at_end = entry.is_none();
        Ok(entry)
    }

    fn size_hint(&self) -> Option<usize> {
        self.list.size_hint()
    }
}

/// The fields of an object.
struct Object<'a, 'de, A: MapAccess<'de>> {
    map: A,
    track: &'a Track,
    kept: Option<A::Error>,
    /// The key that was read last.
    key: Option<Cow<'de, str>>,
    /// Whether the key is the variant of an enum; the path of its faults is that of the object.
    is_variant: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Object<'_, 'de, A> {
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadError> {
        let read = self.map.next_key_seed(Key);
        let next = read.map_err(|error| self.track.take_back(error, &mut self.kept))?;
        let Some(key) = next else { return Ok(None) };
        let name = self.key.insert(key);
        let deserializer: StrDeserializer<'_, ReadError> = name.as_ref().into_deserializer();
        seed.deserialize(deserializer).map(Some).map_err(|error| {
            if !self.is_variant {
                let step = Step::Key(Cow::Owned(name.to_string()));
                self.track.steps.borrow_mut().push(step);
            }
            error.without_field()
        })
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        let step = self.key.as_deref().map(|key| Step::Key(Cow::Borrowed(key)));
        let seed = Seed { seed, track: self.track, step };
        let value = self.map.next_value_seed(seed);
        value.map_err(|error| self.track.take_back(error, &mut self.kept))
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.size_hint()
    }
}

/// Seed for the text of a key, which is borrowed from the JSON where that is possible.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Cow<'de, str>, D::Error> {
        parser.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_borrowed_str<E: de::Error>(self, key: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
