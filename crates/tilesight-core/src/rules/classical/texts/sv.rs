//! Swedish names and explanations of the lines, in the order of the
//! rules.

use crate::rules::Text;

pub(super) const TEXTS: [Text; super::LINES] = [
    // exposed_pung
    Text { name: "Öppen pung", explanation: "En öppen pung av 2 till 8." },
    // exposed_pung_of_terminals
    Text { name: "Öppen pung av ändbrickor", explanation: "En öppen pung av ettor eller nior." },
    // exposed_pung_of_honors
    Text {
        name: "Öppen pung av honnörer", explanation: "En öppen pung av vindar eller drakar."
    },
    // concealed_pung
    Text { name: "Dold pung", explanation: "En dold pung av 2 till 8." },
    // concealed_pung_of_terminals
    Text { name: "Dold pung av ändbrickor", explanation: "En dold pung av ettor eller nior." },
    // concealed_pung_of_honors
    Text { name: "Dold pung av honnörer", explanation: "En dold pung av vindar eller drakar." },
    // exposed_kong
    Text {
        name: "Öppen kong",
        explanation: "En öppen kong av 2 till 8, även en som ropats på en dold pung.",
    },
    // exposed_kong_of_terminals
    Text { name: "Öppen kong av ändbrickor", explanation: "En öppen kong av ettor eller nior." },
    // exposed_kong_of_honors
    Text {
        name: "Öppen kong av honnörer", explanation: "En öppen kong av vindar eller drakar."
    },
    // concealed_kong
    Text { name: "Dold kong", explanation: "En dold kong av 2 till 8." },
    // concealed_kong_of_terminals
    Text { name: "Dold kong av ändbrickor", explanation: "En dold kong av ettor eller nior." },
    // concealed_kong_of_honors
    Text { name: "Dold kong av honnörer", explanation: "En dold kong av vindar eller drakar." },
    // pair_of_dragons
    Text { name: "Par av drakar", explanation: "Ett par drakar." },
    // pair_of_own_wind
    Text { name: "Par av egen vind", explanation: "Ett par av spelarens egen vind." },
    // pair_of_round_wind
    Text { name: "Par av rondens vind", explanation: "Ett par av rondens vind." },
    // flower
    Text {
        name: "Blomma",
        explanation: "Varje blomma och varje bonusbricka som bara antalet är känt av.",
    },
    // season
    Text { name: "Årstid", explanation: "Varje årstid." },
    // mah_jongg
    Text { name: "Mahjong", explanation: "Handen vann." },
    // last_tile_from_wall
    Text {
        name: "Sista brickan från muren",
        explanation: "Den vinnande brickan drogs från muren.",
    },
    // completes_pair
    Text {
        name: "Sista brickan fullbordar par av 2 till 8",
        explanation: "Den vinnande brickan fullbordade ett par av 2 till 8, dragen eller ropad.",
    },
    // completes_pair_of_terminals_or_honors
    Text {
        name: "Sista brickan fullbordar par av ändbrickor eller honnörer",
        explanation: "Den vinnande brickan fullbordade ett par av ettor, nior, vindar eller drakar, dragen eller ropad.",
    },
    // only_possible_tile
    Text { name: "Enda möjliga bricka", explanation: "Ingen annan sorts bricka kunde ha vunnit." },
    // dragon_pung
    Text { name: "Pung av drakar", explanation: "Varje pung eller kong av drakar." },
    // own_wind_pung
    Text { name: "Pung av egen vind", explanation: "En pung eller kong av spelarens egen vind." },
    // round_wind_pung
    Text { name: "Pung av rondens vind", explanation: "En pung eller kong av rondens vind." },
    // own_flower_and_season
    Text {
        name: "Egen blomma och egen årstid",
        explanation: "Både blomman och årstiden för spelarens plats.",
    },
    // all_flowers
    Text { name: "Alla blommor", explanation: "Alla fyra blommor." },
    // all_seasons
    Text { name: "Alla årstider", explanation: "Alla fyra årstider." },
    // three_concealed_pungs
    Text { name: "Tre dolda pungar", explanation: "Minst tre dolda pungar eller kongar." },
    // little_three_dragons
    Text {
        name: "Små tre drakar",
        explanation: "Två pungar eller kongar av drakar och ett par av den tredje.",
    },
    // big_three_dragons
    Text { name: "Stora tre drakar", explanation: "Pungar eller kongar av alla tre drakarna." },
    // little_four_winds
    Text {
        name: "Små fyra vindar",
        explanation: "Tre pungar eller kongar av vindar och ett par av den fjärde.",
    },
    // big_four_winds
    Text { name: "Stora fyra vindar", explanation: "Pungar eller kongar av alla fyra vindarna." },
    // zero_point_hand
    Text {
        name: "Nollpoängshand",
        explanation: "Fyra chower och ett par utan värde; bonusbrickor är tillåtna.",
    },
    // no_chow
    Text { name: "Ingen chow", explanation: "Fyra pungar eller kongar och ett par." },
    // concealed_hand
    Text {
        name: "Dold hand",
        explanation: "Alla kombinationer och paret dolda, sista brickan dragen.",
    },
    // one_suit_and_honors
    Text {
        name: "En färg och honnörer",
        explanation: "Brickor av en färg tillsammans med vindar eller drakar.",
    },
    // one_suit
    Text { name: "En färg", explanation: "Bara brickor av en färg." },
    // terminals_and_honors
    Text {
        name: "Bara ändbrickor och honnörer",
        explanation: "Bara ettor, nior, vindar och drakar.",
    },
    // last_tile_of_wall
    Text { name: "Murens sista bricka", explanation: "Vunnen på murens sista bricka." },
    // last_discard
    Text {
        name: "Sista slängda brickan",
        explanation: "Vunnen på den bricka som slängdes efter murens sista.",
    },
    // dead_wall
    Text {
        name: "Bricka från döda muren",
        explanation: "Vunnen på ersättningen för en kong eller en bonusbricka.",
    },
    // robbing_the_kong
    Text {
        name: "Plundrad kong",
        explanation: "Vunnen på den bricka som en annan lade till en pung.",
    },
    // original_call
    Text {
        name: "Ursprungligt utrop",
        explanation: "Sade före första slängda brickan att en bricka saknades, och ändrade inget.",
    },
    // thirteen_orphans
    Text {
        name: "Tretton föräldralösa",
        explanation: "En av varje etta, nia, vind och drake, och en av dem en gång till.",
    },
    // nine_gates
    Text {
        name: "Nio portar",
        explanation: "1112345678999 av en färg på hand, och vilken bricka som helst av den vinner.",
    },
    // squirming_snake
    Text {
        name: "Slingrande orm",
        explanation: "En färg: tre ettor, tre nior, ett par av 2, 5 eller 8 och två chower; får vara öppen.",
    },
    // concealed_one_suit
    Text {
        name: "Dold en färg", explanation: "Bara en färg, allt dolt och sista brickan dragen."
    },
    // only_honors
    Text { name: "Bara honnörer", explanation: "Bara vindar och drakar." },
    // only_terminals
    Text { name: "Bara ändbrickor", explanation: "Bara ettor och nior." },
    // four_kongs
    Text { name: "Fyrfaldigt överflöd", explanation: "Fyra kongar." },
    // three_dragon_pungs
    Text {
        name: "Tre stora lärde",
        explanation: "Pungar eller kongar av alla tre drakarna i vinnarens hand.",
    },
    // four_wind_pungs
    Text {
        name: "Fyra välsignelser över dörren",
        explanation: "Pungar eller kongar av alla fyra vindarna i vinnarens hand.",
    },
    // imperial_jade
    Text {
        name: "Kejserlig jade",
        explanation: "Bara 2, 3, 4, 6, 8 i bambu och den gröna draken, eller några av dem.",
    },
    // four_concealed_pungs
    Text {
        name: "Dold skatt",
        explanation: "Fyra dolda pungar eller kongar, sista brickan dragen.",
    },
    // twofold_fortune
    Text {
        name: "Dubbel lycka",
        explanation: "Ersättningen för en kong gav ännu en kong, vars ersättning vann.",
    },
    // blessing_of_heaven
    Text { name: "Himlens välsignelse", explanation: "Öst vinner med de utdelade brickorna." },
    // blessing_of_earth
    Text {
        name: "Jordens välsignelse",
        explanation: "En annan spelare vinner på östs första slängda bricka.",
    },
    // ninth_east_win
    Text {
        name: "Östs nionde vinst i rad", explanation: "Öst vinner för nionde gången i rad."
    },
    // plum_blossom_from_the_roof
    Text {
        name: "Plommonblom från taket", explanation: "Vunnen på 5 i cirklar från döda muren."
    },
    // moon_from_the_bottom_of_the_sea
    Text {
        name: "Månen från havets botten",
        explanation: "Vunnen på 1 i cirklar som murens sista bricka.",
    },
    // scratching_a_carrying_pole
    Text {
        name: "Skrapa bärstången",
        explanation: "Vunnen genom att plundra en kong av 2 i bambu.",
    },
    // seven_pairs
    Text { name: "Sju par", explanation: "Sju valfria par." },
    // long_hand
    Text {
        name: "För många brickor",
        explanation: "Fler brickor än en spelare har som inte har vunnit: handen räknas inte.",
    },
];
