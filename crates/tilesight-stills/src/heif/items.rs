//! Items of a `meta` box: their types, locations, references and properties.

use std::collections::HashMap;

use super::super::DecodeError;
use super::Budget;
use super::boxes::{Box, Boxes, Cursor, contradicts};

/// Location of an item's bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct ItemLocation {
    /// 0: offsets in the file; 1: offsets in the `idat` box. Other methods are not supported.
    pub(super) method: u8,
    /// Offset and length of each piece; a length of 0 means everything that follows.
    pub(super) extents: Vec<(u64, u64)>,
}

/// A property, and whether a reader that does not know it must refuse the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Property<'a> {
    pub(super) kind: [u8; 4],
    pub(super) data: &'a [u8],
    pub(super) is_essential: bool,
}

impl Property<'_> {
    /// Returns whether a transformation changes the picture: a turn by no quarter does not.
    pub(super) fn has_effect(&self) -> bool {
        self.kind != *b"irot" || self.data.first().is_some_and(|turns| turns & 3 != 0)
    }
}

/// Content of a `meta` box.
#[derive(Debug, Default)]
pub(super) struct MetaItems<'a> {
    pub(super) primary: Option<u32>,
    /// Type of each item that is not protected.
    pub(super) kinds: HashMap<u32, [u8; 4]>,
    pub(super) locations: HashMap<u32, ItemLocation>,
    /// Inputs of each derived picture, in order.
    pub(super) inputs: HashMap<u32, Vec<u32>>,
    properties: Vec<Box<'a>>,
    /// Properties of each item: the index, counted from 1, and whether the property is essential.
    associations: HashMap<u32, Vec<(u16, bool)>>,
    /// Content of the `idat` box.
    pub(super) inside: &'a [u8],
}

impl<'a> MetaItems<'a> {
    pub(super) fn parse(meta: &'a [u8], budget: &mut Budget) -> Result<MetaItems<'a>, DecodeError> {
        let mut cursor = Cursor(meta);
        cursor.full_box()?;
        let mut items = MetaItems::default();
        for found in Boxes::new(cursor.0) {
            let Box { kind, data } = found?;
            budget.part()?;
            match &kind {
                b"pitm" => items.primary = Some(primary(Cursor(data))?),
                b"iinf" => items.read_kinds(Cursor(data), budget)?,
                b"iloc" => items.read_places(Cursor(data), budget)?,
                b"iref" => items.read_references(Cursor(data), budget)?,
                b"iprp" => items.read_properties(data, budget)?,
                b"idat" => items.inside = data,
                _ => {}
            }
        }
        Ok(items)
    }

    /// Returns the properties of an item, in order.
    pub(super) fn properties(&self, item: u32) -> Result<Vec<Property<'a>>, DecodeError> {
        let associations = self.associations.get(&item).map_or(&[][..], Vec::as_slice);
        let mut properties = Vec::new();
        for &(index, is_essential) in associations {
            // Index 0 means no property.
            let Some(place) = usize::from(index).checked_sub(1) else { continue };
            let found = self.properties.get(place);
            let &Box { kind, data } = found.ok_or_else(|| contradicts("its properties"))?;
            properties.push(Property { kind, data, is_essential });
        }
        Ok(properties)
    }

    fn read_kinds(
        &mut self,
        mut cursor: Cursor<'a>,
        budget: &mut Budget,
    ) -> Result<(), DecodeError> {
        let (version, _) = cursor.full_box()?;
        cursor.id(version != 0)?;
        for entry in Boxes::new(cursor.0) {
            let Box { kind, data } = entry?;
            budget.part()?;
            let mut cursor = Cursor(data);
            let (version, _) = cursor.full_box()?;
            if kind != *b"infe" || version < 2 {
                continue;
            }
            let item = cursor.id(version > 2)?;
            let protection = cursor.u16()?;
            let kind = cursor.kind()?;
            if protection == 0 {
                self.kinds.insert(item, kind);
            }
        }
        Ok(())
    }

    fn read_places(
        &mut self,
        mut cursor: Cursor<'a>,
        budget: &mut Budget,
    ) -> Result<(), DecodeError> {
        let (version, _) = cursor.full_box()?;
        let sizes = cursor.u8()?;
        let more = cursor.u8()?;
        let [offset, length, base, index] =
            [sizes >> 4, sizes & 15, more >> 4, more & 15].map(usize::from);
        if [offset, length, base, index].iter().any(|&bytes| bytes > 8) {
            return Err(contradicts("where its parts are"));
        }
        for _ in 0..cursor.id(version > 1)? {
            budget.part()?;
            let item = cursor.id(version > 1)?;
            let method = if version > 0 { cursor.u16()? as u8 & 15 } else { 0 };
            let mut place = ItemLocation { method, extents: Vec::new() };
            cursor.u16()?;
            let start = cursor.uint(base)?;
            for _ in 0..cursor.u16()? {
                budget.part()?;
                if version > 0 {
                    cursor.uint(index)?;
                }
                let from = start
                    .checked_add(cursor.uint(offset)?)
                    .ok_or_else(|| contradicts("where its parts are"))?;
                place.extents.push((from, cursor.uint(length)?));
            }
            self.locations.insert(item, place);
        }
        Ok(())
    }

    fn read_references(
        &mut self,
        mut cursor: Cursor<'a>,
        budget: &mut Budget,
    ) -> Result<(), DecodeError> {
        let (version, _) = cursor.full_box()?;
        for entry in Boxes::new(cursor.0) {
            let Box { kind, data } = entry?;
            budget.part()?;
            if kind != *b"dimg" {
                continue;
            }
            let mut cursor = Cursor(data);
            let item = cursor.id(version > 0)?;
            let mut inputs = Vec::new();
            for _ in 0..cursor.u16()? {
                budget.part()?;
                inputs.push(cursor.id(version > 0)?);
            }
            self.inputs.insert(item, inputs);
        }
        Ok(())
    }

    fn read_properties(&mut self, data: &'a [u8], budget: &mut Budget) -> Result<(), DecodeError> {
        for found in Boxes::new(data) {
            let Box { kind, data } = found?;
            budget.part()?;
            match &kind {
                b"ipco" => {
                    for property in Boxes::new(data) {
                        budget.part()?;
                        self.properties.push(property?);
                    }
                }
                b"ipma" => self.read_associations(Cursor(data), budget)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_associations(
        &mut self,
        mut cursor: Cursor<'a>,
        budget: &mut Budget,
    ) -> Result<(), DecodeError> {
        let (version, flags) = cursor.full_box()?;
        for _ in 0..cursor.u32()? {
            budget.part()?;
            let item = cursor.id(version > 0)?;
            let associations = self.associations.entry(item).or_default();
            for _ in 0..cursor.u8()? {
                budget.part()?;
                let (index, essential) = if flags & 1 == 1 {
                    let number = cursor.u16()?;
                    (number & 0x7fff, number >> 15)
                } else {
                    let number = u16::from(cursor.u8()?);
                    (number & 0x7f, number >> 7)
                };
                associations.push((index, essential == 1));
            }
        }
        Ok(())
    }
}

/// Reads the id of the primary item, which is the photo.
fn primary(mut cursor: Cursor<'_>) -> Result<u32, DecodeError> {
    let (version, _) = cursor.full_box()?;
    cursor.id(version > 0)
}
