//! German names and explanations of the lines, in the order of the
//! rules.

use crate::rules::Text;

pub(super) const TEXTS: [Text; super::LINES] = [
    // exposed_pung
    Text { name: "Offener Pong", explanation: "Ein offener Pong von 2 bis 8." },
    // exposed_pung_of_terminals
    Text {
        name: "Offener Pong von Randziegeln",
        explanation: "Ein offener Pong von Einsen oder Neunen.",
    },
    // exposed_pung_of_honors
    Text {
        name: "Offener Pong von Trumpfziegeln",
        explanation: "Ein offener Pong von Winden oder Drachen.",
    },
    // concealed_pung
    Text { name: "Verdeckter Pong", explanation: "Ein verdeckter Pong von 2 bis 8." },
    // concealed_pung_of_terminals
    Text {
        name: "Verdeckter Pong von Randziegeln",
        explanation: "Ein verdeckter Pong von Einsen oder Neunen.",
    },
    // concealed_pung_of_honors
    Text {
        name: "Verdeckter Pong von Trumpfziegeln",
        explanation: "Ein verdeckter Pong von Winden oder Drachen.",
    },
    // exposed_kong
    Text {
        name: "Offener Kan",
        explanation: "Ein offener Kan von 2 bis 8, auch ein auf einen verdeckten Pong gerufener.",
    },
    // exposed_kong_of_terminals
    Text {
        name: "Offener Kan von Randziegeln",
        explanation: "Ein offener Kan von Einsen oder Neunen.",
    },
    // exposed_kong_of_honors
    Text {
        name: "Offener Kan von Trumpfziegeln",
        explanation: "Ein offener Kan von Winden oder Drachen.",
    },
    // concealed_kong
    Text { name: "Verdeckter Kan", explanation: "Ein verdeckter Kan von 2 bis 8." },
    // concealed_kong_of_terminals
    Text {
        name: "Verdeckter Kan von Randziegeln",
        explanation: "Ein verdeckter Kan von Einsen oder Neunen.",
    },
    // concealed_kong_of_honors
    Text {
        name: "Verdeckter Kan von Trumpfziegeln",
        explanation: "Ein verdeckter Kan von Winden oder Drachen.",
    },
    // pair_of_dragons
    Text { name: "Drachenpaar", explanation: "Ein Paar Drachen." },
    // pair_of_own_wind
    Text { name: "Paar des eigenen Windes", explanation: "Ein Paar des eigenen Platzwindes." },
    // pair_of_round_wind
    Text { name: "Paar des Rundenwindes", explanation: "Ein Paar des Rundenwindes." },
    // flower
    Text {
        name: "Blume",
        explanation: "Jede Blume und jeder Blumenziegel, von dem nur die Anzahl bekannt ist.",
    },
    // season
    Text { name: "Jahreszeit", explanation: "Jede Jahreszeit." },
    // mah_jongg
    Text { name: "Mah-Jongg", explanation: "Die Hand hat gewonnen." },
    // last_tile_from_wall
    Text {
        name: "Schlussziegel von der Mauer",
        explanation: "Der Schlussziegel wurde von der Mauer gezogen.",
    },
    // completes_pair
    Text {
        name: "Schlussziegel bildet Paar von 2 bis 8",
        explanation: "Der Schlussziegel vervollständigt ein Paar von 2 bis 8, gezogen oder gerufen.",
    },
    // completes_pair_of_terminals_or_honors
    Text {
        name: "Schlussziegel bildet Paar von Rand- oder Trumpfziegeln",
        explanation: "Der Schlussziegel vervollständigt ein Paar von Einsen, Neunen, Winden oder Drachen, gezogen oder gerufen.",
    },
    // only_possible_tile
    Text {
        name: "Einzig möglicher Ziegel",
        explanation: "Kein anderer Ziegel hätte gewinnen können.",
    },
    // dragon_pung
    Text { name: "Drachenpong", explanation: "Jeder Pong oder Kan von Drachen." },
    // own_wind_pung
    Text {
        name: "Pong des eigenen Windes",
        explanation: "Ein Pong oder Kan des eigenen Platzwindes.",
    },
    // round_wind_pung
    Text { name: "Pong des Rundenwindes", explanation: "Ein Pong oder Kan des Rundenwindes." },
    // own_flower_and_season
    Text {
        name: "Eigene Blume und eigene Jahreszeit",
        explanation: "Blume und Jahreszeit des eigenen Platzes zusammen.",
    },
    // all_flowers
    Text { name: "Alle Blumen", explanation: "Alle vier Blumen." },
    // all_seasons
    Text { name: "Alle Jahreszeiten", explanation: "Alle vier Jahreszeiten." },
    // three_concealed_pungs
    Text {
        name: "Drei verdeckte Pongs",
        explanation: "Mindestens drei verdeckte Pongs oder Kans.",
    },
    // little_three_dragons
    Text {
        name: "Kleine drei Drachen",
        explanation: "Zwei Pongs oder Kans von Drachen und ein Paar des dritten.",
    },
    // big_three_dragons
    Text { name: "Große drei Drachen", explanation: "Pongs oder Kans aller drei Drachen." },
    // little_four_winds
    Text {
        name: "Kleine vier Winde",
        explanation: "Drei Pongs oder Kans von Winden und ein Paar des vierten.",
    },
    // big_four_winds
    Text { name: "Große vier Winde", explanation: "Pongs oder Kans aller vier Winde." },
    // zero_point_hand
    Text {
        name: "Nullpunktehand",
        explanation: "Vier Chis und ein wertloses Paar; Blumenziegel sind erlaubt.",
    },
    // no_chow
    Text { name: "Kein Chi", explanation: "Vier Pongs oder Kans und ein Paar." },
    // concealed_hand
    Text {
        name: "Alles verdeckt",
        explanation: "Alle Figuren und das Paar verdeckt, der Schlussziegel gezogen.",
    },
    // one_suit_and_honors
    Text {
        name: "Eine Farbe mit Trumpfziegeln",
        explanation: "Ziegel einer Farbe zusammen mit Winden oder Drachen.",
    },
    // one_suit
    Text { name: "Reine Farbe", explanation: "Nur Ziegel einer Farbe." },
    // terminals_and_honors
    Text {
        name: "Nur Rand- und Trumpfziegel",
        explanation: "Nur Einsen, Neunen, Winde und Drachen.",
    },
    // last_tile_of_wall
    Text {
        name: "Letzter Ziegel der Mauer",
        explanation: "Mit dem letzten Ziegel der Mauer gewonnen.",
    },
    // last_discard
    Text {
        name: "Letzter Abwurf",
        explanation: "Mit dem Abwurf nach dem letzten Ziegel der Mauer gewonnen.",
    },
    // dead_wall
    Text {
        name: "Ziegel von der Toten Mauer",
        explanation: "Mit dem Ersatzziegel für einen Kan oder einen Blumenziegel gewonnen.",
    },
    // robbing_the_kong
    Text {
        name: "Beraubung des Kan",
        explanation: "Mit dem Ziegel gewonnen, den ein anderer einem Pong anlegte.",
    },
    // original_call
    Text {
        name: "Ursprungsruf",
        explanation: "Vor dem ersten Abwurf angesagt, dass ein Ziegel fehlt, und nichts mehr geändert.",
    },
    // thirteen_orphans
    Text {
        name: "Dreizehn Waisen",
        explanation: "Je eine Eins, Neun, jeder Wind und Drache, und einer davon doppelt.",
    },
    // nine_gates
    Text {
        name: "Neun Pforten",
        explanation: "1112345678999 einer Farbe auf der Hand, und jeder weitere Ziegel davon gewinnt.",
    },
    // squirming_snake
    Text {
        name: "Gewundene Schlange",
        explanation: "Eine Farbe: drei Einsen, drei Neunen, ein Paar von 2, 5 oder 8 und zwei Chis; darf offen sein.",
    },
    // concealed_one_suit
    Text {
        name: "Verdeckte reine Farbe",
        explanation: "Nur eine Farbe, alles verdeckt und der Schlussziegel gezogen.",
    },
    // only_honors
    Text { name: "Nur Trumpfziegel", explanation: "Nur Winde und Drachen." },
    // only_terminals
    Text { name: "Nur Randziegel", explanation: "Nur Einsen und Neunen." },
    // four_kongs
    Text { name: "Vierfacher Überfluss", explanation: "Vier Kans." },
    // three_dragon_pungs
    Text {
        name: "Drei große Gelehrte",
        explanation: "Pongs oder Kans aller drei Drachen in der gewinnenden Hand.",
    },
    // four_wind_pungs
    Text {
        name: "Vier Segen über der Tür",
        explanation: "Pongs oder Kans aller vier Winde in der gewinnenden Hand.",
    },
    // imperial_jade
    Text {
        name: "Kaiserliche Jade",
        explanation: "Nur 2, 3, 4, 6, 8 Bambus und der grüne Drache, oder einige davon.",
    },
    // four_concealed_pungs
    Text {
        name: "Verborgener Schatz",
        explanation: "Vier verdeckte Pongs oder Kans, der Schlussziegel gezogen.",
    },
    // twofold_fortune
    Text {
        name: "Doppeltes Glück",
        explanation: "Der Ersatzziegel eines Kans ergab einen weiteren Kan, dessen Ersatzziegel gewann.",
    },
    // blessing_of_heaven
    Text { name: "Segen des Himmels", explanation: "Ost gewinnt mit den ausgeteilten Ziegeln." },
    // blessing_of_earth
    Text {
        name: "Segen der Erde",
        explanation: "Ein anderer gewinnt mit dem ersten Abwurf von Ost.",
    },
    // ninth_east_win
    Text { name: "Neunter Gewinn von Ost", explanation: "Ost gewinnt zum neunten Mal in Folge." },
    // plum_blossom_from_the_roof
    Text {
        name: "Die Pflaumenblüte vom Dach pflücken",
        explanation: "Mit der Kreis-5 von der Toten Mauer gewonnen.",
    },
    // moon_from_the_bottom_of_the_sea
    Text {
        name: "Den Mond aus dem Meer fischen",
        explanation: "Mit der Kreis-1 als letztem Ziegel der Mauer gewonnen.",
    },
    // scratching_a_carrying_pole
    Text {
        name: "An der Tragstange kratzen",
        explanation: "Durch Beraubung eines Kans von Bambus-2 gewonnen.",
    },
    // seven_pairs
    Text { name: "Unreine Paare", explanation: "Sieben beliebige Paare." },
    // long_hand
    Text {
        name: "Zu viele Ziegel",
        explanation: "Mehr Ziegel, als jemand hält, der nicht gewonnen hat: Die Hand zählt nichts.",
    },
];
