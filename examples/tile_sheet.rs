//! Draws every picture of the tile set onto one sheet: `cargo run --example tile_sheet --
//! FILE.png`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use image::RgbaImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use tilesight_core::tile::{Bonus, Face, Suit, Tile};
use tilesight_pictures::tile_art;

/// Number of tiles in a row: each suit fills a row, with its red five at the end.
const COLUMNS: usize = 10;
/// Pixels per unit of a picture, units between two pictures, and the background color.
const SCALE: f32 = 1.25;
const GAP: f32 = 8.0;
const FELT: &str = "#17493a";

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: tile_sheet FILE.png")?;
    let tree = Tree::from_str(&sheet(&rows()), &Options::default())?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("an empty sheet")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("an empty sheet")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    let image = RgbaImage::from_raw(size.width(), size.height(), pixels.take_demultiplied());
    let image = image::DynamicImage::from(image.ok_or("four bytes for every pixel")?).to_rgb8();
    // The sheet is committed, so it is compressed as far as possible.
    let (file, pack) = (BufWriter::new(File::create(file)?), CompressionType::Best);
    image.write_with_encoder(PngEncoder::new_with_quality(file, pack, FilterType::Adaptive))?;
    Ok(())
}

/// Returns the suits, then the honors and the back, then the flowers and seasons.
fn rows() -> Vec<Vec<&'static str>> {
    let suit = |suit| {
        let numbers = (1..=9).filter_map(move |number| Tile::new(suit, number));
        let pictures = numbers.map(|tile| tile_art::svg(Face::Tile(tile)));
        pictures.chain([tile_art::red_five(suit)]).collect()
    };
    let honours = Tile::ALL.into_iter().filter(|tile| tile.is_honor()).map(Face::Tile);
    let honours = honours.chain([Face::Back]).map(tile_art::svg).collect();
    let bonus = Bonus::ALL.map(|bonus| tile_art::svg(Face::Bonus(bonus))).to_vec();
    Suit::ALL.map(suit).into_iter().chain([honours, bonus]).collect()
}

fn sheet(rows: &[Vec<&str>]) -> String {
    let (wide, high) = (tile_art::SIZE.0 + GAP, tile_art::SIZE.1 + GAP);
    let mut tiles = String::new();
    for (row, pictures) in rows.iter().enumerate() {
        for (column, picture) in pictures.iter().enumerate() {
            let (x, y) = (column as f32 * wide + GAP, row as f32 * high + GAP);
            tiles += &format!(r#"<g transform="translate({x} {y})">{picture}</g>"#);
        }
    }
    let (width, height) = (COLUMNS as f32 * wide + GAP, rows.len() as f32 * high + GAP);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><rect width="{width}" height="{height}" fill="{FELT}"/>{tiles}</svg>"#
    )
}
