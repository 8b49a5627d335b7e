//! Danish: names and what each line needs, in the order of the lines. The words are those of the
//! supplement itself, which is Danish.

use crate::rules::Text;

const fn t(name: &'static str, explanation: &'static str) -> Text {
    Text { name, explanation }
}

pub(super) const TEXTS: [Text; super::LINES] = [
    t("Åben pung", "En meldt pung i 2 til 8, eller en, som et afsmid har fuldendt."),
    t("Skjult pung", "En pung i 2 til 8 uden en meldt brik."),
    t(
        "Åben pung i officerer",
        "En meldt pung i 1'ere, 9'ere, vinde eller drager, eller en, som et afsmid har fuldendt.",
    ),
    t("Skjult pung i officerer", "En pung i 1'ere, 9'ere, vinde eller drager uden en meldt brik."),
    t("Åben kong", "En meldt kong i 2 til 8."),
    t("Skjult kong", "En kong i 2 til 8 uden en meldt brik."),
    t("Åben kong i officerer", "En meldt kong i 1'ere, 9'ere, vinde eller drager."),
    t("Skjult kong i officerer", "En kong i 1'ere, 9'ere, vinde eller drager uden en meldt brik."),
    t("Par i drager", "Et par i en vilkårlig drage."),
    t("Par i egen vind", "Et par i vinderens egen vind."),
    t("Par i rundens vind", "Et par i rundens vind."),
    t("Selvtræk", "Vinderen trak selv vinderbrikken."),
    t(
        "Fuldstændig skjult hånd",
        "Alle chows, punger og konger er skjulte, og der gås mahjong på selvtræk.",
    ),
    t("Kun chows", "Fire chows og et vilkårligt par i en skjult hånd."),
    t("Under havet", "Mahjong på den sidste brik fra muren."),
    t("Under floden", "Mahjong på afsmid, efter at den sidste brik er blevet trukket."),
    t("Vinde efter en kong", "Mahjong på en brik, man har fået som følge af en kong."),
    t("At stjæle en kong", "Mahjong på en anden spillers forøgelse af en åben pung til en kong."),
    t("Fuldstændig åben hånd", "Alle sæt og parret er blevet meldt."),
    t("Drager", "Hver pung eller kong i drager."),
    t("Egen vind", "Pung eller kong i egen vind."),
    t("Rundens vind", "Pung eller kong i rundens vind."),
    t("Ingen officerer", "Hverken 1'ere, 9'ere, drager eller vinde."),
    t("To ens chows", "To chows af de samme tal i samme række, i en skjult hånd."),
    t("Tre ens chows", "En tredje chow af de samme tal i samme række, i en skjult hånd."),
    t("To sæt af to ens chows", "To gange to ens chows i en skjult hånd."),
    t("Samme chow i tre rækker", "Tre chows af de samme tal, én i hver række."),
    t(
        "Samme chow i tre rækker, skjult",
        "Tre chows af de samme tal i tre rækker, i en skjult hånd.",
    ),
    t("En stribe chows", "1-2-3, 4-5-6 og 7-8-9 i samme række."),
    t("En stribe chows, skjult", "1-2-3, 4-5-6 og 7-8-9 i samme række, i en skjult hånd."),
    t("Kun officerer", "En 1'er, 9'er, vind eller drage i hvert sæt og i parret."),
    t("Kun officerer, skjult", "En officer i hvert sæt og i parret, i en skjult hånd."),
    t("Kun officerer, ingen chows", "En officer i hvert sæt og i parret, uden chows."),
    t(
        "Kun officerer, ingen honnører",
        "En 1'er eller 9'er i hvert sæt og i parret, uden drager eller vinde.",
    ),
    t("Kun punger", "Fire punger eller konger og et par."),
    t("Ens punger i tre rækker", "Tre punger eller konger af de samme tal, én i hver række."),
    t("Tre konger", "Minimum tre konger."),
    t("Tre skjulte punger", "Minimum tre skjulte punger eller konger."),
    t("Lille dragehånd", "To punger eller konger i drager og et par i den sidste drage."),
    t("En række", "Brikker fra én række, med eller uden honnører."),
    t("En række, ingen honnører", "Brikker fra én række uden drager og vinde."),
    t("En række, skjult", "Brikker fra én række, med eller uden honnører, i en skjult hånd."),
    t("Syv par", "Skjult hånd af syv par."),
    t("Stor dragehånd", "En pung eller kong i hver af de tre drager."),
    t("Lille vindhånd", "Tre punger eller konger i vinde og et par i den sidste vind."),
    t("Stor vindhånd", "Fire punger eller konger i vinde."),
    t("Kun 1'ere og 9'ere", "Kun 1'ere og 9'ere."),
    t("Kun vinde og drager", "Kun vinde og drager."),
    t("Fire konger", "Fire konger og et par."),
    t("Fire skjulte punger", "Fire skjulte punger eller konger."),
    t("Ni lanterner", "Skjult 1112345678999 og en ekstra brik, alle i samme række."),
    t("Jadehånd", "Kun grønne brikker: bambus 2, 3, 4, 6, 8 og den grønne drage."),
    t("Ekstra score, en halv", "Mellem 20 og 39 point; tæller ikke til minimum."),
    t("Ekstra score, en hel", "40 point eller mere; tæller ikke til minimum."),
];
