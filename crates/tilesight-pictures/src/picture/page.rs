//! The page: a table with the tiles on it, below it the win context, the fans and the total.
//!
//! Input: a [`Picture`]. Output: an SVG document. Tiles are symbols that are used by name, so that
//! each face is in the document once. Every use names its tile code, in the order of the hand
//! within `id="hand"` and in the order of the fans within `id="fans"`. Invariant: all text is
//! escaped, and the document fetches no external resources.

use std::collections::BTreeSet;
use std::fmt::Write;

use tilesight_core::explain::Labels;
use tilesight_core::rules::{Award, ScoredSet};
use tilesight_core::tile::{Face, Tile};

use super::Picture;
use super::table::{self, PictureItem, PlacedItem, TILE};
use crate::letters;
use crate::tile_art;

const WIDTH: f32 = 960.0;
const MARGIN: f32 = 40.0;
/// Height of a fan's row.
const ROW: f32 = 36.0;
/// Right edge of the points and left edge of the names.
const COLUMNS: (f32, f32) = (104.0, 128.0);
/// Columns for figures with a unit: doubles, limits.
const WIDE_COLUMNS: (f32, f32) = (148.0, 172.0);
/// Small tiles beside a fan: their size, and the gaps between tiles, between sets, and between
/// repetitions of the fan.
const SMALL: (f32, f32) = (18.0, 24.0);
const SMALL_GAPS: (f32, f32, f32) = (1.0, 6.0, 16.0);

/// A place and a size on the page.
#[derive(Debug, Clone, Copy)]
struct Rect {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

impl Rect {
    /// Returns the frame with a margin added on every side.
    fn grown(self, margin: f32) -> Rect {
        let Rect { x, y, width, height } = self;
        let twice = 2.0 * margin;
        Rect { x: x - margin, y: y - margin, width: width + twice, height: height + twice }
    }
}

/// Appearance of a text.
#[derive(Debug, Clone, Copy)]
struct Style {
    size: f32,
    colour: &'static str,
    anchor: Anchor,
}

impl Style {
    /// Creates the style of a text that starts at its place.
    const fn start(size: f32, colour: &'static str) -> Style {
        Style { size, colour, anchor: Anchor::Start }
    }

    /// Creates the style of a text that ends at its place.
    const fn end(size: f32, colour: &'static str) -> Style {
        Style { size, colour, anchor: Anchor::End }
    }
}

const FELT: &str = "#17493a";
const PAPER: &str = "#fdfcf7";
const INK: &str = "#1f2630";
const MUTED: &str = "#5c6672";
const HAIRLINE: &str = "#e2dccb";
const GOLD: &str = "#f2c14e";
const RED: &str = "#cb2a2f";

/// Representation of words in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// Text, in a font of the viewer.
    Text,
    /// Outlines of the program's own font.
    Outlines,
}

/// End of a text that is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Start,
    End,
}

impl Anchor {
    const fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::End => "end",
        }
    }
}

/// A document that grows downwards.
struct Page<'a> {
    picture: &'a Picture<'a>,
    writing: Writing,
    labels: &'static Labels,
    body: String,
    faces: BTreeSet<Face>,
    y: f32,
}

/// Draws the whole picture.
pub(super) fn draw(picture: &Picture, writing: Writing) -> String {
    let mut page = Page {
        picture,
        writing,
        labels: picture.lang.labels(),
        body: String::new(),
        faces: BTreeSet::new(),
        y: 0.0,
    };
    page.hand();
    page.context();
    page.fans();
    page.total();
    page.assumed();
    page.document()
}

