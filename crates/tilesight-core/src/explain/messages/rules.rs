//! Errors of a hand that can't be scored, and of several hands that can't lie on one table.

use crate::explain::{Lang, Message, said};
use crate::rules::{
    Contradiction, InvalidRulesetId, MAX_RULESET_ID, Requirement, RulesError, RulesetId,
    TableError, UnknownRuleset,
};

impl Message for RulesError {
    fn said(&self, lang: Lang) -> String {
        match self {
            RulesError::NotAWin => said!(
                self,
                lang,
                "die Ziegel bilden keine Siegerhand",
                "brikkerne danner ikke en vinderhånd",
                "brickorna bildar ingen vinsthand",
                "这些牌没有和",
            ),
            RulesError::FlowersNotPlayed { count } => said!(
                self,
                lang,
                "diese Regeln werden ohne Glücksziegel gespielt, und die Hand hat {count}",
                "disse regler spilles uden blomster og årstider, og hånden har {count}",
                "de här reglerna spelas utan blommor och årstider, och handen har {count}",
                "这套规则不用花牌，而这手牌有 {count} 张",
            ),
            RulesError::Contradictions(all) => {
                let one = |one: &Contradiction| format!("{}: {}", one.field(), one.said(lang));
                all.iter().map(one).collect::<Vec<_>>().join("; ")
            }
        }
    }
}

impl Message for InvalidRulesetId {
    fn said(&self, lang: Lang) -> String {
        let (InvalidRulesetId(text), most) = (self, MAX_RULESET_ID);
        said!(
            self,
            lang,
            "`{text}` kann kein Regelwerk heißen: erwartet werden 1 bis {most} Kleinbuchstaben, Ziffern und Bindestriche",
            "`{text}` kan ikke være navnet på et regelsæt: forventet er 1 til {most} små bogstaver, cifre og bindestreger",
            "`{text}` kan inte vara namnet på en regeluppsättning: väntat var 1 till {most} gemener, siffror och bindestreck",
            "`{text}` 不能作为规则的名称：应为 1 到 {most} 个小写字母、数字和连字符",
        )
    }
}

impl Message for UnknownRuleset {
    fn said(&self, lang: Lang) -> String {
        let known: Vec<&str> = self.known.iter().map(RulesetId::as_str).collect();
        let (id, known) = (self.id, known.join(", "));
        said!(
            self,
            lang,
            "`{id}` ist kein Regelwerk: erwartet wird {known}",
            "`{id}` er ikke et regelsæt: forventet er {known}",
            "`{id}` är ingen regeluppsättning: väntat var {known}",
            "`{id}` 不是规则：应为 {known}",
        )
    }
}

