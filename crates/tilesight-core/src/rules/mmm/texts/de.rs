//! German: names and what each line needs, in the order of the lines. The words that German tables
//! use for MMM.

use crate::rules::Text;

const fn t(name: &'static str, explanation: &'static str) -> Text {
    Text { name, explanation }
}

pub(super) const TEXTS: [Text; super::LINES] = [
    t(
        "Offener Drilling",
        "Ein gerufener Drilling von 2 bis 8, oder einer, den ein Abwurf vollendet hat.",
    ),
    t("Verdeckter Drilling", "Ein Drilling von 2 bis 8 ohne gerufenen Ziegel."),
    t(
        "Offener Drilling von Offizieren",
        "Ein gerufener Drilling aus Einsen, Neunen, Winden oder Drachen, oder einer, den ein Abwurf vollendet hat.",
    ),
    t(
        "Verdeckter Drilling von Offizieren",
        "Ein Drilling aus Einsen, Neunen, Winden oder Drachen ohne gerufenen Ziegel.",
    ),
    t("Offener Vierling", "Ein gerufener Vierling von 2 bis 8."),
    t("Verdeckter Vierling", "Ein Vierling von 2 bis 8 ohne gerufenen Ziegel."),
    t(
        "Offener Vierling von Offizieren",
        "Ein gerufener Vierling aus Einsen, Neunen, Winden oder Drachen.",
    ),
    t(
        "Verdeckter Vierling von Offizieren",
        "Ein Vierling aus Einsen, Neunen, Winden oder Drachen ohne gerufenen Ziegel.",
    ),
    t("Drachenpaar", "Ein Paar eines beliebigen Drachen."),
    t("Paar des eigenen Windes", "Ein Paar des eigenen Windes."),
    t("Paar des Rundenwindes", "Ein Paar des Windes der Runde."),
    t("Eigener Zug", "Der Gewinner hat den Schlussziegel selbst gezogen."),
    t(
        "Völlig verdeckte Hand",
        "Alle Sätze sind verdeckt, und der Schlussziegel wurde selbst gezogen.",
    ),
    t("Nur Folgen", "Vier Folgen und ein beliebiges Paar in einer verdeckten Hand."),
    t("Unter dem Meer", "Gewonnen mit dem selbst gezogenen letzten Ziegel der Mauer."),
    t(
        "Unter dem Fluss",
        "Gewonnen mit einem Abwurf, nachdem der letzte Ziegel der Mauer gezogen war.",
    ),
    t(
        "Gewinn nach einem Vierling",
        "Gewonnen mit dem Ziegel, der wegen eines Vierlings gezogen wurde.",
    ),
    t(
        "Beraubter Vierling",
        "Gewonnen mit dem Ziegel, mit dem ein anderer einen offenen Drilling zum Vierling erweitern wollte.",
    ),
    t("Völlig offene Hand", "Alle vier Sätze und das Paar wurden gerufen."),
    t("Drachen", "Jeder Drilling oder Vierling aus Drachen."),
    t("Eigener Wind", "Ein Drilling oder Vierling des eigenen Windes."),
    t("Rundenwind", "Ein Drilling oder Vierling des Rundenwindes."),
    t("Keine Offiziere", "Weder Einsen noch Neunen, Winde oder Drachen."),
    t(
        "Zwei gleiche Folgen",
        "Zwei Folgen derselben Zahlen in derselben Farbe, in einer verdeckten Hand.",
    ),
    t(
        "Drei gleiche Folgen",
        "Eine dritte Folge derselben Zahlen in derselben Farbe, in einer verdeckten Hand.",
    ),
    t("Zweimal zwei gleiche Folgen", "Zweimal zwei gleiche Folgen in einer verdeckten Hand."),
    t("Gleiche Folge in drei Farben", "Drei Folgen derselben Zahlen, eine in jeder Farbe."),
    t(
        "Gleiche Folge in drei Farben, verdeckt",
        "Drei Folgen derselben Zahlen in drei Farben, in einer verdeckten Hand.",
    ),
    t("Straße", "1-2-3, 4-5-6 und 7-8-9 einer Farbe."),
    t("Straße, verdeckt", "1-2-3, 4-5-6 und 7-8-9 einer Farbe in einer verdeckten Hand."),
    t("Nur Offiziere", "Eine Eins, eine Neun, ein Wind oder ein Drache in jedem Satz und im Paar."),
    t("Nur Offiziere, verdeckt", "Ein Offizier in jedem Satz und im Paar einer verdeckten Hand."),
    t("Nur Offiziere, ohne Folgen", "Ein Offizier in jedem Satz und im Paar, ohne Folgen."),
    t(
        "Nur Offiziere, ohne Winde und Drachen",
        "Eine Eins oder Neun in jedem Satz und im Paar, ohne Winde und Drachen.",
    ),
    t("Nur Drillinge", "Vier Drillinge oder Vierlinge und ein Paar."),
    t(
        "Gleicher Drilling in drei Farben",
        "Drei Drillinge oder Vierlinge derselben Zahl, einer in jeder Farbe.",
    ),
    t("Drei Vierlinge", "Mindestens drei Vierlinge."),
    t("Drei verdeckte Drillinge", "Mindestens drei verdeckte Drillinge oder Vierlinge."),
    t("Kleine Drachenhand", "Zwei Drillinge oder Vierlinge aus Drachen und ein Paar des dritten."),
    t("Eine Farbe", "Ziegel einer Farbe, mit oder ohne Winde und Drachen."),
    t("Eine Farbe, ohne Winde und Drachen", "Ziegel einer Farbe ohne Winde und Drachen."),
    t(
        "Eine Farbe, verdeckt",
        "Ziegel einer Farbe, mit oder ohne Winde und Drachen, in einer verdeckten Hand.",
    ),
    t("Sieben Paare", "Sieben Paare in einer verdeckten Hand."),
    t("Große Drachenhand", "Ein Drilling oder Vierling aus jedem der drei Drachen."),
    t("Kleine Windhand", "Drei Drillinge oder Vierlinge aus Winden und ein Paar des vierten."),
    t("Große Windhand", "Vier Drillinge oder Vierlinge aus Winden."),
    t("Nur Einsen und Neunen", "Nur Einsen und Neunen."),
    t("Nur Winde und Drachen", "Nur Winde und Drachen."),
    t("Vier Vierlinge", "Vier Vierlinge und ein Paar."),
    t("Vier verdeckte Drillinge", "Vier verdeckte Drillinge oder Vierlinge."),
    t("Neun Laternen", "1112345678999 einer Farbe und ein weiterer Ziegel davon, verdeckt."),
    t("Jadehand", "Nur grüne Ziegel: Bambus 2, 3, 4, 6, 8 und der grüne Drache."),
    t("Zusatzwertung, halb", "20 bis 39 Punkte; zählt nicht für das Minimum."),
    t("Zusatzwertung, ganz", "40 Punkte oder mehr; zählt nicht für das Minimum."),
];
