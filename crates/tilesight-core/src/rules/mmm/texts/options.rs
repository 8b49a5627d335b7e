//! Meanings of the options, in the order of [`Lang::ALL`].
//!
//! Invariant: every field of [`Options`](crate::rules::mmm::Options) has its text in every
//! language; a test of the contract checks all of them.

use crate::lang::Lang;

/// Returns the meaning of an option when it is set; `None` for a name that is not an option.
pub(in crate::rules::mmm) fn option(name: &str, lang: Lang) -> Option<String> {
    let found = OPTIONS.iter().find(|(option, _)| *option == name);
    found.map(|(_, texts)| texts[lang as usize].to_owned())
}

const OPTIONS: [(&str, [&str; 5]); 21] = [
    (
        "parts_add_up",
        [
            "The parts of 1.2.11 to 1.2.14 and of 1.2.20 add up; otherwise only the most valuable part of each paragraph counts.",
            "Die Teile von 1.2.11 bis 1.2.14 und von 1.2.20 addieren sich; sonst zählt nur der wertvollste Teil jedes Absatzes.",
            "Delene af 1.2.11 til 1.2.14 og af 1.2.20 lægges sammen; ellers tæller kun den mest værdifulde del af hvert punkt.",
            "Delarna av 1.2.11 till 1.2.14 och av 1.2.20 läggs ihop; annars räknas bara den mest värdefulla delen av varje punkt.",
            "1.2.11 至 1.2.14 及 1.2.20 的各部分相加；否则每条只计最高的一部分。",
        ],
    ),
    (
        "four_identical_chows_are_two_sets",
        [
            "Four identical chows are two sets of two as well (1.2.11): three doublings instead of two.",
            "Vier gleiche Folgen sind auch zweimal zwei (1.2.11): drei Verdopplungen statt zwei.",
            "Fire ens chows er også to sæt af to (1.2.11): tre fordoblinger i stedet for to.",
            "Fyra likadana chower är också två par (1.2.11): tre dubblingar i stället för två.",
            "四副相同的顺子也算两组各两副（1.2.11）：计三倍而非两倍。",
        ],
    ),
    (
        "won_pung_is_open",
        [
            "A pung that a discard completes is open for its points, for 1.2.18 and for 1.2.28; the hand stays concealed.",
            "Ein Drilling, den ein Abwurf vollendet, ist offen für seine Punkte, für 1.2.18 und für 1.2.28; die Hand bleibt verdeckt.",
            "En pung, som et afsmid fuldender, er åben for sine point, for 1.2.18 og for 1.2.28; hånden forbliver skjult.",
            "En pung som en slängd bricka fullbordar är öppen för sina poäng, för 1.2.18 och för 1.2.28; handen förblir dold.",
            "点和凑成的刻子在计点、1.2.18 和 1.2.28 中算明刻；手牌仍算门前清。",
        ],
    ),
    (
        "double_wind_pair_counts_twice",
        [
            "A pair of the wind that is own and round wind counts for both: 4 points.",
            "Ein Paar des Windes, der eigener und Rundenwind ist, zählt für beide: 4 Punkte.",
            "Et par i den vind, der er både egen og rundens, tæller for begge: 4 point.",
            "Ett par i den vind som är både egen och rondens räknas för båda: 4 poäng.",
            "既是门风又是圈风的对子两项都计：4 点。",
        ],
    ),
    (
        "self_draw_points_when_fully_concealed",
        [
            "The 10 points for a self-draw count beside the fully concealed hand (1.2.1).",
            "Die 10 Punkte für den eigenen Zug zählen auch neben der völlig verdeckten Hand (1.2.1).",
            "De 10 point for selvtræk tæller også ved siden af fuldstændig skjult hånd (1.2.1).",
            "De 10 poängen för eget drag räknas även vid helt dold hand (1.2.1).",
            "自摸的 10 点与不求人（1.2.1）同时计算。",
        ],
    ),
    (
        "only_chows_must_be_concealed",
        [
            "Only chows (1.2.2) needs a concealed hand.",
            "Nur Folgen (1.2.2) verlangt eine verdeckte Hand.",
            "Kun chows (1.2.2) kræver en skjult hånd.",
            "Bara chower (1.2.2) kräver en dold hand.",
            "全顺（1.2.2）须门前清。",
        ],
    ),
    (
        "seven_pairs_combine",
        [
            "Seven pairs combine with the lines of kinds of tiles: 1.2.10, 1.2.14, 1.2.20, 1.2.25, 1.2.26 and 1.2.30.",
            "Sieben Paare verbinden sich mit den Zeilen der Ziegelarten: 1.2.10, 1.2.14, 1.2.20, 1.2.25, 1.2.26 und 1.2.30.",
            "Syv par kan kombineres med linjerne om brikkernes art: 1.2.10, 1.2.14, 1.2.20, 1.2.25, 1.2.26 og 1.2.30.",
            "Sju par kan kombineras med raderna om brickornas slag: 1.2.10, 1.2.14, 1.2.20, 1.2.25, 1.2.26 och 1.2.30.",
            "七对可与牌种各条（1.2.10、1.2.14、1.2.20、1.2.25、1.2.26、1.2.30）同时计算。",
        ],
    ),
    (
        "four_alike_are_two_pairs",
        [
            "Four tiles alike may be two of the seven pairs.",
            "Vier gleiche Ziegel dürfen zwei der sieben Paare sein.",
            "Fire ens brikker må være to af de syv par.",
            "Fyra likadana brickor får vara två av de sju paren.",
            "四张相同的牌可作七对中的两对。",
        ],
    ),
    (
        "seven_pairs_have_points",
        [
            "Pairs of dragons and of the own and the round wind have their points in seven pairs too.",
            "Paare von Drachen, des eigenen und des Rundenwindes haben ihre Punkte auch in sieben Paaren.",
            "Par i drager, egen vind og rundens vind giver også point i syv par.",
            "Par i drakar, egen vind och rondens vind ger poäng även i sju par.",
            "七对中箭牌、门风、圈风的对子同样计点。",
        ],
    ),
    (
        "seven_pairs_are_fully_concealed",
        [
            "Seven pairs on a self-draw are a fully concealed hand (1.2.1).",
            "Selbst gezogene sieben Paare sind eine völlig verdeckte Hand (1.2.1).",
            "Syv par på selvtræk er en fuldstændig skjult hånd (1.2.1).",
            "Sju par på eget drag är en helt dold hand (1.2.1).",
            "自摸的七对计不求人（1.2.1）。",
        ],
    ),
    (
        "replacement_tile_can_be_the_last",
        [
            "Under the sea (1.2.3) counts also on the replacement tile of a kong, beside 1.2.5.",
            "Unter dem Meer (1.2.3) zählt auch auf den Ersatzziegel eines Vierlings, neben 1.2.5.",
            "Under havet (1.2.3) tæller også på erstatningsbrikken efter en kong, ved siden af 1.2.5.",
            "Under havet (1.2.3) räknas även på ersättningsbrickan efter en kong, vid sidan av 1.2.5.",
            "杠后补牌为最后一张时，海底捞月（1.2.3）与 1.2.5 同时计算。",
        ],
    ),
    (
        "robbing_is_self_draw",
        [
            "Robbing a kong is a self-draw: 10 points, and everybody pays; otherwise the robbed player feeds.",
            "Das Berauben eines Vierlings ist ein eigener Zug: 10 Punkte, und alle zahlen; sonst spielt der Beraubte zu.",
            "At stjæle en kong er et selvtræk: 10 point, og alle betaler; ellers er den bestjålne den fodrende.",
            "Att stjäla en kong är ett eget drag: 10 poäng, och alla betalar; annars är det den bestulne som matar.",
            "抢杠和按自摸算：计 10 点，三家付账；否则由被抢者付账。",
        ],
    ),
    (
        "liability_on_self_draw",
        [
            "Who fed the third pung of dragons or the fourth of winds (1.4.2, 1.4.3) also pays a later self-draw alone.",
            "Wer den dritten Drachendrilling oder den vierten Winddrilling zugespielt hat (1.4.2, 1.4.3), zahlt auch einen späteren eigenen Zug allein.",
            "Den, der fodrede den tredje dragepung eller den fjerde vindpung (1.4.2, 1.4.3), betaler også et senere selvtræk alene.",
            "Den som matade den tredje drakpungen eller den fjärde vindpungen (1.4.2, 1.4.3) betalar även ett senare eget drag ensam.",
            "供出第三副箭刻或第四副风刻者（1.4.2、1.4.3），在其后自摸时也须独付。",
        ],
    ),
    (
        "liability_beside_concealed_sets",
        [
            "Concealed pungs count among the two of dragons or three of winds that were there before (1.4.2, 1.4.3).",
            "Verdeckte Drillinge zählen zu den zwei Drachen- oder drei Winddrillingen, die vorher da waren (1.4.2, 1.4.3).",
            "Skjulte punger tæller med blandt de to dragepunger eller tre vindpunger, der var der i forvejen (1.4.2, 1.4.3).",
            "Dolda pungar räknas bland de två drakpungar eller tre vindpungar som redan fanns (1.4.2, 1.4.3).",
            "先前已有的两副箭刻或三副风刻中，暗刻也计入（1.4.2、1.4.3）。",
        ],
    ),
    (
        "four_chows_liability_on_self_draw",
        [
            "After four called chows the player to the left also pays a self-draw alone (1.4.1).",
            "Nach vier gerufenen Folgen zahlt der linke Nachbar auch einen eigenen Zug allein (1.4.1).",
            "Efter fire åbne chows betaler spilleren til venstre også et selvtræk alene (1.4.1).",
            "Efter fyra öppna chower betalar spelaren till vänster även ett eget drag ensam (1.4.1).",
            "吃满四副后自摸，也由上家独付（1.4.1）。",
        ],
    ),
    (
        "winning_tile_can_be_the_fourth_chow",
        [
            "The fourth of four called chows (1.4.1) may be called with the winning tile.",
            "Die vierte der vier gerufenen Folgen (1.4.1) darf mit dem Schlussziegel gerufen sein.",
            "Den fjerde af de fire åbne chows (1.4.1) må være meldt med vinderbrikken.",
            "Den fjärde av de fyra öppna chowerna (1.4.1) får ropas med vinstbrickan.",
            "四副吃牌的第四副（1.4.1）可由和牌张凑成。",
        ],
    ),
    (
        "officers_in_pair",
        [
            "The pair of only officers (1.2.14) must be of officers too.",
            "Auch das Paar in nur Offizieren (1.2.14) muss aus Offizieren sein.",
            "Også parret i kun officerer (1.2.14) skal være i officerer.",
            "Även paret i bara officerare (1.2.14) måste vara officerare.",
            "全带幺（1.2.14）的对子也须是幺九牌。",
        ],
    ),
    (
        "lanterns_before_the_winning_tile",
        [
            "Nine lanterns (1.2.29) needs 1112345678999 before the winning tile comes; otherwise the fourteen tiles count, whichever came last.",
            "Neun Laternen (1.2.29) verlangt 1112345678999 schon vor dem Schlussziegel; sonst zählen die vierzehn Ziegel, gleich welcher zuletzt kam.",
            "Ni lanterner (1.2.29) kræver 1112345678999, før vinderbrikken kommer; ellers tæller de fjorten brikker, uanset hvilken der kom sidst.",
            "Nio lyktor (1.2.29) kräver 1112345678999 innan vinstbrickan kommer; annars räknas de fjorton brickorna, vilken som än kom sist.",
            "九莲宝灯（1.2.29）须在和牌张之前已成 1112345678999；否则只看十四张牌，不论哪张最后到。",
        ],
    ),
    (
        "half_steps",
        [
            "What half a doubling is worth: its own column of the table of values (column), nothing (down) or a whole one (up); at 12 doublings it drops.",
            "Was eine halbe Verdopplung wert ist: ihre eigene Spalte der Wertetabelle (column), nichts (down) oder eine ganze (up); bei 12 Verdopplungen entfällt sie.",
            "Hvad en halv fordobling er værd: sin egen kolonne i tabellen (column), ingenting (down) eller en hel (up); ved 12 fordoblinger bortfalder den.",
            "Vad en halv dubbling är värd: sin egen kolumn i tabellen (column), ingenting (down) eller en hel (up); vid 12 dubblingar faller den bort.",
            "半倍的价值：取表中半倍一栏（column）、不计（down）或进为一倍（up）；满 12 倍时略去。",
        ],
    ),
    (
        "extra_score_reaches_minimum",
        [
            "A whole doubling of extra score (1.2.31) reaches the minimum.",
            "Eine ganze Verdopplung der Zusatzwertung (1.2.31) erreicht das Minimum.",
            "En hel fordobling i ekstra score (1.2.31) tæller til minimum.",
            "En hel dubbling i extrapoäng (1.2.31) räknas mot minimum.",
            "加分（1.2.31）满一倍可计入起和。",
        ],
    ),
    (
        "flowers_are_passed_over",
        [
            "Flowers and seasons are passed over; otherwise a hand with some is refused, because the game is played without them.",
            "Blumen und Jahreszeiten werden übergangen; sonst wird eine Hand mit solchen abgewiesen, denn gespielt wird ohne sie.",
            "Blomster og årstider forbigås; ellers afvises en hånd med dem, for der spilles altid uden.",
            "Blommor och årstider förbigås; annars avvisas en hand med sådana, för spelet spelas utan dem.",
            "忽略花牌；否则有花牌的手牌不予计算，因为此规则不用花牌。",
        ],
    ),
];