impl Message for Contradiction {
    fn said(&self, lang: Lang) -> String {
        match self {
            Contradiction::ReplacementWithoutKong => said!(
                self,
                lang,
                "ein Ersatzziegel folgt auf einen Vierling, und die Hand hat keinen",
                "en erstatningsbrik følger efter en kong, og hånden har ingen",
                "en ersättningsbricka följer på en kong, och handen har ingen",
                "补张要先开杠，而这手牌没有杠",
            ),
            Contradiction::RobbedTileInHand { tile } => said!(
                self,
                lang,
                "{tile} wurde zu einem Drilling eines anderen gelegt, aber auch die Hand hat {tile}",
                "{tile} blev lagt til en anden spillers pung, men hånden har også {tile}",
                "{tile} lades till en annan spelares pung, men handen har också {tile}",
                "{tile} 是别家加杠的牌，但这手牌里也有 {tile}",
            ),
            Contradiction::RobbedAfterLastTile => said!(
                self,
                lang,
                "nach dem letzten Ziegel der Mauer kann kein Vierling beraubt werden",
                "efter murens sidste brik kan ingen kong røves",
                "efter murens sista bricka kan ingen kong plundras",
                "牌墙摸完后不能抢杠",
            ),
            Contradiction::LastOfKindInHand { tile } => said!(
                self,
                lang,
                "{tile} ist auch unter den verdeckten Ziegeln, wo niemand ihn sieht",
                "{tile} er også blandt de skjulte brikker, hvor ingen ser den",
                "{tile} finns också bland de dolda brickorna, där ingen ser den",
                "立牌中也有 {tile}，别人看不见",
            ),
            Contradiction::NoSetToFeed => said!(
                self,
                lang,
                "keine Figur dieser Hand lässt den zahlen, der sie zugespielt hat",
                "intet sæt i denne hånd får den, der fodrede det, til at betale",
                "ingen kombination i handen får den som matade den att betala",
                "这手牌没有需要供牌者包牌的副",
            ),
            Contradiction::FedByAnother { feeder } => said!(
                self,
                lang,
                "die Figuren, die den Zuspieler zahlen lassen, kann `{feeder}` nicht vollendet haben",
                "de sæt, der får fodreren til at betale, kan `{feeder}` ikke have fuldendt",
                "kombinationerna som får mataren att betala kan `{feeder}` inte ha fullbordat",
                "需要包牌的各副不可能由 `{feeder}` 供成",
            ),
            Contradiction::ReplacementAtEndOfWall => said!(
                self,
                lang,
                "ein Ersatzziegel ist nie der letzte Ziegel der Mauer",
                "en erstatningsbrik er aldrig murens sidste brik",
                "en ersättningsbricka är aldrig murens sista bricka",
                "补张不会是牌墙的最后一张",
            ),
            Contradiction::Declared { declared, needs } => {
                let needs = needs.said(lang);
                said!(
                    self,
                    lang,
                    "{declared} verlangt {needs}",
                    "{declared} kræver {needs}",
                    "{declared} kräver {needs}",
                    "{declared} 需要{needs}",
                )
            }
            Contradiction::NotCompleted { set, tile } => said!(
                self,
                lang,
                "wie man die Hand auch aufteilt, {tile} vollendet nicht {set}",
                "hvordan hånden end deles op, fuldender {tile} ikke {set}",
                "hur handen än delas upp fullbordar {tile} inte {set}",
                "无论怎样拆分这手牌，{tile} 都不会凑成 {set}",
            ),
        }
    }
}

impl Message for Requirement {
    fn said(&self, lang: Lang) -> String {
        match self {
            Requirement::SeatEast => {
                said!(self, lang, "den Platz Ost", "pladsen Øst", "platsen Öst", "东家")
            }
            Requirement::OtherSeat => said!(
                self,
                lang,
                "einen anderen Platz als Ost",
                "en anden plads end Øst",
                "en annan plats än Öst",
                "非东家"
            ),
            Requirement::SelfDraw => said!(
                self,
                lang,
                "einen selbst gezogenen Ziegel",
                "en selvtrukket brik",
                "en självdragen bricka",
                "自摸",
            ),
            Requirement::Discard => {
                said!(
                    self,
                    lang,
                    "einen abgelegten Ziegel",
                    "en kasseret brik",
                    "en kastad bricka",
                    "点和"
                )
            }
            Requirement::KongReplacement => said!(
                self,
                lang,
                "den Ersatzziegel eines Vierlings",
                "en kongs erstatningsbrik",
                "en kongs ersättningsbricka",
                "杠后补张",
            ),
            Requirement::TwoKongs => {
                said!(self, lang, "zwei Vierlinge", "to konger", "två kongar", "两副杠")
            }
            Requirement::NoMelds => said!(
                self,
                lang,
                "eine Hand ohne ausgelegte Figuren",
                "en hånd uden udlagte sæt",
                "en hand utan utlagda kombinationer",
                "没有副露的手牌",
            ),
            Requirement::FewOpenSets => said!(
                self,
                lang,
                "höchstens zwei offene Figuren, die zuletzt vollendete mitgezählt",
                "højst to åbne sæt, det sidst fuldendte medregnet",
                "högst två öppna kombinationer, den sist fullbordade inräknad",
                "最多两副明牌（含和牌时完成的一副）",
            ),
            Requirement::BonusTile => {
                said!(
                    self,
                    lang,
                    "einen Glücksziegel",
                    "en blomst eller årstid",
                    "en blomma eller årstid",
                    "花牌"
                )
            }
        }
    }
}

