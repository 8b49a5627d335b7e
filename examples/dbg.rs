#[path = "../tests/tables/mod.rs"]
mod tables;
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let t = tables::table(seed, tables::Noise { place: 0.05, degrees: 2.0, corner: 0.025, wrong: 0.02, missing: 0.01 });
    let l = tilesight::pipeline::layout::lay_out(&t.tiles);
    println!("{}", l.groups.len());
}
