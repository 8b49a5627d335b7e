//! Errors of tiles that can't be a hand, too many flowers, and codes that are not tiles.

use crate::explain::{Lang, Message, said};
use crate::hand::{FlowersError, HandFault};
use crate::tile::ParseTileError;

impl Message for HandFault {
    fn said(&self, lang: Lang) -> String {
        match self {
            HandFault::TileCount { expected, found } => said!(
                self,
                lang,
                "{found} verdeckte Ziegel neben dem Schlussziegel: mit diesen ausgelegten Figuren sind es {expected}",
                "{found} skjulte brikker ud over vinderbrikken: med disse udlagte sæt er der plads til {expected}",
                "{found} dolda brickor utöver den vinnande brickan: med de här utlagda kombinationerna finns det plats för {expected}",
                "除和牌张外有 {found} 张立牌：按这些副露应为 {expected} 张",
            ),
            HandFault::NoWinningTile => said!(
                self,
                lang,
                "der Schlussziegel fehlt",
                "vinderbrikken mangler",
                "den vinnande brickan saknas",
                "缺少和牌张",
            ),
            HandFault::TooManyMelds { found } => said!(
                self,
                lang,
                "{found} ausgelegte Figuren: eine Hand hat höchstens vier",
                "{found} udlagte sæt: en hånd har højst fire",
                "{found} utlagda kombinationer: en hand har högst fyra",
                "{found} 副副露：一手牌最多四副",
            ),
            HandFault::TooManyCopies { tile, found } => said!(
                self,
                lang,
                "{found} Exemplare von {tile}: von jedem Ziegel gibt es vier",
                "{found} eksemplarer af {tile}: der er fire af hver brik",
                "{found} exemplar av {tile}: det finns fyra av varje bricka",
                "{tile} 有 {found} 张：每种牌只有四张",
            ),
        }
    }
}

impl Message for FlowersError {
    fn said(&self, lang: Lang) -> String {
        match self {
            FlowersError::Twice(bonus) => said!(
                self,
                lang,
                "{bonus} ist zweimal da: jeden Glücksziegel gibt es einmal",
                "{bonus} er der to gange: hver blomst og årstid findes én gang",
                "{bonus} finns två gånger: varje blomma och årstid finns en gång",
                "{bonus} 出现两次：每张花牌只有一张",
            ),
            FlowersError::TooMany => said!(
                self,
                lang,
                "mehr als acht Glücksziegel",
                "flere end otte blomster og årstider",
                "fler än åtta blommor och årstider",
                "花牌超过八张",
            ),
        }
    }
}

impl Message for ParseTileError {
    fn said(&self, lang: Lang) -> String {
        let ParseTileError { found, expected } = self;
        let expected = expected.replace(
            " or ",
            match lang {
                Lang::En => " or ",
                Lang::De => " oder ",
                Lang::Da | Lang::Sv => " eller ",
                Lang::Zh => " 或 ",
            },
        );
        said!(
            self,
            lang,
            "`{found}` ist kein Ziegel: erwartet wird {expected}",
            "`{found}` er ikke en brik: forventet er {expected}",
            "`{found}` är inte en bricka: väntat var {expected}",
            "“{found}”不是牌的代码：应为 {expected}",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::check;
    use crate::tile::{Bonus, Face, Tile};

    #[test]
    fn every_fault_of_a_hand_is_said_in_five_languages() {
        let tile: Tile = "7p".parse().expect("a tile");
        let bonus: Bonus = "f3".parse().expect("a flower");
        let faults = [
            HandFault::TileCount { expected: 13, found: 21 },
            HandFault::NoWinningTile,
            HandFault::TooManyMelds { found: 5 },
            HandFault::TooManyCopies { tile, found: 6 },
        ];
        check(faults, &["13", "21", "5", "6", "7p"]);
        check([FlowersError::Twice(bonus), FlowersError::TooMany], &["f3"]);
        let codes =
            ["8z".parse::<Tile>().err(), "8z".parse::<Bonus>().err(), "8z".parse::<Face>().err()];
        check(codes.map(|error| error.expect("not a tile")), &["8z", "1m..9m", "f1..f4"]);
    }
}
