//! The examples that need no models, run as `main` runs them.

#[expect(dead_code, reason = "the tests call what `main` calls")]
#[path = "../../examples/own_rules.rs"]
mod own_rules;
#[expect(dead_code, reason = "the tests call what `main` calls")]
#[path = "../../examples/score_hand.rs"]
mod score_hand;

#[test]
fn score_hand_prints_every_line_and_the_total() {
    let text = score_hand::run(score_hand::HAND, "mcr-wmo").expect("a winning hand");
    let points = |line: &str| line.trim_start().split(' ').next().and_then(|n| n.parse().ok());
    let points: Vec<u32> = text.lines().filter_map(points).collect();
    let (total, lines) = points.split_last().expect("at least the total");
    assert!(text.starts_with("   8  Mixed Straight\n"), "{text}");
    assert_eq!(lines.iter().sum::<u32>(), *total, "{text}");
    let error = score_hand::run("11m", "mcr-wmo").expect_err("two tiles").to_string();
    assert!(error.contains("tiles"), "{error}");
}

#[test]
fn own_rules_score_by_their_own_limit() {
    let text = own_rules::run(own_rules::PROFILE).expect("a profile");
    assert_eq!(text.lines().next(), Some("Our club on Thursdays: 200 points"), "{text}");
    assert!(text.lines().nth(1).is_some_and(|line| !line.contains("200 points")), "{text}");
}
