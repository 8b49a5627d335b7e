//! Danish names and explanations of the lines, in the order of the
//! rules.

use crate::rules::Text;

pub(super) const TEXTS: [Text; super::LINES] = [
    // exposed_pung
    Text { name: "Åben pung", explanation: "En åben pung af 2 til 8." },
    // exposed_pung_of_terminals
    Text { name: "Åben pung af endebrikker", explanation: "En åben pung af ettere eller niere." },
    // exposed_pung_of_honors
    Text { name: "Åben pung af honnører", explanation: "En åben pung af vinde eller drager." },
    // concealed_pung
    Text { name: "Skjult pung", explanation: "En skjult pung af 2 til 8." },
    // concealed_pung_of_terminals
    Text {
        name: "Skjult pung af endebrikker",
        explanation: "En skjult pung af ettere eller niere.",
    },
    // concealed_pung_of_honors
    Text { name: "Skjult pung af honnører", explanation: "En skjult pung af vinde eller drager." },
    // exposed_kong
    Text {
        name: "Åben kong",
        explanation: "En åben kong af 2 til 8, også en meldt på en skjult pung.",
    },
    // exposed_kong_of_terminals
    Text { name: "Åben kong af endebrikker", explanation: "En åben kong af ettere eller niere." },
    // exposed_kong_of_honors
    Text { name: "Åben kong af honnører", explanation: "En åben kong af vinde eller drager." },
    // concealed_kong
    Text { name: "Skjult kong", explanation: "En skjult kong af 2 til 8." },
    // concealed_kong_of_terminals
    Text {
        name: "Skjult kong af endebrikker",
        explanation: "En skjult kong af ettere eller niere.",
    },
    // concealed_kong_of_honors
    Text { name: "Skjult kong af honnører", explanation: "En skjult kong af vinde eller drager." },
    // pair_of_dragons
    Text { name: "Par af drager", explanation: "Et par drager." },
    // pair_of_own_wind
    Text { name: "Par af egen vind", explanation: "Et par af spillerens egen vind." },
    // pair_of_round_wind
    Text { name: "Par af rundens vind", explanation: "Et par af rundens vind." },
    // flower
    Text {
        name: "Blomst",
        explanation: "Hver blomst og hver bonusbrik, hvoraf kun antallet kendes.",
    },
    // season
    Text { name: "Årstid", explanation: "Hver årstid." },
    // mah_jongg
    Text { name: "Mahjong", explanation: "Hånden har vundet." },
    // last_tile_from_wall
    Text { name: "Vinderbrik fra muren", explanation: "Vinderbrikken blev trukket fra muren." },
    // completes_pair
    Text {
        name: "Vinderbrik fuldender par af 2 til 8",
        explanation: "Vinderbrikken fuldendte et par af 2 til 8, trukket eller meldt.",
    },
    // completes_pair_of_terminals_or_honors
    Text {
        name: "Vinderbrik fuldender par af endebrikker eller honnører",
        explanation: "Vinderbrikken fuldendte et par af ettere, niere, vinde eller drager, trukket eller meldt.",
    },
    // only_possible_tile
    Text { name: "Eneste mulige brik", explanation: "Ingen anden slags brik kunne have vundet." },
    // dragon_pung
    Text { name: "Pung af drager", explanation: "Hver pung eller kong af drager." },
    // own_wind_pung
    Text { name: "Pung af egen vind", explanation: "En pung eller kong af spillerens egen vind." },
    // round_wind_pung
    Text { name: "Pung af rundens vind", explanation: "En pung eller kong af rundens vind." },
    // own_flower_and_season
    Text {
        name: "Egen blomst og egen årstid",
        explanation: "Både blomsten og årstiden for spillerens plads.",
    },
    // all_flowers
    Text { name: "Alle blomster", explanation: "Alle fire blomster." },
    // all_seasons
    Text { name: "Alle årstider", explanation: "Alle fire årstider." },
    // three_concealed_pungs
    Text { name: "Tre skjulte punger", explanation: "Mindst tre skjulte punger eller konger." },
    // little_three_dragons
    Text {
        name: "Små tre drager",
        explanation: "To punger eller konger af drager og et par af den tredje.",
    },
    // big_three_dragons
    Text { name: "Store tre drager", explanation: "Punger eller konger af alle tre drager." },
    // little_four_winds
    Text {
        name: "Små fire vinde",
        explanation: "Tre punger eller konger af vinde og et par af den fjerde.",
    },
    // big_four_winds
    Text { name: "Store fire vinde", explanation: "Punger eller konger af alle fire vinde." },
    // zero_point_hand
    Text {
        name: "Nulpointhånd",
        explanation: "Fire chower og et par, der intet tæller; bonusbrikker er tilladt.",
    },
    // no_chow
    Text { name: "Ingen chow", explanation: "Fire punger eller konger og et par." },
    // concealed_hand
    Text {
        name: "Skjult hånd",
        explanation: "Alle sæt og parret er skjulte, den sidste brik trukket.",
    },
    // one_suit_and_honors
    Text {
        name: "En farve og honnører",
        explanation: "Brikker af én farve sammen med vinde eller drager.",
    },
    // one_suit
    Text { name: "En farve", explanation: "Kun brikker af én farve." },
    // terminals_and_honors
    Text {
        name: "Kun endebrikker og honnører",
        explanation: "Kun ettere, niere, vinde og drager.",
    },
    // last_tile_of_wall
    Text { name: "Murens sidste brik", explanation: "Vundet på murens sidste brik." },
    // last_discard
    Text { name: "Sidste afkast", explanation: "Vundet på afkastet efter murens sidste brik." },
    // dead_wall
    Text {
        name: "Brik fra den døde mur",
        explanation: "Vundet på erstatningen for en kong eller en bonusbrik.",
    },
    // robbing_the_kong
    Text { name: "Røvet kong", explanation: "Vundet på den brik, en anden føjede til en pung." },
    // original_call
    Text {
        name: "Første melding",
        explanation: "Meldte før første afkast, at én brik manglede, og ændrede intet.",
    },
    // thirteen_orphans
    Text {
        name: "Tretten vidundere",
        explanation: "Én af hver etter, nier, vind og drage, og en af dem igen.",
    },
    // nine_gates
    Text {
        name: "Ni porte",
        explanation: "1112345678999 af én farve på hånden, og enhver anden brik af den vinder.",
    },
    // squirming_snake
    Text {
        name: "Snoende slange",
        explanation: "Én farve: tre ettere, tre niere, et par af 2, 5 eller 8 og to chower; må være åben.",
    },
    // concealed_one_suit
    Text {
        name: "Skjult en farve",
        explanation: "Kun én farve, alt skjult og den sidste brik trukket.",
    },
    // only_honors
    Text { name: "Kun honnører", explanation: "Kun vinde og drager." },
    // only_terminals
    Text { name: "Kun endebrikker", explanation: "Kun ettere og niere." },
    // four_kongs
    Text { name: "Firefold overflod", explanation: "Fire konger." },
    // three_dragon_pungs
    Text {
        name: "Tre store lærde",
        explanation: "Punger eller konger af alle tre drager i vinderens hånd.",
    },
    // four_wind_pungs
    Text {
        name: "Fire velsignelser over døren",
        explanation: "Punger eller konger af alle fire vinde i vinderens hånd.",
    },
    // imperial_jade
    Text {
        name: "Kejserlig jade",
        explanation: "Kun 2, 3, 4, 6, 8 i bambus og den grønne drage, eller nogle af dem.",
    },
    // four_concealed_pungs
    Text {
        name: "Skjult skat",
        explanation: "Fire skjulte punger eller konger, den sidste brik trukket.",
    },
    // twofold_fortune
    Text {
        name: "Dobbelt lykke",
        explanation: "Erstatningen for en kong gav endnu en kong, hvis erstatning vandt.",
    },
    // blessing_of_heaven
    Text { name: "Himlens velsignelse", explanation: "Øst vinder med de uddelte brikker." },
    // blessing_of_earth
    Text {
        name: "Jordens velsignelse",
        explanation: "En anden spiller vinder på østs første afkast.",
    },
    // ninth_east_win
    Text { name: "Østs niende sejr i træk", explanation: "Øst vinder for niende gang i træk." },
    // plum_blossom_from_the_roof
    Text {
        name: "Blommeblomst fra taget", explanation: "Vundet på 5 i cirkler fra den døde mur."
    },
    // moon_from_the_bottom_of_the_sea
    Text {
        name: "Månen fra havets bund",
        explanation: "Vundet på 1 i cirkler som murens sidste brik.",
    },
    // scratching_a_carrying_pole
    Text { name: "Kradse bærestangen", explanation: "Vundet ved at røve en kong af 2 i bambus." },
    // seven_pairs
    Text { name: "Syv par", explanation: "Syv vilkårlige par." },
    // long_hand
    Text {
        name: "For mange brikker",
        explanation: "Flere brikker end en spiller har, der ikke har vundet: hånden tæller intet.",
    },
];
