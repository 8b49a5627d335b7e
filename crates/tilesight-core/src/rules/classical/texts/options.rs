//! Meanings of the options, in the order of [`Lang::ALL`].
//!
//! Invariant: every field of [`Options`] has its text in every language; a test of the contract
//! checks all of them.

use crate::lang::Lang;
use crate::rules::classical::Options;

/// Returns the meaning of an option when it is set; `None` for a name that is not an option.
pub(in crate::rules::classical) fn option(name: &str, lang: Lang) -> Option<String> {
    let found = OPTIONS.iter().find(|(option, _)| *option == name);
    let limits = || {
        let (line, _) = Options::SPECIAL.iter().find(|(_, option)| *option == name)?;
        let rule = line.rule();
        let text = WORTH[lang as usize].replacen("{}", rule.name(lang), 1);
        Some(text.replacen("{}", &rule.paragraph.to_string(), 1))
    };
    found.map(|(_, texts)| texts[lang as usize].to_owned()).or_else(limits)
}

/// Worth of a special hand; carries the hand's name and paragraph.
const WORTH: [&str; 5] = [
    "Limits that {} ({}) is worth, in whole or half ones; 0 where it isn't played.",
    "Limits, die {} ({}) wert ist, in ganzen oder halben; 0, wo es nicht gespielt wird.",
    "Limits, som {} ({}) er værd, i hele eller halve; 0, hvor det ikke spilles.",
    "Limiter som {} ({}) är värd, i hela eller halva; 0 där det inte spelas.",
    "{}（{}）值几个满贯，可为半个；0 表示不采用。",
];

const OPTIONS: [(&str, [&str; 5]); 12] = [
    (
        "limit",
        [
            "The most that a hand counts, and what special hands are measured by.",
            "Das Höchste, was eine Hand zählt, und das Maß der Spezialhände.",
            "Det meste, en hånd tæller, og målet for specialhænder.",
            "Det mesta en hand räknas för, och måttet för specialhänder.",
            "一副牌的最高分（满贯），特殊牌型以此计值。",
        ],
    ),
    (
        "roof_off",
        [
            "Points and doubles are never cut to the limit; special hands keep their worth.",
            "Punkte und Verdopplungen werden nie auf das Limit gekürzt; Spezialhände behalten ihren Wert.",
            "Point og fordoblinger skæres aldrig ned til limit; specialhænder beholder deres værdi.",
            "Poäng och dubblingar kapas aldrig till limiten; specialhänder behåller sitt värde.",
            "不封顶：分数翻番后不以满贯为限，特殊牌型分值不变。",
        ],
    ),
    (
        "claimed_kong_stays_concealed",
        [
            "A kong claimed onto a concealed pung leaves the hand concealed and counts among the concealed pungs; its points are those of an exposed kong.",
            "Ein auf einen verdeckten Pong gerufener Kan lässt die Hand verdeckt und zählt zu den verdeckten Pongs; seine Punkte sind die eines offenen Kans.",
            "En kong meldt på en skjult pung lader hånden være skjult og tæller med blandt de skjulte punger; dens point er en åben kongs.",
            "En kong som ropats på en dold pung lämnar handen dold och räknas bland de dolda pungarna; poängen är en öppen kongs.",
            "大明杠不破门清，并算作暗刻之一；分数仍按明杠计。",
        ],
    ),
    (
        "zero_point_hand_with_bonus_tiles",
        [
            "Four chows and a pair that counts nothing are a zero-point hand even with flowers or seasons.",
            "Vier Chis und ein wertloses Paar sind auch mit Blumenziegeln eine Nullpunktehand.",
            "Fire chower og et par, der intet tæller, er en nulpointhånd også med bonusbrikker.",
            "Fyra chower och ett par utan värde är en nollpoängshand även med bonusbrickor.",
            "四副顺子及无分将牌，有花牌亦算平和。",
        ],
    ),
    (
        "formal_waits",
        [
            "A tile of which the hand holds all four copies still counts as one it waits for.",
            "Ein Ziegel, von dem die Hand alle vier hält, zählt noch als einer, auf den sie wartet.",
            "En brik, som hånden har alle fire af, tæller stadig som en, den venter på.",
            "En bricka som handen har alla fyra av räknas ändå som en den väntar på.",
            "手中已有四张的牌仍算所听之牌。",
        ],
    ),
    (
        "same_pair_twice",
        [
            "Four tiles of a kind may be two of the seven pairs.",
            "Vier gleiche Ziegel dürfen zwei der sieben Paare sein.",
            "Fire ens brikker må være to af de syv par.",
            "Fyra lika brickor får vara två av de sju paren.",
            "四张相同的牌可算七对中的两对。",
        ],
    ),
    (
        "long_hand_counts_nothing",
        [
            "A hand of too many tiles that has not won counts nothing.",
            "Eine Hand mit zu vielen Ziegeln, die nicht gewonnen hat, zählt nichts.",
            "En hånd med for mange brikker, der ikke har vundet, tæller intet.",
            "En hand med för många brickor som inte har vunnit räknas inte.",
            "未和而多牌者不计分。",
        ],
    ),
    (
        "east_doubles",
        [
            "East pays and receives double.",
            "Ost zahlt und erhält doppelt.",
            "Øst betaler og modtager dobbelt.",
            "Öst betalar och får dubbelt.",
            "庄家收付加倍。",
        ],
    ),
    (
        "losers_settle",
        [
            "Those who did not win pay each other the difference of their totals.",
            "Wer nicht gewonnen hat, verrechnet die Differenz der Summen untereinander.",
            "De, der ikke vandt, betaler hinanden forskellen mellem deres summer.",
            "De som inte vann betalar varandra skillnaden mellan sina summor.",
            "未和各家之间按分数差额结算。",
        ],
    ),
    (
        "winner_pays_losers",
        [
            "The winner pays the others what their hands are worth.",
            "Der Gewinner zahlt den anderen, was ihre Hände wert sind.",
            "Vinderen betaler de andre, hvad deres hænder er værd.",
            "Vinnaren betalar de andra vad deras händer är värda.",
            "和牌者仍须付他家手牌的分数。",
        ],
    ),
    (
        "dangerous_game",
        [
            "Who makes a discard that was known to be dangerous pays for all, where it is declared.",
            "Wer einen erkennbar gefährlichen Abwurf macht, zahlt für alle, wenn es angesagt ist.",
            "Den, der kaster en kendt farlig brik, betaler for alle, når det er meldt.",
            "Den som slänger en känt farlig bricka betalar för alla, när det är sagt.",
            "打出明知危险的牌而点和者，申明后由其一家包付。",
        ],
    ),
    (
        "losers_settle_in_dangerous_game",
        [
            "Those who did not win settle even where one of them pays for all.",
            "Wer nicht gewonnen hat, verrechnet auch dann, wenn einer für alle zahlt.",
            "De, der ikke vandt, afregner også, når én betaler for alle.",
            "De som inte vann gör upp även när en betalar för alla.",
            "有人包付时，其余各家之间仍结算差额。",
        ],
    ),
];