impl Page<'_> {
    /// Draws the tiles on the felt.
    fn hand(&mut self) {
        let groups = table::groups(
            self.picture.setup,
            self.picture.score,
            self.picture.ruleset.rules().conventions(),
        );
        let (placed, height) = table::place_groups(&groups, WIDTH - 2.0 * MARGIN);
        let felt = height + 2.0 * MARGIN;
        self.element(format_args!(r#"<rect width="{WIDTH}" height="{felt}" fill="{FELT}"/>"#));
        self.element(format_args!(r#"<g id="hand" transform="translate({MARGIN} {MARGIN})">"#));
        for one in placed {
            self.placed(one);
        }
        self.element(format_args!("</g>"));
        self.y = felt;
    }

    fn placed(&mut self, PlacedItem { item, x, y }: PlacedItem) {
        let (width, height) = item.size();
        let frame = Rect { x, y, width, height };
        match item {
            PictureItem::Upright(face) => self.tile(face, frame),
            PictureItem::Winning(tile) => {
                self.tile(Face::Tile(tile), frame);
                self.outline(frame.grown(3.0), "3");
            }
            PictureItem::Gap => {
                self.outline(frame.grown(-1.5), r#"1.5" stroke-dasharray="4 4" opacity=".75"#);
            }
            PictureItem::Sideways(tile) | PictureItem::OnTop(tile) => self.sideways(tile, x, y),
        }
    }

    fn tile(&mut self, face: Face, Rect { x, y, width, height }: Rect) {
        self.faces.insert(face);
        self.element(format_args!(
            r##"<use href="#{face}" x="{x}" y="{y}" width="{width}" height="{height}"/>"##
        ));
    }

    /// Draws a tile turned to the left, its own top edge at the left.
    fn sideways(&mut self, tile: Tile, x: f32, y: f32) {
        self.faces.insert(Face::Tile(tile));
        let (width, height) = TILE;
        let below = y + width;
        self.element(format_args!(
            r##"<use href="#{tile}" width="{width}" height="{height}" transform="translate({x} {below}) rotate(-90)"/>"##
        ));
    }

    fn outline(&mut self, Rect { x, y, width, height }: Rect, stroke: &str) {
        self.element(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="7" fill="none" stroke="{GOLD}" stroke-width="{stroke}"/>"#
        ));
    }

    /// Draws the winds, how the hand was won, and the rule set.
    fn context(&mut self) {
        let labels = self.labels;
        let context = self.picture.context;
        let seat = labels.winds[context.seat as usize];
        let prevalent = labels.winds[context.prevalent as usize];
        let won = labels.won_by(context).join(labels.list);
        let mut words = vec![
            format!("{} {seat}", labels.seat),
            format!("{} {prevalent}", labels.prevalent),
            format!("{} {won}", labels.win),
        ];
        let unnamed = self.picture.setup.flowers.unnamed_count();
        words.extend((unnamed > 0).then(|| format!("{}{}{unnamed}", labels.flowers, labels.colon)));
        self.y += 34.0;
        self.text(MARGIN, Style::start(15.0, MUTED), &words.join(" · "));
        let rules = self.picture.ruleset.id();
        self.text(WIDTH - MARGIN, Style::end(15.0, MUTED), rules.as_str());
        self.y += 22.0;
    }

    /// Draws a row for each fan: its points, its name, and the sets that form it.
    fn fans(&mut self) {
        self.element(format_args!(r#"<g id="fans">"#));
        for award in &self.picture.score.awards {
            self.rule(1.0);
            self.y += ROW / 2.0 + 6.0;
            let worth = self.labels.worth(award.worth.times(award.count));
            self.text(self.columns().0, Style::end(18.0, INK), &worth);
            let name = award.name(self.picture.lang);
            self.text(self.columns().1, Style::start(18.0, INK), &name);
            self.sets(award);
            self.y += ROW / 2.0 - 6.0;
        }
        self.element(format_args!("</g>"));
    }

    /// Returns the right edge of the points and the left edge of the names.
    fn columns(&self) -> (f32, f32) {
        let score = self.picture.score;
        let has_units = score.doubling.is_some() || score.faan().is_some() || score.tai().is_some();
        if has_units { WIDE_COLUMNS } else { COLUMNS }
    }

    /// Draws the small tiles at the end of a fan's row.
    fn sets(&mut self, award: &Award) {
        let top = self.y - 6.0 - SMALL.1 / 2.0;
        let mut x = WIDTH - MARGIN - times_width(&award.sets);
        for time in &award.sets {
            for set in time {
                for &tile in &set.tiles {
                    self.tile(
                        Face::Tile(tile),
                        Rect { x, y: top, width: SMALL.0, height: SMALL.1 },
                    );
                    x += SMALL.0 + SMALL_GAPS.0;
                }
                x += SMALL_GAPS.1 - SMALL_GAPS.0;
            }
            x += SMALL_GAPS.2 - SMALL_GAPS.1;
        }
    }

    fn total(&mut self) {
        let score = self.picture.score;
        self.rule(2.0);
        self.y += 44.0;
        self.text(self.columns().0, Style::end(34.0, RED), &score.total.to_string());
        self.text(self.columns().1, Style::start(22.0, INK), self.labels.total);
        let verdict = self.labels.verdict(score);
        self.text(WIDTH - MARGIN, Style::end(15.0, MUTED), &verdict);
        self.y += 30.0;
    }

    /// Draws the assumed fields with their values, and the range of possible totals.
    fn assumed(&mut self) {
        let labels = self.labels;
        let Picture { context, assumed, score, range, .. } = self.picture;
        let fields = score.assumed(assumed).into_iter();
        let mut values: Vec<String> = fields
            .map(|field| self.labels.assumed_value(field, context, score.assumed_feeder))
            .collect();
        values.extend(self.labels.assumed_red_fives(score));
        if values.is_empty() {
            return;
        }
        let words = format!("{}{}{}", labels.assumed, labels.colon, values.join(labels.list));
        let possible = range.map(|range| self.labels.possible_totals(range));
        self.text(MARGIN, Style::start(15.0, MUTED), &words);
        self.text(WIDTH - MARGIN, Style::end(15.0, MUTED), &possible.unwrap_or_default());
        self.y += 26.0;
    }

    /// Draws a line across the page.
    fn rule(&mut self, width: f32) {
        let y = self.y;
        let end = WIDTH - MARGIN;
        self.element(format_args!(
            r#"<path d="M{MARGIN} {y}H{end}" stroke="{HAIRLINE}" stroke-width="{width}"/>"#
        ));
    }

    /// Draws text on the current line.
    fn text(&mut self, x: f32, Style { size, colour, anchor }: Style, text: &str) {
        let y = self.y;
        if self.writing == Writing::Outlines {
            let outline = letters::outline(text, size);
            let left = if anchor == Anchor::End { x - outline.width } else { x };
            return self.element(format_args!("{}", outline.element(left, y, colour)));
        }
        let anchor = anchor.name();
        let content = escaped(text);
        self.element(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{content}</text>"#
        ));
    }

    fn element(&mut self, element: std::fmt::Arguments) {
        writeln!(self.body, "{element}").expect("a String takes all that fits into memory");
    }

    fn document(self) -> String {
        let lang = self.picture.lang;
        let height = self.y;
        let body = self.body;
        let (width, tall) = tile_art::SIZE;
        let symbols: String = self
            .faces
            .iter()
            .map(|&face| {
                let shapes = tile_art::shapes(face);
                format!(
                    "<symbol id=\"{face}\" viewBox=\"0 0 {width} {tall}\">\n{shapes}\n</symbol>\n"
                )
            })
            .collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\" xml:lang=\"{lang}\" \
             font-family=\"system-ui,sans-serif\">\n\
             <defs>\n{symbols}</defs>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{body}</svg>\n"
        )
    }
}

/// Returns the width of a fan's small tiles, for all its repetitions.
fn times_width(times: &[Vec<ScoredSet>]) -> f32 {
    times.iter().map(|sets| sets_width(sets) + SMALL_GAPS.2).sum::<f32>() - SMALL_GAPS.2
}

fn sets_width(sets: &[ScoredSet]) -> f32 {
    sets.iter().map(|set| set_width(set) + SMALL_GAPS.1).sum::<f32>() - SMALL_GAPS.1
}

fn set_width(set: &ScoredSet) -> f32 {
    set.tiles.len() as f32 * (SMALL.0 + SMALL_GAPS.0) - SMALL_GAPS.0
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use resvg::usvg::roxmltree::{Document, Node};
    use tilesight_core::contract::{HandInput, PreparedHand, ScoreRequest, ScoredHand};
    use tilesight_core::explain::Lang;

    use super::*;

    fn scored(notation: &str) -> ScoredHand {
        let hand = HandInput::Notation(notation.to_owned());
        let request = ScoreRequest::from(hand);
        let prepared = request
            .prepare(&tilesight_core::rules::Book::shipped())
            .unwrap_or_else(|problem| panic!("{notation}: {problem:?}"));
        prepared.score().unwrap_or_else(|problem| panic!("{notation}: {problem:?}"))
    }

    fn svg(scored: &ScoredHand, lang: Lang) -> String {
        let PreparedHand { setup, context, assumed, ruleset, .. } = &scored.prepared;
        let (score, range) = (scored.score(), scored.range.as_ref());
        let picture = Picture { setup, context, assumed, score, range, ruleset, lang };
        draw(&picture, Writing::Text)
    }

    fn group<'a>(document: &'a Document, id: &str) -> Node<'a, 'a> {
        let found = document.descendants().find(|node| node.attribute("id") == Some(id));
        found.expect("the group is there")
    }

    /// Returns the codes of the tiles in a group, in order.
    fn tiles(group: Node) -> String {
        let uses = group.descendants().filter_map(|node| node.attribute("href"));
        uses.map(|name| name.trim_start_matches('#')).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_hand_shows_exactly_its_tiles_in_order() {
        for (notation, expected) in [
            ("123m456m789m234p5p5p|SE1000", "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5p 5p"),
            (
                "[EEE,2][345s,2][CCCC]78m99p6m|SE1000|f1s2",
                "7m 8m 9p 9p 6m E E E 4s 3s 5s back C C back f1 s2",
            ),
            ("[EEEE,6][8888p,3]123m456p9p9p|SE1000", "1m 2m 3m 4p 5p 6p 9p 9p E E E E 8p 8p 8p 8p"),
            ("1144m2255p66s77s3s3s|SE1000", "1m 1m 4m 4m 2p 2p 5p 5p 3s 6s 6s 7s 7s 3s"),
            ("19m19p19sESWNCFP1m|SE1000", "1m 9m 1p 9p 1s 9s E S W N C F P 1m"),
        ] {
            let scored = scored(notation);
            let text = svg(&scored, Lang::En);
            let document = Document::parse(&text).expect("a valid document");
            let shown = tiles(group(&document, "hand"));
            assert_eq!(shown, expected, "{notation}");
            let hidden = shown.split(' ').filter(|&code| code == "back").count();
            let flowers = scored.prepared.setup.flowers.iter().count();
            let playing = shown.split(' ').filter_map(|code| code.parse().ok());
            let playing: tilesight_core::tiles::Counts = playing.collect();
            assert_eq!(playing.total() + hidden, scored.prepared.hand.all().total(), "{notation}");
            assert_eq!(shown.split(' ').count(), playing.total() + hidden + flowers, "{notation}");
        }
    }

    #[test]
    fn points_add_up_to_the_total_and_the_sets_of_a_fan_are_beside_it() {
        let scored = scored("[EEE,2][345s,2][CCCC]78m99p6m|SE1000|f1s2");
        let text = svg(&scored, Lang::En);
        let document = Document::parse(&text).expect("a valid document");
        let fans = group(&document, "fans");
        let points = fans.descendants().filter(|node| node.attribute("text-anchor") == Some("end"));
        let points: Vec<u32> =
            points.filter_map(|node| node.text()).map(|text| text.parse().expect(text)).collect();
        assert_eq!(points.len(), scored.score().awards.len());
        assert_eq!(points.iter().sum::<u32>(), scored.score().total);
        assert_eq!(tiles(fans), "C C C C E E E C C C C");
    }

    #[test]
    fn every_tile_that_is_used_is_there_and_nothing_is_fetched() {
        let text = svg(&scored("[EEE,2][345s,2][CCCC]78m99p6m|SE1000|f1s2"), Lang::Zh);
        let document = Document::parse(&text).expect("a valid document");
        for node in document.descendants() {
            let Some(name) = node.attribute("href") else { continue };
            let code = name.strip_prefix('#').expect("a name within the document");
            assert_eq!(group(&document, code).tag_name().name(), "symbol");
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b>&c"), "a&lt;b&gt;&amp;c");
    }

    #[test]
    fn assumptions_stand_below_the_total() {
        let drawn = svg(&scored("234m234p678m678s9s9s|??????"), Lang::De);
        assert!(drawn.contains("Angenommen: Platzwind Ost, Rundenwind Ost, "), "{drawn}");
        assert!(drawn.contains("Möglich 6–8"), "{drawn}");
        let drawn = svg(&scored("234m234p678m678s9s9s|EW1000"), Lang::De);
        assert!(!drawn.contains("Angenommen"), "{drawn}");
    }
}