impl Message for TableError {
    fn said(&self, lang: Lang) -> String {
        match self {
            TableError::Winner(error) => error.said(lang),
            TableError::SeatTaken { seat, .. } => said!(
                self,
                lang,
                "{seat} hat schon eine andere Hand",
                "{seat} har allerede en anden hånd",
                "{seat} har redan en annan hand",
                "{seat} 已经有另一手牌",
            ),
            TableError::TooManyCopies { tile, found, .. } => said!(
                self,
                lang,
                "mit dieser Hand liegen {found} Exemplare von {tile} auf dem Tisch: es gibt vier",
                "med denne hånd er der {found} eksemplarer af {tile} på bordet: der findes fire",
                "med den här handen finns {found} exemplar av {tile} på bordet: det finns fyra",
                "加上这手牌，桌上有 {found} 张 {tile}：一共只有四张",
            ),
            TableError::BonusTwice { bonus, .. } => said!(
                self,
                lang,
                "{bonus} liegt an zwei Stellen des Tisches",
                "{bonus} ligger to steder på bordet",
                "{bonus} ligger på två ställen på bordet",
                "{bonus} 在桌上出现两处",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Declaration, Feeder};
    use crate::explain::check;
    use crate::tile::{Bonus, Tile, Wind};

    #[test]
    fn everything_that_rules_refuse_is_said_in_five_languages() {
        let (tile, bonus): (Tile, Bonus) =
            ("7p".parse().expect("a tile"), "f3".parse().expect("a flower"));
        let set = "678p".parse().expect("a chow");
        let mut contradictions = vec![
            Contradiction::ReplacementWithoutKong,
            Contradiction::RobbedTileInHand { tile },
            Contradiction::RobbedAfterLastTile,
            Contradiction::LastOfKindInHand { tile },
            Contradiction::NoSetToFeed,
            Contradiction::FedByAnother { feeder: Feeder::ALL[1] },
            Contradiction::ReplacementAtEndOfWall,
            Contradiction::NotCompleted { set, tile },
        ];
        let needs = [
            Requirement::SeatEast,
            Requirement::OtherSeat,
            Requirement::SelfDraw,
            Requirement::Discard,
            Requirement::KongReplacement,
            Requirement::TwoKongs,
            Requirement::NoMelds,
            Requirement::FewOpenSets,
            Requirement::BonusTile,
        ];
        let declared = Declaration::ALL[0];
        contradictions.extend(needs.map(|needs| Contradiction::Declared { declared, needs }));
        let parts = ["7p", "678p", "f3", "4", "5", "`across`", declared.name()];
        check(&contradictions, &parts);
        check(needs, &[]);
        let errors = [
            RulesError::NotAWin,
            RulesError::FlowersNotPlayed { count: 4 },
            RulesError::Contradictions(contradictions),
        ];
        check(errors, &parts);
        let tables = [
            TableError::Winner(RulesError::NotAWin),
            TableError::SeatTaken { at: 0, seat: Wind::South },
            TableError::TooManyCopies { at: 0, tile, found: 5 },
            TableError::BonusTwice { at: 0, bonus },
        ];
        check(tables, &parts);
        check([InvalidRulesetId("Our Club".to_owned())], &["`Our Club`", "40"]);
        let (id, known) = (RulesetId::MCR_MIL, vec![RulesetId::MCR_WMO, RulesetId::MCR_MIL]);
        check([UnknownRuleset { id, known }], &["`mcr-mil`", "mcr-wmo, mcr-mil"]);
    }
}
