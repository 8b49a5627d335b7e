// Made from tests/golden/openapi.json by scripts/binding_types.py.

package tilesight

/** The win context and the rule set, every field optional. */
data class WinContext(
    /**
     * Set that the winning tile completed, given by its tiles, such as `456m`, `111p` or `EE`; the
     * set that scores most when absent.
     */
    val completes: String? = null,
    /**
     * Seat of the dealer, where it need not be East's: in the game of sixteen tiles the opened
     * wall gives the winds. East when absent.
     */
    val dealer: String? = null,
    /**
     * Number of deals that the dealer has stayed on, in the game of sixteen tiles; 0 when absent.
     */
    val dealerStreak: Int? = null,
    /**
     * Declarations made at the table, separated by commas; in JSON also as a list. Rule sets
     * without a line for a declaration ignore it.
     */
    val declared: List<String>? = null,
    /** Face-up dora indicators, separated by commas; in JSON also as a list. */
    val doraIndicators: List<String>? = null,
    /**
     * Player who fed the set that decides who pays: in MMM the third pung of dragons or the fourth
     * of winds. Needed only where several players fed these sets; other rules ignore it.
     */
    val feeder: String? = null,
    /**
     * Player who discarded the winning tile, or added it to the kong that was robbed; the left
     * player when absent.
     */
    val from: String? = null,
    /** Number of counters (honba) on the table; 0 when absent. */
    val honba: Int? = null,
    /** The hand won within one go-around after riichi, before any call or kong. */
    val ippatsu: Boolean? = null,
    /**
     * All other tiles of the winning tile's kind lay open. If all three are in the hand's own
     * exposed sets, this counts as `true` even when it is `false`.
     */
    val lastOfKind: Boolean? = null,
    /** The winning tile was the last tile of the wall, or the discard after it. */
    val lastWallTile: Boolean? = null,
    /**
     * Number of norths that the winner set aside as dora, where three play; they are not among the
     * tiles of the hand, and with these at most four. 0 when absent.
     */
    val norths: Int? = null,
    /** The wind of the round; East when absent. */
    val prevalent: String? = null,
    /**
     * Whether the winner declared riichi: `no`, `riichi`, or `double` for riichi on the first
     * discard; `no` when absent.
     */
    val riichi: String? = null,
    /** Number of riichi sticks on the table, the winner's own among them; 0 when absent. */
    val riichiSticks: Int? = null,
    /** The rules to score by; `mcr-wmo` when absent. */
    val ruleset: String? = null,
    /** The winner's seat wind; East when absent. */
    val seat: String? = null,
    /** Indicators under the face-up ones, which count only with riichi; written in the same way. */
    val uraIndicators: List<String>? = null,
    /** Source of the winning tile; a discard when absent. */
    val win: String? = null,
    /**
     * Whether the hand won. `false` is for a photo of a hand that did not win: such a hand needs
     * no winning tile, and is scored only by rules that score every player.
     */
    val won: Boolean? = null
) {
    internal fun toJson(): Map<String, Any?> = Json.withoutNulls(
        "completes" to completes,
        "dealer" to dealer,
        "dealer_streak" to dealerStreak,
        "declared" to declared,
        "dora_indicators" to doraIndicators,
        "feeder" to feeder,
        "from" to from,
        "honba" to honba,
        "ippatsu" to ippatsu,
        "last_of_kind" to lastOfKind,
        "last_wall_tile" to lastWallTile,
        "norths" to norths,
        "prevalent" to prevalent,
        "riichi" to riichi,
        "riichi_sticks" to riichiSticks,
        "ruleset" to ruleset,
        "seat" to seat,
        "ura_indicators" to uraIndicators,
        "win" to win,
        "won" to won
    )

    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): WinContext {
            val json = Json.members(value)
            return WinContext(
                json["completes"]?.let { Json.text(it) },
                json["dealer"]?.let { Json.text(it) },
                json["dealer_streak"]?.let { Json.int(it) },
                json["declared"]?.let { Json.listOf(it) { Json.text(it) } },
                json["dora_indicators"]?.let { Json.listOf(it) { Json.text(it) } },
                json["feeder"]?.let { Json.text(it) },
                json["from"]?.let { Json.text(it) },
                json["honba"]?.let { Json.int(it) },
                json["ippatsu"]?.let { Json.flag(it) },
                json["last_of_kind"]?.let { Json.flag(it) },
                json["last_wall_tile"]?.let { Json.flag(it) },
                json["norths"]?.let { Json.int(it) },
                json["prevalent"]?.let { Json.text(it) },
                json["riichi"]?.let { Json.text(it) },
                json["riichi_sticks"]?.let { Json.int(it) },
                json["ruleset"]?.let { Json.text(it) },
                json["seat"]?.let { Json.text(it) },
                json["ura_indicators"]?.let { Json.listOf(it) { Json.text(it) } },
                json["win"]?.let { Json.text(it) },
                json["won"]?.let { Json.flag(it) }
            )
        }
    }
}

/** A hand. */
data class Hand(
    /** Tiles in the hand without the winning tile. */
    val concealed: List<String>? = null,
    /** Flowers and seasons, `?` for one without a name. */
    val flowers: List<String>? = null,
    /** Exposed sets and concealed kongs. */
    val melds: List<Meld>? = null,
    /**
     * The hand in one line. It is derived from the other fields and ignored beside them. A hand
     * with no other field is read from it, its win context included.
     */
    val notation: String? = null,
    /** Tile that completed the hand. */
    val winningTile: String? = null
) {
    internal fun toJson(): Map<String, Any?> = Json.withoutNulls(
        "concealed" to concealed,
        "flowers" to flowers,
        "melds" to melds?.map { it.toJson() },
        "notation" to notation,
        "winning_tile" to winningTile
    )

    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Hand {
            val json = Json.members(value)
            return Hand(
                json["concealed"]?.let { Json.listOf(it) { Json.text(it) } },
                json["flowers"]?.let { Json.listOf(it) { Json.text(it) } },
                json["melds"]?.let { Json.listOf(it) { Meld.from(it) } },
                json["notation"]?.let { Json.text(it) },
                json["winning_tile"]?.let { Json.text(it) }
            )
        }
    }
}

/** An itemised score. */
data class Score(
    /** Context fields that got a default; `feeder` only if the payments depend on it. */
    val assumed: List<String>,
    /** Default for the feeder of the set that decides who pays, if `assumed` contains `feeder`. */
    val assumedFeeder: String?,
    /**
     * Red fives that count although none was named, because the hand has all four fives of the
     * suit, in riichi alone: `0p`. They belong to the hand, so no field of `context` says
     * otherwise.
     */
    val assumedRedFives: List<String>?,
    /** The fields of `assumed` with their defaults, as `context` takes them. */
    val assumedValues: WinContext?,
    /** Lines that count: in MCR the fans, from most to fewest points. */
    val awards: List<Award>,
    /** Base points, from which every payment follows, in riichi alone. */
    val base: Int?,
    /** Whether 13 han and more are paid as a yakuman, in riichi alone. */
    val countedYakuman: Boolean?,
    /**
     * Tai that a player and the dealer owe each other besides: one, and more for each deal that
     * the dealer stayed on; absent in games without tai.
     */
    val dealerTai: Int?,
    /** Explanation of the total, if points are doubled; `null` if they are only added up. */
    val doubling: Doubling?,
    /** Lines that the hand shows but that do not count. */
    val excluded: List<Exclusion>,
    /** Faan of the hand, cut at the limit; absent in games without faan. It equals `total`. */
    val faan: Int?,
    /**
     * Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman, and for a
     * hand without a yaku.
     */
    val fu: Int?,
    /** Parts of the fu, which add up to it, in riichi alone. */
    val fuParts: List<FuPart>?,
    /** Han of all lines, in riichi alone; of a yakuman 13 for each that is paid. */
    val han: Int?,
    /** Whether the minimum is reached. */
    val legal: Boolean,
    /** Limit that the hand reaches, in riichi alone; `null` below a mangan. */
    val limit: String?,
    /** Whether a line is worth the limit by itself; absent in games without faan. */
    val limitHand: Boolean?,
    /** Minimum of a legal win; 0 if every winning hand is legal. */
    val minimum: Int,
    /** Unit of the minimum. */
    val minimumUnit: String,
    /** Amount that is missing for a legal win. */
    val missing: Int,
    /** Values of the hands that did not win, in rule sets that score every player. */
    val others: List<OtherScore>?,
    /** Gain or loss of every seat; all zero for a hand that is not a legal win. */
    val payments: Payments,
    /**
     * Possible totals, if missing fields or a winning tile that the photo does not show change the
     * total. `total` is only one of them.
     */
    val range: TotalRange?,
    /** Faan before the limit cuts them; absent in games without faan. */
    val rawFaan: Int?,
    /** Tai before the cap cuts them; absent in games without tai. */
    val rawTai: Int?,
    /** Rule set that was applied; `null` if the options are not those of a named rule set. */
    val ruleset: String?,
    /** Other decompositions of the same tiles. */
    val runnersUp: List<RunnerUp>,
    /** Decomposition of the hand that scores most. */
    val sets: List<ScoredSet>,
    /**
     * Points of the riichi sticks on the table, which the winner takes, in riichi alone. They were
     * paid before, so neither `total` nor `payments` includes them.
     */
    val sticks: Int?,
    /** Tai of the hand, cut at the cap; absent in games without tai. It equals `total`. */
    val tai: Int?,
    /**
     * Points that hands are compared by: all points, flowers included; after doubling, if points
     * are doubled.
     */
    val total: Int,
    /** Amount that counts towards the minimum: points without flowers, or doubles. */
    val towardsMinimum: Int,
    /**
     * Seats whose hands would count but were not given. The payments do not include the payments
     * between these seats and the others who did not win.
     */
    val unsettled: List<String>?,
    /**
     * Value that is settled. In games with faan it is what the table of payments has for them, in
     * the smallest chips, in games of tai what a player owes without the tai of the dealer; 0
     * below the minimum.
     */
    val value: Int,
    /**
     * Explanation of the total and of the minimum, in the requested language; empty if there is
     * nothing to explain.
     */
    val verdict: String?,
    /** Changes that would have made the hand legal, if it is not and little was missing. */
    val withinReach: List<Reach>?,
    /** Number of yakuman that are paid, in riichi alone. A counted one is not among them. */
    val yakuman: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Score {
            val json = Json.members(value)
            return Score(
                Json.listOf(json["assumed"]) { Json.text(it) },
                json["assumed_feeder"]?.let { Json.text(it) },
                json["assumed_red_fives"]?.let { Json.listOf(it) { Json.text(it) } },
                json["assumed_values"]?.let { WinContext.from(it) },
                Json.listOf(json["awards"]) { Award.from(it) },
                json["base"]?.let { Json.int(it) },
                json["counted_yakuman"]?.let { Json.flag(it) },
                json["dealer_tai"]?.let { Json.int(it) },
                json["doubling"]?.let { Doubling.from(it) },
                Json.listOf(json["excluded"]) { Exclusion.from(it) },
                json["faan"]?.let { Json.int(it) },
                json["fu"]?.let { Json.int(it) },
                json["fu_parts"]?.let { Json.listOf(it) { FuPart.from(it) } },
                json["han"]?.let { Json.int(it) },
                Json.flag(json["legal"]),
                json["limit"]?.let { Json.text(it) },
                json["limit_hand"]?.let { Json.flag(it) },
                Json.int(json["minimum"]),
                Json.text(json["minimum_unit"]),
                Json.int(json["missing"]),
                json["others"]?.let { Json.listOf(it) { OtherScore.from(it) } },
                Payments.from(json["payments"]),
                json["range"]?.let { TotalRange.from(it) },
                json["raw_faan"]?.let { Json.int(it) },
                json["raw_tai"]?.let { Json.int(it) },
                json["ruleset"]?.let { Json.text(it) },
                Json.listOf(json["runners_up"]) { RunnerUp.from(it) },
                Json.listOf(json["sets"]) { ScoredSet.from(it) },
                json["sticks"]?.let { Json.int(it) },
                json["tai"]?.let { Json.int(it) },
                Json.int(json["total"]),
                Json.int(json["towards_minimum"]),
                json["unsettled"]?.let { Json.listOf(it) { Json.text(it) } },
                Json.int(json["value"]),
                json["verdict"]?.let { Json.text(it) },
                json["within_reach"]?.let { Json.listOf(it) { Reach.from(it) } },
                json["yakuman"]?.let { Json.int(it) }
            )
        }
    }
}

/** Score of a hand by one rule set. */
data class RulesetScore(
    /** Reason why the hand can't be scored; `null` beside a score. */
    val problem: ProblemDetails?,
    /** The rule set. */
    val ruleset: String,
    /** The score; `null` if the hand can't be scored by these rules. */
    val score: Score?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): RulesetScore {
            val json = Json.members(value)
            return RulesetScore(
                json["problem"]?.let { ProblemDetails.from(it) },
                Json.text(json["ruleset"]),
                json["score"]?.let { Score.from(it) }
            )
        }
    }
}

/** Every rule set. */
data class Rulesets(
    /** The rule sets, the default first. */
    val rulesets: List<Ruleset>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Rulesets {
            val json = Json.members(value)
            return Rulesets(
                Json.listOf(json["rulesets"]) { Ruleset.from(it) }
            )
        }
    }
}

/** The answer to a photo with `detail=compact`. */
data class CompactAnswer(
    /**
     * Fields of the win context that were given with the photo, and the rule set that it was read
     * by. A request that sends the reading back takes from here what it leaves out.
     */
    val context: WinContext?,
    /** Level of detail: always `compact`, which a full answer does not have. */
    val detail: String,
    /** Doubts about the reading. */
    val doubts: List<CompactDoubt>,
    /** The hand, complete or not. */
    val hand: Hand,
    /**
     * Whole hands in the photo, if it shows more than one. The first one is the hand of the
     * reading.
     */
    val handsInView: List<CompactHandInView>?,
    /** Reason why there is no score; absent beside one. */
    val noScore: NoScore?,
    /**
     * Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
     * answered.
     */
    val photos: List<PhotoOfHand>?,
    /**
     * Possible totals for any answers to the doubts and any values of the win context's missing
     * fields. Absent if there is one total or none.
     */
    val possible: CompactRange?,
    /**
     * Single changes that turn a hand that does not win into a winning one, most probable first.
     * Absent if there are none.
     */
    val repairs: List<CompactRepair>?,
    /** The score, if the hand wins. */
    val score: CompactScore?,
    /** Probability that the score is right; 0 without a score. Absent once doubts are answered. */
    val scoreProbability: Double?,
    /**
     * Own set that the tiles were named with, if the request asked for one. Absent once doubts are
     * answered.
     */
    val set: SetUse?,
    /** Whether the reading is reliable. */
    val status: String,
    /** Winning tile that the score assumes if no tile of the photo lies apart. */
    val supposedWinningTile: String?,
    /** Path of the file that was read, if there was one. */
    val file: String?,
    /** Size of the upright photo. Outlines and boxes are given in its pixels. */
    val image: Image,
    /** The networks that were used. */
    val models: Models,
    /** Readings of the other players' hands, by seat, if photos of them were sent. */
    val others: List<CompactOther>?,
    /** Scores by each rule set of `rulesets`, if the request named any. */
    val scores: List<CompactRulesetScore>?,
    /** Whether the scores of the table are reliable, if hands of other players were sent. */
    val tableStatus: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactAnswer {
            val json = Json.members(value)
            return CompactAnswer(
                json["context"]?.let { WinContext.from(it) },
                Json.text(json["detail"]),
                Json.listOf(json["doubts"]) { CompactDoubt.from(it) },
                Hand.from(json["hand"]),
                json["hands_in_view"]?.let { Json.listOf(it) { CompactHandInView.from(it) } },
                json["no_score"]?.let { NoScore.from(it) },
                json["photos"]?.let { Json.listOf(it) { PhotoOfHand.from(it) } },
                json["possible"]?.let { CompactRange.from(it) },
                json["repairs"]?.let { Json.listOf(it) { CompactRepair.from(it) } },
                json["score"]?.let { CompactScore.from(it) },
                json["score_probability"]?.let { Json.number(it) },
                json["set"]?.let { SetUse.from(it) },
                Json.text(json["status"]),
                json["supposed_winning_tile"]?.let { Json.text(it) },
                json["file"]?.let { Json.text(it) },
                Image.from(json["image"]),
                Models.from(json["models"]),
                json["others"]?.let { Json.listOf(it) { CompactOther.from(it) } },
                json["scores"]?.let { Json.listOf(it) { CompactRulesetScore.from(it) } },
                json["table_status"]?.let { Json.text(it) }
            )
        }
    }
}

/** A reading with answers to its doubts, for `detail=compact`. */
data class CompactAnswered(
    /**
     * Fields of the win context that were given with the photo, and the rule set that it was read
     * by. A request that sends the reading back takes from here what it leaves out.
     */
    val context: WinContext?,
    /** Level of detail: always `compact`, which a full answer does not have. */
    val detail: String,
    /** Doubts about the reading. */
    val doubts: List<CompactDoubt>,
    /** The hand, complete or not. */
    val hand: Hand,
    /**
     * Whole hands in the photo, if it shows more than one. The first one is the hand of the
     * reading.
     */
    val handsInView: List<CompactHandInView>?,
    /** Reason why there is no score; absent beside one. */
    val noScore: NoScore?,
    /**
     * Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
     * answered.
     */
    val photos: List<PhotoOfHand>?,
    /**
     * Possible totals for any answers to the doubts and any values of the win context's missing
     * fields. Absent if there is one total or none.
     */
    val possible: CompactRange?,
    /**
     * Single changes that turn a hand that does not win into a winning one, most probable first.
     * Absent if there are none.
     */
    val repairs: List<CompactRepair>?,
    /** The score, if the hand wins. */
    val score: CompactScore?,
    /** Probability that the score is right; 0 without a score. Absent once doubts are answered. */
    val scoreProbability: Double?,
    /**
     * Own set that the tiles were named with, if the request asked for one. Absent once doubts are
     * answered.
     */
    val set: SetUse?,
    /** Whether the reading is reliable. */
    val status: String,
    /** Winning tile that the score assumes if no tile of the photo lies apart. */
    val supposedWinningTile: String?,
    /** Differences from the hand that was read, if the request had a `hand`. */
    val changes: Changes?,
    /** Scores by each rule set of `rulesets`, if the request named any. */
    val scores: List<CompactRulesetScore>?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactAnswered {
            val json = Json.members(value)
            return CompactAnswered(
                json["context"]?.let { WinContext.from(it) },
                Json.text(json["detail"]),
                Json.listOf(json["doubts"]) { CompactDoubt.from(it) },
                Hand.from(json["hand"]),
                json["hands_in_view"]?.let { Json.listOf(it) { CompactHandInView.from(it) } },
                json["no_score"]?.let { NoScore.from(it) },
                json["photos"]?.let { Json.listOf(it) { PhotoOfHand.from(it) } },
                json["possible"]?.let { CompactRange.from(it) },
                json["repairs"]?.let { Json.listOf(it) { CompactRepair.from(it) } },
                json["score"]?.let { CompactScore.from(it) },
                json["score_probability"]?.let { Json.number(it) },
                json["set"]?.let { SetUse.from(it) },
                Json.text(json["status"]),
                json["supposed_winning_tile"]?.let { Json.text(it) },
                json["changes"]?.let { Changes.from(it) },
                json["scores"]?.let { Json.listOf(it) { CompactRulesetScore.from(it) } }
            )
        }
    }
}

/** An evening's game. */
data class Game(
    /** Reason why the game is over. Absent while it is played. */
    val end: String?,
    /** Players who may have won by the discard of the last entry too; absent if none may. */
    val furtherWin: FurtherWin?,
    /** All changes that were ever made, oldest first. */
    val history: List<GameChange>,
    /** Id of the game; `null` for viewers with a read-only link. */
    val id: String?,
    /** Deal that is played next; `null` when the game is over. */
    val next: Deal?,
    /** Players in the order of their first seats: East, South, West, North. */
    val players: List<String>,
    /** Revision of the game, as in the `ETag`; it grows with every change. */
    val revision: Long,
    /** Rows of the score sheet, in the order of play. */
    val rows: List<GameRow>,
    /** Rule set of the game. */
    val ruleset: String,
    /** Token of the read-only link; `null` if there is no link, or its token is not known. */
    val share: String?,
    /** Places of the players, by falling totals. */
    val standings: List<GamePlace>,
    /** Points that each player has at the start, to which `totals` are added, in riichi alone. */
    val startPoints: Int?,
    /** State of the game. */
    val state: String,
    /** Title of the game. */
    val title: String,
    /** Total points of each player, in the order of the players. */
    val totals: List<Int>,
    /** Change that an undo would take back next. */
    val undo: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Game {
            val json = Json.members(value)
            return Game(
                json["end"]?.let { Json.text(it) },
                json["further_win"]?.let { FurtherWin.from(it) },
                Json.listOf(json["history"]) { GameChange.from(it) },
                json["id"]?.let { Json.text(it) },
                json["next"]?.let { Deal.from(it) },
                Json.listOf(json["players"]) { Json.text(it) },
                Json.long(json["revision"]),
                Json.listOf(json["rows"]) { GameRow.from(it) },
                Json.text(json["ruleset"]),
                json["share"]?.let { Json.text(it) },
                Json.listOf(json["standings"]) { GamePlace.from(it) },
                json["start_points"]?.let { Json.int(it) },
                Json.text(json["state"]),
                Json.text(json["title"]),
                Json.listOf(json["totals"]) { Json.int(it) },
                json["undo"]?.let { Json.int(it) }
            )
        }
    }
}

/** A field that is wrong. */
data class FieldError(
    /** For a text, the position of the character that is wrong, counted from 1. */
    val character: Int?,
    /** Description of the fault. */
    val detail: String,
    /** Path of the field, such as `hand.melds[1].tiles`. */
    val field: String,
    /**
     * For a text, what it says before that character, in notation; empty if that is nothing yet.
     */
    val understood: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): FieldError {
            val json = Json.members(value)
            return FieldError(
                json["character"]?.let { Json.int(it) },
                Json.text(json["detail"]),
                Json.text(json["field"]),
                json["understood"]?.let { Json.text(it) }
            )
        }
    }
}

/** A set apart from the concealed tiles. */
data class Meld(
    /** Whether the fourth tile was added to an exposed pung. */
    val added: Boolean? = null,
    /** The claimed tile, if known. */
    val claimed: String? = null,
    /** Whether all four tiles of a kong were drawn. */
    val concealed: Boolean? = null,
    /** Player from whom the tile was claimed, if known. */
    val from: String? = null,
    /** Kind of the set. */
    val kind: String,
    /** Tiles of the set. The claimed tile of a chow comes first, as it lies on the table. */
    val tiles: List<String> = emptyList()
) {
    internal fun toJson(): Map<String, Any?> = Json.withoutNulls(
        "added" to added,
        "claimed" to claimed,
        "concealed" to concealed,
        "from" to from,
        "kind" to kind,
        "tiles" to tiles
    )

    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Meld {
            val json = Json.members(value)
            return Meld(
                json["added"]?.let { Json.flag(it) },
                json["claimed"]?.let { Json.text(it) },
                json["concealed"]?.let { Json.flag(it) },
                json["from"]?.let { Json.text(it) },
                Json.text(json["kind"]),
                Json.listOf(json["tiles"]) { Json.text(it) }
            )
        }
    }
}

/** A line that counts. */
data class Award(
    /** Code of the line, the same in all languages. */
    val code: String,
    /** Number of times that the line counts. */
    val count: Int,
    /** Context fields with a default that this line depends on. */
    val dependsOn: List<String>?,
    /** Doubles of one occurrence, in steps of one half. */
    val doublings: Double?,
    /** Conditions of the line, in the requested language. */
    val explanation: String,
    /** Faan of the line, all occurrences together; the limit for a line that is worth it. */
    val faan: Int?,
    /** Han of the line in riichi; of dora those of all their tiles. */
    val han: Int?,
    /** Limits of one occurrence, in steps of one half. */
    val limits: Double?,
    /** Name of the line in the requested language. */
    val name: String,
    /** Number of the line, if the rules number their lines, as those of the WMO do. */
    val number: Int?,
    /** Reference to the paragraph in the rules. */
    val paragraph: String,
    /** Points of one occurrence; 0 for doubles, limits, faan and tai. */
    val points: Int,
    /**
     * Sets that form the line, one list for each time it counts; empty if the whole hand or the
     * win context forms it.
     */
    val sets: List<List<ScoredSet>>,
    /** Tai of the line, all occurrences together. */
    val tai: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Award {
            val json = Json.members(value)
            return Award(
                Json.text(json["code"]),
                Json.int(json["count"]),
                json["depends_on"]?.let { Json.listOf(it) { Json.text(it) } },
                json["doublings"]?.let { Json.number(it) },
                Json.text(json["explanation"]),
                json["faan"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                json["limits"]?.let { Json.number(it) },
                Json.text(json["name"]),
                json["number"]?.let { Json.int(it) },
                Json.text(json["paragraph"]),
                Json.int(json["points"]),
                Json.listOf(json["sets"]) { Json.listOf(it) { ScoredSet.from(it) } },
                json["tai"]?.let { Json.int(it) }
            )
        }
    }
}

/** Calculation of a total from points, doubles and limits. */
data class Doubling(
    /** Whether a limit or the maximum number of doubles reduced the total. */
    val capped: Boolean,
    /** Doubles before any cap, in steps of one half. */
    val doublings: Double,
    /**
     * Limit that points are cut to; absent if the rules have no limit on points or only one on the
     * number of doubles.
     */
    val limit: Int?,
    /** Value of the hand in limits; 0 for a hand that is not a limit hand. */
    val limits: Double,
    /** Points before doubling. */
    val points: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Doubling {
            val json = Json.members(value)
            return Doubling(
                Json.flag(json["capped"]),
                Json.number(json["doublings"]),
                json["limit"]?.let { Json.int(it) },
                Json.number(json["limits"]),
                Json.int(json["points"])
            )
        }
    }
}

/** A line that does not count. */
data class Exclusion(
    /** Code of the line that excludes it. */
    val by: String,
    /** Name of the line that excludes it. */
    val byName: String,
    /** Code of the line that does not count. */
    val code: String,
    /** Number of times that the line would have counted. */
    val count: Int,
    /** Name of the line that does not count. */
    val name: String,
    /**
     * `implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`. Later
     * versions may add others.
     */
    val reason: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Exclusion {
            val json = Json.members(value)
            return Exclusion(
                Json.text(json["by"]),
                Json.text(json["by_name"]),
                Json.text(json["code"]),
                Json.int(json["count"]),
                Json.text(json["name"]),
                Json.text(json["reason"])
            )
        }
    }
}

/** A part of the fu. */
data class FuPart(
    /**
     * Code of the part, the same in all languages, such as `base`, `concealed_pung`, `edge_wait`
     * or `rounding`.
     */
    val code: String,
    /** Fu of the part. */
    val fu: Int,
    /** Name of the part in the requested language. */
    val name: String,
    /** Sets that give it; empty if the whole hand or the win context does. */
    val sets: List<ScoredSet>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): FuPart {
            val json = Json.members(value)
            return FuPart(
                Json.text(json["code"]),
                Json.int(json["fu"]),
                Json.text(json["name"]),
                Json.listOf(json["sets"]) { ScoredSet.from(it) }
            )
        }
    }
}

/** Score of a hand that did not win. */
data class OtherScore(
    /** Lines that count. */
    val awards: List<Award>,
    /** Explanation of the total, if points are doubled. */
    val doubling: Doubling?,
    /** Lines that the hand shows but that do not count. */
    val excluded: List<Exclusion>,
    /** Seat of the player. */
    val seat: String,
    /** Sets of the hand. Tiles that form no set are together at the end. */
    val sets: List<ScoredSet>,
    /** Value of the hand. */
    val total: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): OtherScore {
            val json = Json.members(value)
            return OtherScore(
                Json.listOf(json["awards"]) { Award.from(it) },
                json["doubling"]?.let { Doubling.from(it) },
                Json.listOf(json["excluded"]) { Exclusion.from(it) },
                Json.text(json["seat"]),
                Json.listOf(json["sets"]) { ScoredSet.from(it) },
                Json.int(json["total"])
            )
        }
    }
}

/** Gain (positive) or loss of every seat. */
data class Payments(
    /** Gain or loss of East. */
    val E: Int,
    /** Gain or loss of North. */
    val N: Int,
    /** Gain or loss of South. */
    val S: Int,
    /** Gain or loss of West. */
    val W: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Payments {
            val json = Json.members(value)
            return Payments(
                Json.int(json["E"]),
                Json.int(json["N"]),
                Json.int(json["S"]),
                Json.int(json["W"])
            )
        }
    }
}

/** Possible totals of a hand while a value that changes them is missing. */
data class TotalRange(
    /** Whether the hand is a legal win; `null` if that depends on the open questions. */
    val legal: Boolean?,
    /** Highest total. */
    val max: Int,
    /** Lowest total. */
    val min: Int,
    /**
     * Open questions that the total depends on. The question that narrows the range most comes
     * first.
     */
    val open: List<OpenField>,
    /**
     * Whether there are too many combinations of answers to try all of them: totals outside of
     * this range are then possible too, and `text` says so. Absent if not.
     */
    val partial: Boolean?,
    /**
     * Statement whether the minimum is reached with all, some or none of the answers, in the
     * requested language, or that not all combinations were tried. Absent if the rules have no
     * minimum.
     */
    val text: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): TotalRange {
            val json = Json.members(value)
            return TotalRange(
                json["legal"]?.let { Json.flag(it) },
                Json.int(json["max"]),
                Json.int(json["min"]),
                Json.listOf(json["open"]) { OpenField.from(it) },
                json["partial"]?.let { Json.flag(it) },
                json["text"]?.let { Json.text(it) }
            )
        }
    }
}

/** A decomposition other than the one that was chosen. */
data class RunnerUp(
    /** Lines of the decomposition. */
    val awards: List<Award>,
    /** Sets of the decomposition. */
    val sets: List<ScoredSet>,
    /** Total of the hand with this decomposition. */
    val total: Int,
    /**
     * Reason why it was not chosen, in the requested language: the difference in value, and the
     * lines that differ.
     */
    val whyNot: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): RunnerUp {
            val json = Json.members(value)
            return RunnerUp(
                Json.listOf(json["awards"]) { Award.from(it) },
                Json.listOf(json["sets"]) { ScoredSet.from(it) },
                Json.int(json["total"]),
                json["why_not"]?.let { Json.text(it) }
            )
        }
    }
}

/** A set of a decomposition. */
data class ScoredSet(
    /** Whether the set counts as concealed. */
    val concealed: Boolean,
    /** `chow`, `pung`, `kong`, `pair`, `knitted` or `singles`. */
    val kind: String,
    /** Tiles of the set. */
    val tiles: List<String>,
    /** Whether the winning tile completed the set. */
    val winning: Boolean
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): ScoredSet {
            val json = Json.members(value)
            return ScoredSet(
                Json.flag(json["concealed"]),
                Json.text(json["kind"]),
                Json.listOf(json["tiles"]) { Json.text(it) },
                Json.flag(json["winning"])
            )
        }
    }
}

/** A change that would have been enough for the minimum. */
data class Reach(
    /** `self_draw`, `nothing_called` or `nothing_called_and_self_draw`. */
    val change: String,
    /** Codes of the lines that the change would have added. */
    val lines: List<String>,
    /** Description of the change and its effect, in the requested language. */
    val text: String,
    /** Total of the hand with the change. */
    val total: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Reach {
            val json = Json.members(value)
            return Reach(
                Json.text(json["change"]),
                Json.listOf(json["lines"]) { Json.text(it) },
                Json.text(json["text"]),
                Json.int(json["total"])
            )
        }
    }
}

/** What went wrong, as RFC 9457 writes it. */
data class ProblemDetails(
    /** What happened this time. */
    val detail: String,
    /** The fields that are wrong. */
    val errors: List<FieldError>?,
    /** The tiles that a photo without a hand shows; absent from other problems. */
    val seen: SeenInPhoto?,
    /** The HTTP status. */
    val status: Int,
    /** A short summary for people. */
    val title: String,
    /** A name that stays the same. */
    val type: String,
    /** How many more fields are wrong. */
    val unlisted: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): ProblemDetails {
            val json = Json.members(value)
            return ProblemDetails(
                Json.text(json["detail"]),
                json["errors"]?.let { Json.listOf(it) { FieldError.from(it) } },
                json["seen"]?.let { SeenInPhoto.from(it) },
                Json.int(json["status"]),
                Json.text(json["title"]),
                Json.text(json["type"]),
                json["unlisted"]?.let { Json.int(it) }
            )
        }
    }
}

/** A rule set. */
data class Ruleset(
    /** Fields of the win context that the rule set uses. */
    val context: List<FieldChoices>,
    /** Conventions for laying tiles on the table. */
    val conventions: Conventions,
    /** Rule family that the rule set belongs to. */
    val game: String,
    /** Size of a winning hand. */
    val hand: HandSize,
    /** Identifier of the rule set in requests. */
    val id: String,
    /**
     * Every line that can count, in the order of the rules: in MCR the fans, from most to fewest
     * points.
     */
    val lines: List<RulesetLine>,
    /** Minimum of a legal winning hand; 0 if every winning hand is legal. */
    val minimum: Int,
    /** Unit of the minimum. */
    val minimumUnit: String,
    /** Display name. */
    val name: String,
    /** Options for the points on which published versions of the rules differ. */
    val options: List<RulesetOption>,
    /** Payments for a hand of which only the value is known, for each winner and discarder. */
    val payments: List<PaymentRule>,
    /** Whether the hands of players who did not win count too, and may be sent as `others`. */
    val scoresEverybody: Boolean,
    /** Seats that players take, in the order of play: three where three play. */
    val seats: List<String>,
    /**
     * Display name where space is limited, such as `MCR 2006`. It equals `name` if there is no
     * shorter one.
     */
    val shortName: String,
    /** Short description. */
    val summary: String,
    /** Table of values by han and fu, in riichi alone. */
    val valueTable: List<ValueRow>?,
    /**
     * Value that the payments are shares of, for each total from 0 on; the last one holds for all
     * higher totals. Absent if the total itself is settled.
     */
    val values: List<Int>?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Ruleset {
            val json = Json.members(value)
            return Ruleset(
                Json.listOf(json["context"]) { FieldChoices.from(it) },
                Conventions.from(json["conventions"]),
                Json.text(json["game"]),
                HandSize.from(json["hand"]),
                Json.text(json["id"]),
                Json.listOf(json["lines"]) { RulesetLine.from(it) },
                Json.int(json["minimum"]),
                Json.text(json["minimum_unit"]),
                Json.text(json["name"]),
                Json.listOf(json["options"]) { RulesetOption.from(it) },
                Json.listOf(json["payments"]) { PaymentRule.from(it) },
                Json.flag(json["scores_everybody"]),
                Json.listOf(json["seats"]) { Json.text(it) },
                Json.text(json["short_name"]),
                Json.text(json["summary"]),
                json["value_table"]?.let { Json.listOf(it) { ValueRow.from(it) } },
                json["values"]?.let { Json.listOf(it) { Json.int(it) } }
            )
        }
    }
}

/** A doubt with everything that an app needs to ask about it. */
data class CompactDoubt(
    /** Whether the answers lead to different scores, or may do so. */
    val affectsScore: Boolean,
    /** Possible answers. */
    val answers: List<CompactChoice>,
    /**
     * Box to cut out of the photo to show the tiles: left, top, right and bottom edge in pixels.
     * Absent for a doubt that is about no tile.
     */
    val box: List<Int>?,
    /** Field that the doubt is about, such as `context.win`, if it is about one. */
    val field: String?,
    /**
     * Game whose hands have as many tiles, if the rule set has smaller hands: one of its rule sets
     * reads the photo as such a hand.
     */
    val game: String?,
    /** Identifier of the doubt within this reading. */
    val id: String,
    /** Kind of the doubt. */
    val kind: String,
    /** Question to ask a person. */
    val question: String,
    /**
     * Outlines of the tiles that the doubt is about, with four corners each, clockwise. Empty for
     * a doubt about the whole hand that has no answers: its `box` is that of the hand.
     */
    val tiles: List<List<List<Int>>>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactDoubt {
            val json = Json.members(value)
            return CompactDoubt(
                Json.flag(json["affects_score"]),
                Json.listOf(json["answers"]) { CompactChoice.from(it) },
                json["box"]?.let { Json.listOf(it) { Json.int(it) } },
                json["field"]?.let { Json.text(it) },
                json["game"]?.let { Json.text(it) },
                Json.text(json["id"]),
                Json.text(json["kind"]),
                Json.text(json["question"]),
                Json.listOf(json["tiles"]) { Json.listOf(it) { Json.listOf(it) { Json.int(it) } } }
            )
        }
    }
}

/** A hand in a photo that shows several. */
data class CompactHandInView(
    /** Bounding box of the hand, for a thumbnail: left, top, right and bottom edge in pixels. */
    val box: List<Int>?,
    /** A point on one of the hand's tiles, which selects the hand. */
    val focus: Focus,
    /** The hand in one line of notation. */
    val notation: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactHandInView {
            val json = Json.members(value)
            return CompactHandInView(
                json["box"]?.let { Json.listOf(it) { Json.int(it) } },
                Focus.from(json["focus"]),
                Json.text(json["notation"])
            )
        }
    }
}

/** Reason why there is no score. */
data class NoScore(
    /** Explanation in the requested language. */
    val detail: String,
    /** Kind of the reason. */
    val kind: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): NoScore {
            val json = Json.members(value)
            return NoScore(
                Json.text(json["detail"]),
                Json.text(json["kind"])
            )
        }
    }
}

/** Photo of a hand of which several were sent, as JSON. */
data class PhotoOfHand(
    /** Whether the reading's polygons, points and boxes are in the pixels of this photo. */
    val base: Boolean,
    /** Path of the file that was read, if there was one. */
    val file: String?,
    /** Height of the upright photo in pixels. */
    val height: Int,
    /** Index of the photo among those of the hand, counted from 0. */
    val index: Int,
    /** Reason why the photo was left out. */
    val leftOut: String?,
    /** Explanation of `left_out` in the requested language. */
    val reason: String?,
    /** Number of tiles of the hand that the photo shows. */
    val tiles: Int,
    /**
     * Whether the photo is used. A photo whose tiles differ from those of the others is left out.
     */
    val used: Boolean,
    /** Width of the upright photo in pixels. */
    val width: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): PhotoOfHand {
            val json = Json.members(value)
            return PhotoOfHand(
                Json.flag(json["base"]),
                json["file"]?.let { Json.text(it) },
                Json.int(json["height"]),
                Json.int(json["index"]),
                json["left_out"]?.let { Json.text(it) },
                json["reason"]?.let { Json.text(it) },
                Json.int(json["tiles"]),
                Json.flag(json["used"]),
                Json.int(json["width"])
            )
        }
    }
}

/** Possible totals. */
data class CompactRange(
    /** Whether the hand is a legal win; `null` if that depends on the open questions. */
    val legal: Boolean?,
    /** Highest total. */
    val max: Int,
    /** Lowest total. */
    val min: Int,
    /**
     * Open questions that the total depends on: `winning_tile`, or a field of the context. The
     * question that narrows the range most comes first.
     */
    val open: List<String>,
    /**
     * Whether there are too many combinations of answers to try all of them: totals outside of
     * this range are then possible too, and `text` says so. Absent if not.
     */
    val partial: Boolean?,
    /**
     * Statement whether the minimum is reached with all, some or none of the answers, in the
     * requested language, or that not all combinations were tried. Absent if the rules have no
     * minimum.
     */
    val text: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactRange {
            val json = Json.members(value)
            return CompactRange(
                json["legal"]?.let { Json.flag(it) },
                Json.int(json["max"]),
                Json.int(json["min"]),
                Json.listOf(json["open"]) { Json.text(it) },
                json["partial"]?.let { Json.flag(it) },
                json["text"]?.let { Json.text(it) }
            )
        }
    }
}

/** A single change that turns a hand that does not win into a winning one. */
data class CompactRepair(
    /** Box to cut out of the photo to show the tile, if the photo shows it. */
    val box: List<Int>?,
    /** `rename`, `leave_out` or `add`. */
    val change: String,
    /** Face in the hand before the change; absent for `add`. */
    val from: String?,
    /**
     * The hand after the change, in one line of notation. It can be sent as the `hand` of a
     * request.
     */
    val hand: String,
    /** Whether the hand would be a legal win; `null` if that depends on the open questions. */
    val legal: Boolean?,
    /** Highest possible total after the change, if there are several. */
    val max: Int?,
    /** Lowest possible total after the change, if there are several. */
    val min: Int?,
    /** Probability of this repair among all repairs. */
    val p: Double,
    /**
     * Whether there are too many combinations of answers to try all of them: totals outside of
     * `min` and `max` are then possible too. Absent if not.
     */
    val partial: Boolean?,
    /** Description of the change in the requested language. */
    val text: String,
    /** Face in the hand after the change; absent for `leave_out`. */
    val to: String?,
    /** Total of the hand after the change. */
    val total: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactRepair {
            val json = Json.members(value)
            return CompactRepair(
                json["box"]?.let { Json.listOf(it) { Json.int(it) } },
                Json.text(json["change"]),
                json["from"]?.let { Json.text(it) },
                Json.text(json["hand"]),
                json["legal"]?.let { Json.flag(it) },
                json["max"]?.let { Json.int(it) },
                json["min"]?.let { Json.int(it) },
                Json.number(json["p"]),
                json["partial"]?.let { Json.flag(it) },
                Json.text(json["text"]),
                json["to"]?.let { Json.text(it) },
                Json.int(json["total"])
            )
        }
    }
}

/** A score without the details of its lines. */
data class CompactScore(
    /** Context fields that got a default, with its value as `context` takes it. */
    val assumed: WinContext,
    /**
     * Red fives that count although none was named, because the hand has all four fives of the
     * suit, in riichi alone: `0p`.
     */
    val assumedRedFives: List<String>?,
    /** Lines that count. */
    val awards: List<CompactAward>,
    /** Whether 13 han and more are paid as a yakuman, in riichi alone. */
    val countedYakuman: Boolean?,
    /** Tai that a player and the dealer owe each other besides; absent in games without tai. */
    val dealerTai: Int?,
    /** Faan of the hand, cut at the limit; absent in games without faan. It equals `total`. */
    val faan: Int?,
    /** Fu, in riichi alone; `null` for a yakuman, and for a hand without a yaku. */
    val fu: Int?,
    /** Han of all lines, in riichi alone; of a yakuman 13 for each that is paid. */
    val han: Int?,
    /** Whether the minimum is reached. */
    val legal: Boolean,
    /** Limit that the hand reaches, in riichi alone; `null` below a mangan. */
    val limit: String?,
    /** Whether a line is worth the limit by itself; absent in games without faan. */
    val limitHand: Boolean?,
    /** Values of the hands that did not win, in rule sets that score every player. */
    val others: List<CompactOtherScore>?,
    /** Gain or loss of every seat. */
    val payments: Payments,
    /** Possible totals, if a value that is not given changes the total. */
    val range: CompactRange?,
    /** Faan before the limit cuts them; absent in games without faan. */
    val rawFaan: Int?,
    /** Tai before the cap cuts them; absent in games without tai. */
    val rawTai: Int?,
    /** Rule set that was applied; `null` if the options are not those of a named rule set. */
    val ruleset: String?,
    /**
     * Points of the riichi sticks on the table, which the winner takes, in riichi alone. Neither
     * `total` nor `payments` includes them.
     */
    val sticks: Int?,
    /** Tai of the hand, cut at the cap; absent in games without tai. It equals `total`. */
    val tai: Int?,
    /** Points that hands are compared by. */
    val total: Int,
    /** Seats whose hands would affect the payments but were not given. */
    val unsettled: List<String>?,
    /** Explanation of the total and of the minimum, in the requested language. */
    val verdict: String,
    /** Number of yakuman that are paid, in riichi alone. A counted one is not among them. */
    val yakuman: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactScore {
            val json = Json.members(value)
            return CompactScore(
                WinContext.from(json["assumed"]),
                json["assumed_red_fives"]?.let { Json.listOf(it) { Json.text(it) } },
                Json.listOf(json["awards"]) { CompactAward.from(it) },
                json["counted_yakuman"]?.let { Json.flag(it) },
                json["dealer_tai"]?.let { Json.int(it) },
                json["faan"]?.let { Json.int(it) },
                json["fu"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                Json.flag(json["legal"]),
                json["limit"]?.let { Json.text(it) },
                json["limit_hand"]?.let { Json.flag(it) },
                json["others"]?.let { Json.listOf(it) { CompactOtherScore.from(it) } },
                Payments.from(json["payments"]),
                json["range"]?.let { CompactRange.from(it) },
                json["raw_faan"]?.let { Json.int(it) },
                json["raw_tai"]?.let { Json.int(it) },
                json["ruleset"]?.let { Json.text(it) },
                json["sticks"]?.let { Json.int(it) },
                json["tai"]?.let { Json.int(it) },
                Json.int(json["total"]),
                json["unsettled"]?.let { Json.listOf(it) { Json.text(it) } },
                Json.text(json["verdict"]),
                json["yakuman"]?.let { Json.int(it) }
            )
        }
    }
}

/** Use of an own set, as JSON. */
data class SetUse(
    /** The choice that was asked for: the name of a set, or `auto`. */
    val asked: String,
    /** Fit of the best set to the photo, at most 1; absent if it shows too few tiles. */
    val fit: Double?,
    /** Identity of that set: a hash of all that is in it. */
    val id: String?,
    /**
     * Name of the set that was used; `null` if none explains the photo, which is then read by the
     * networks alone.
     */
    val used: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): SetUse {
            val json = Json.members(value)
            return SetUse(
                Json.text(json["asked"]),
                json["fit"]?.let { Json.number(it) },
                json["id"]?.let { Json.text(it) },
                json["used"]?.let { Json.text(it) }
            )
        }
    }
}

/** Size of the upright photo in pixels. */
data class Image(
    /** Distance from the top to the bottom edge. */
    val height: Int,
    /** Distance from the left to the right edge. */
    val width: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Image {
            val json = Json.members(value)
            return Image(
                Json.int(json["height"]),
                Json.int(json["width"])
            )
        }
    }
}

/** The networks, by the SHA-256 of their files. */
data class Models(
    /** The network that classifies tiles. */
    val classifier: String,
    /** The network that finds tiles. */
    val detector: String,
    /** The network that classifies tiles in doubt again, if there is one. */
    val largeClassifier: String?,
    /** The network that refines the corners of tiles, if one was used. */
    val refiner: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Models {
            val json = Json.members(value)
            return Models(
                Json.text(json["classifier"]),
                Json.text(json["detector"]),
                json["large_classifier"]?.let { Json.text(it) },
                json["refiner"]?.let { Json.text(it) }
            )
        }
    }
}

/** Reading of a hand that did not win. */
data class CompactOther(
    /**
     * Fields of the win context that were given with the photo, and the rule set that it was read
     * by. A request that sends the reading back takes from here what it leaves out.
     */
    val context: WinContext?,
    /** Level of detail: always `compact`, which a full answer does not have. */
    val detail: String,
    /** Doubts about the reading. */
    val doubts: List<CompactDoubt>,
    /** The hand, complete or not. */
    val hand: Hand,
    /**
     * Whole hands in the photo, if it shows more than one. The first one is the hand of the
     * reading.
     */
    val handsInView: List<CompactHandInView>?,
    /** Reason why there is no score; absent beside one. */
    val noScore: NoScore?,
    /**
     * Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
     * answered.
     */
    val photos: List<PhotoOfHand>?,
    /**
     * Possible totals for any answers to the doubts and any values of the win context's missing
     * fields. Absent if there is one total or none.
     */
    val possible: CompactRange?,
    /**
     * Single changes that turn a hand that does not win into a winning one, most probable first.
     * Absent if there are none.
     */
    val repairs: List<CompactRepair>?,
    /** The score, if the hand wins. */
    val score: CompactScore?,
    /** Probability that the score is right; 0 without a score. Absent once doubts are answered. */
    val scoreProbability: Double?,
    /**
     * Own set that the tiles were named with, if the request asked for one. Absent once doubts are
     * answered.
     */
    val set: SetUse?,
    /** Whether the reading is reliable. */
    val status: String,
    /** Winning tile that the score assumes if no tile of the photo lies apart. */
    val supposedWinningTile: String?,
    /** Path of the file that was read, if there was one. */
    val file: String?,
    /** Size of the upright photo. */
    val image: Image,
    /** Seat of the player. */
    val seat: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactOther {
            val json = Json.members(value)
            return CompactOther(
                json["context"]?.let { WinContext.from(it) },
                Json.text(json["detail"]),
                Json.listOf(json["doubts"]) { CompactDoubt.from(it) },
                Hand.from(json["hand"]),
                json["hands_in_view"]?.let { Json.listOf(it) { CompactHandInView.from(it) } },
                json["no_score"]?.let { NoScore.from(it) },
                json["photos"]?.let { Json.listOf(it) { PhotoOfHand.from(it) } },
                json["possible"]?.let { CompactRange.from(it) },
                json["repairs"]?.let { Json.listOf(it) { CompactRepair.from(it) } },
                json["score"]?.let { CompactScore.from(it) },
                json["score_probability"]?.let { Json.number(it) },
                json["set"]?.let { SetUse.from(it) },
                Json.text(json["status"]),
                json["supposed_winning_tile"]?.let { Json.text(it) },
                json["file"]?.let { Json.text(it) },
                Image.from(json["image"]),
                Json.text(json["seat"])
            )
        }
    }
}

/** Score by one of several rule sets. */
data class CompactRulesetScore(
    /** Reason why the hand can't be scored; `null` beside a score. */
    val problem: ProblemDetails?,
    /** The rule set. */
    val ruleset: String,
    /** The score; `null` if the hand can't be scored by these rules. */
    val score: CompactScore?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactRulesetScore {
            val json = Json.members(value)
            return CompactRulesetScore(
                json["problem"]?.let { ProblemDetails.from(it) },
                Json.text(json["ruleset"]),
                json["score"]?.let { CompactScore.from(it) }
            )
        }
    }
}

/** Differences between a reading and the corrected hand. */
data class Changes(
    /** Whether the flowers differ. */
    val flowers: Boolean,
    /** Codes of lines that count now and did not before, or that count more often. */
    val gained: List<String>,
    /** Codes of lines that counted before and do not now, or that count less often. */
    val lost: List<String>,
    /**
     * Whether the hand is divided differently: which sets are melds, their kinds and their
     * sources.
     */
    val structure: Boolean,
    /** Tiles that were misread, missed or surplus. */
    val tiles: List<TileChange>,
    /**
     * Total points before and after the correction, both by the rule set and the win context that
     * count now.
     */
    val total: TotalChange,
    /** The winning tile, if it differs. */
    val winningTile: TileChange?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Changes {
            val json = Json.members(value)
            return Changes(
                Json.flag(json["flowers"]),
                Json.listOf(json["gained"]) { Json.text(it) },
                Json.listOf(json["lost"]) { Json.text(it) },
                Json.flag(json["structure"]),
                Json.listOf(json["tiles"]) { TileChange.from(it) },
                TotalChange.from(json["total"]),
                json["winning_tile"]?.let { TileChange.from(it) }
            )
        }
    }
}

/** A further winner by the discard of the last entry, who may be entered. */
data class FurtherWin(
    /** Player who discarded the tile. */
    val discarder: Int,
    /** Players who may have won by it too. */
    val winners: List<Int>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): FurtherWin {
            val json = Json.members(value)
            return FurtherWin(
                Json.int(json["discarder"]),
                Json.listOf(json["winners"]) { Json.int(it) }
            )
        }
    }
}

/** A change in the history. */
data class GameChange(
    /** Action that was applied. */
    val action: Any?,
    /** Time in milliseconds since 1970. */
    val at: Long,
    /** Author of the change, as they call themselves. */
    val by: String?,
    /** `Idempotency-Key` of the request; shown to players only. */
    val key: String?,
    /**
     * Number of the change, from 1; an entry is named by the number of the change that added it.
     */
    val number: Int,
    /** Whether the change was taken back. */
    val undone: Boolean
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): GameChange {
            val json = Json.members(value)
            return GameChange(
                json["action"],
                Json.long(json["at"]),
                json["by"]?.let { Json.text(it) },
                json["key"]?.let { Json.text(it) },
                Json.int(json["number"]),
                Json.flag(json["undone"])
            )
        }
    }
}

/** A deal. */
data class Deal(
    /** Players whose hands are dead, in riichi alone. Absent if none is. */
    val dead: List<Int>?,
    /**
     * Player who deals, in the game of sixteen tiles alone: the opened wall may give other winds.
     */
    val dealer: Int?,
    /** Players who declared riichi in this deal before the entry, in riichi alone. */
    val declared: List<Int>?,
    /** Number of counters on the table, in riichi alone. */
    val honba: Int?,
    /**
     * Reasons for which the deal may be aborted now, in riichi alone. Only of the deal that is
     * played next.
     */
    val mayAbort: List<String>?,
    /**
     * Players who may still declare riichi, in riichi alone: they have no stick on the table, and
     * the points for one where the rules require these. Only of the deal that is played next.
     */
    val mayDeclare: List<Int>?,
    /**
     * Whether discards that are all terminals and honors are paid as a mangan, in riichi alone.
     * Only of the deal that is played next.
     */
    val mayNagashi: Boolean?,
    /**
     * Players who may win the deal or be ready at its end, in riichi alone: none once it must be
     * aborted, and nobody whose hand is dead. Only of the deal that is played next.
     */
    val mayWin: List<Int>?,
    /** Number in the game, from 1. */
    val number: Int,
    /** Number of times in a row that this dealer has dealt again. */
    val repeats: Int,
    /** Number of riichi sticks on the table, in riichi alone. */
    val riichiSticks: Int?,
    /** Wind of the round. */
    val round: String,
    /** Players at East, South, West and North; East deals, unless `dealer` names another player. */
    val seats: List<Int>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Deal {
            val json = Json.members(value)
            return Deal(
                json["dead"]?.let { Json.listOf(it) { Json.int(it) } },
                json["dealer"]?.let { Json.int(it) },
                json["declared"]?.let { Json.listOf(it) { Json.int(it) } },
                json["honba"]?.let { Json.int(it) },
                json["may_abort"]?.let { Json.listOf(it) { Json.text(it) } },
                json["may_declare"]?.let { Json.listOf(it) { Json.int(it) } },
                json["may_nagashi"]?.let { Json.flag(it) },
                json["may_win"]?.let { Json.listOf(it) { Json.int(it) } },
                Json.int(json["number"]),
                Json.int(json["repeats"]),
                json["riichi_sticks"]?.let { Json.int(it) },
                Json.text(json["round"]),
                Json.listOf(json["seats"]) { Json.int(it) }
            )
        }
    }
}

/** A row of the score sheet. */
data class GameRow(
    /** Whether the entry was corrected since it was added. */
    val corrected: Boolean,
    /** Deal of the entry; `null` for points that were entered after the last deal. */
    val deal: Deal?,
    /** Id of the entry, which a correction names. */
    val entry: Int,
    /**
     * Player who is liable for the hand, named by the entry or by the `feeder` of its win context.
     * Absent if none is.
     */
    val liable: Int?,
    /** Points that each player gains or loses by the entry. */
    val payments: List<Int>,
    /**
     * Points that the entry takes off the result of its player in the end, in riichi. Absent if it
     * takes none.
     */
    val penalty: Int?,
    /** Event of the deal. */
    val play: Any?,
    /**
     * Whether the hand counts with riichi because its winner laid a stick in the deal, although
     * riichi was not stated with it. Absent otherwise.
     */
    val riichiByStick: Boolean?,
    /** Score of the won hand. */
    val score: GameRowScore?,
    /** Total points of each player after the entry. */
    val totals: List<Int>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): GameRow {
            val json = Json.members(value)
            return GameRow(
                Json.flag(json["corrected"]),
                json["deal"]?.let { Deal.from(it) },
                Json.int(json["entry"]),
                json["liable"]?.let { Json.int(it) },
                Json.listOf(json["payments"]) { Json.int(it) },
                json["penalty"]?.let { Json.int(it) },
                json["play"],
                json["riichi_by_stick"]?.let { Json.flag(it) },
                json["score"]?.let { GameRowScore.from(it) },
                Json.listOf(json["totals"]) { Json.int(it) }
            )
        }
    }
}

/** The place of a player. */
data class GamePlace(
    /** Points of the sticks that are left on the table, in riichi alone. */
    val leftSticks: Int?,
    /** Points of the first beyond those of the start that the others put in, in riichi alone. */
    val oka: Int?,
    /** Points that false wins take off the result, in riichi alone. Absent if none do. */
    val penalty: Int?,
    /** Place, from 1; players with equal totals share it. */
    val place: Int,
    /** The player. */
    val player: Int,
    /**
     * Result with uma and oka, in riichi alone: the points with those of the start, less those
     * that the result is counted from, with `uma`, `oka` and `left_sticks`, less `penalty`.
     */
    val result: Int?,
    /**
     * Tournament points for the place; players with equal totals share them. `null` where the
     * rules have none.
     */
    val tablePoints: Double?,
    /** Points that are missing to the player before; 0 for the first. */
    val toNext: Int,
    /** Total points won and lost. */
    val total: Int,
    /** Points of the place, in riichi alone. */
    val uma: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): GamePlace {
            val json = Json.members(value)
            return GamePlace(
                json["left_sticks"]?.let { Json.int(it) },
                json["oka"]?.let { Json.int(it) },
                json["penalty"]?.let { Json.int(it) },
                Json.int(json["place"]),
                Json.int(json["player"]),
                json["result"]?.let { Json.int(it) },
                json["table_points"]?.let { Json.number(it) },
                Json.int(json["to_next"]),
                Json.int(json["total"]),
                json["uma"]?.let { Json.int(it) }
            )
        }
    }
}

/** A missing value that changes the total. */
data class OpenField(
    /** Possible values, each with the range that remains. */
    val answers: List<OpenAnswer>,
    /**
     * `winning_tile`, or a field of the context: `win`, `seat`, `prevalent`, `riichi`, `ippatsu`
     * or `declared`.
     */
    val field: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): OpenField {
            val json = Json.members(value)
            return OpenField(
                Json.listOf(json["answers"]) { OpenAnswer.from(it) },
                Json.text(json["field"])
            )
        }
    }
}

/** Tiles that a photo shows in which no hand was found. */
data class SeenInPhoto(
    /** Number of tiles that the photo shows. */
    val count: Int,
    /** Height of the upright photo in pixels. */
    val height: Int,
    /** The tiles, at most a screenful. */
    val tiles: List<TileInPhoto>,
    /** Width of the upright photo in pixels. */
    val width: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): SeenInPhoto {
            val json = Json.members(value)
            return SeenInPhoto(
                Json.int(json["count"]),
                Json.int(json["height"]),
                Json.listOf(json["tiles"]) { TileInPhoto.from(it) },
                Json.int(json["width"])
            )
        }
    }
}

/** A field of the win context, with its values. */
data class FieldChoices(
    /** Value if the field is absent. */
    val default: Any?,
    /** Name of the field in the `context`. */
    val field: String,
    /** Possible values; empty if they depend on the hand. */
    val values: List<Any?>
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): FieldChoices {
            val json = Json.members(value)
            return FieldChoices(
                json["default"],
                Json.text(json["field"]),
                Json.listOf(json["values"]) { it }
            )
        }
    }
}

/** Conventions for laying tiles on the table, as far as rule sets differ. */
data class Conventions(
    /** Number of tiles of a claimed kong that lie sideways. */
    val turnedInClaimedKong: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Conventions {
            val json = Json.members(value)
            return Conventions(
                Json.text(json["turned_in_claimed_kong"])
            )
        }
    }
}

/** Size of a winning hand. */
data class HandSize(
    /** Number of sets beside the pair. */
    val sets: Int,
    /** Number of tiles with the winning one, each kong counted as three. */
    val tiles: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): HandSize {
            val json = Json.members(value)
            return HandSize(
                Json.int(json["sets"]),
                Json.int(json["tiles"])
            )
        }
    }
}

/** A line of a rule set. */
data class RulesetLine(
    /** Code of the line, the same in all languages. */
    val code: String,
    /** Doubles of one occurrence, in steps of one half. */
    val doublings: Double?,
    /** Conditions of the line. */
    val explanation: String,
    /**
     * Faan of one occurrence; the limit for a line that is worth it, 0 for a line that is not
     * played.
     */
    val faan: Int?,
    /** Han of the line in a closed hand. */
    val han: Int?,
    /** Han of the line in an open hand; absent if only a closed hand can have it. */
    val hanOpen: Int?,
    /** Limits of one occurrence, in steps of one half. */
    val limits: Double?,
    /** Name of the line in the requested language. */
    val name: String,
    /** Name of the line in every language. */
    val names: Names,
    /** Number of the line, if the rules number their lines, as those of the WMO do. */
    val number: Int?,
    /** Reference to the paragraph in the rules. */
    val paragraph: String,
    /** Points of one occurrence; 0 for doubles, limits, faan and tai. */
    val points: Int,
    /** Tai of one occurrence; 0 for a line that is not played. */
    val tai: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): RulesetLine {
            val json = Json.members(value)
            return RulesetLine(
                Json.text(json["code"]),
                json["doublings"]?.let { Json.number(it) },
                Json.text(json["explanation"]),
                json["faan"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                json["han_open"]?.let { Json.int(it) },
                json["limits"]?.let { Json.number(it) },
                Json.text(json["name"]),
                Names.from(json["names"]),
                json["number"]?.let { Json.int(it) },
                Json.text(json["paragraph"]),
                Json.int(json["points"]),
                json["tai"]?.let { Json.int(it) }
            )
        }
    }
}

/** A point on which published versions of the rules differ. */
data class RulesetOption(
    /** Explanation of the option. */
    val explanation: String,
    /** Name of the option. */
    val name: String,
    /** A number, a word, or whether the option is set. */
    val value: Any?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): RulesetOption {
            val json = Json.members(value)
            return RulesetOption(
                Json.text(json["explanation"]),
                Json.text(json["name"]),
                json["value"]
            )
        }
    }
}

/** Payments for a hand, for one winner and discarder. */
data class PaymentRule(
    /** Seat that discarded the winning tile; `null` on a self-draw. */
    val discarder: String?,
    /** Share of each seat that pays. */
    val shares: List<Share>,
    /** Seat that won. */
    val winner: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): PaymentRule {
            val json = Json.members(value)
            return PaymentRule(
                json["discarder"]?.let { Json.text(it) },
                Json.listOf(json["shares"]) { Share.from(it) },
                Json.text(json["winner"])
            )
        }
    }
}

/** Payments for hands of some han and fu. */
data class ValueRow(
    /**
     * Payment of a discarder to a player other than East; `null` if no hand is claimed with these
     * han and fu.
     */
    val discard: Int?,
    /** Payment of a discarder to East. */
    val discardToEast: Int?,
    /** Fu of the row; `null` if they make no difference. */
    val fu: Int?,
    /** Least han of the row. */
    val han: Int,
    /** Limit of the row; `null` below a mangan. */
    val limit: String?,
    /**
     * Payment of East for another player's self-draw; `null` if no hand is drawn with these han
     * and fu.
     */
    val selfDrawEast: Int?,
    /** Payment of each of the others for it. */
    val selfDrawOthers: Int?,
    /** Payment of each player for East's self-draw. */
    val selfDrawToEast: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): ValueRow {
            val json = Json.members(value)
            return ValueRow(
                json["discard"]?.let { Json.int(it) },
                json["discard_to_east"]?.let { Json.int(it) },
                json["fu"]?.let { Json.int(it) },
                Json.int(json["han"]),
                json["limit"]?.let { Json.text(it) },
                json["self_draw_east"]?.let { Json.int(it) },
                json["self_draw_others"]?.let { Json.int(it) },
                json["self_draw_to_east"]?.let { Json.int(it) }
            )
        }
    }
}

/** A possible answer to a doubt. */
data class CompactChoice(
    /** Text of the answer, for people. */
    val answer: String,
    /**
     * The hand after this answer, in one line of notation. Absent if the answer is the winning
     * tile or the tile of a face-down kong, because the tile says it all, and if the answer alone
     * does not determine the hand.
     */
    val hand: String?,
    /** Highest possible total after this answer, if there are several. */
    val max: Int?,
    /** Lowest possible total after this answer, if there are several. */
    val min: Int?,
    /** Probability of the answer. */
    val p: Double,
    /**
     * Gain or loss of every seat after this answer, if the answers differ in nothing else or if
     * the hands of several players were sent.
     */
    val payments: Payments?,
    /** Value to send back for this answer. */
    val send: String,
    /** Total of the hand after this answer; `null` if it would not be a winning hand. */
    val total: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactChoice {
            val json = Json.members(value)
            return CompactChoice(
                Json.text(json["answer"]),
                json["hand"]?.let { Json.text(it) },
                json["max"]?.let { Json.int(it) },
                json["min"]?.let { Json.int(it) },
                Json.number(json["p"]),
                json["payments"]?.let { Payments.from(it) },
                Json.text(json["send"]),
                json["total"]?.let { Json.int(it) }
            )
        }
    }
}

/** A point in a photo. */
data class Focus(
    /** Pixels from the left edge. */
    val x: Int,
    /** Pixels from the upper edge. */
    val y: Int
) {
    internal fun toJson(): Map<String, Any?> = Json.withoutNulls(
        "x" to x,
        "y" to y
    )

    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Focus {
            val json = Json.members(value)
            return Focus(
                Json.int(json["x"]),
                Json.int(json["y"])
            )
        }
    }
}

/** A line that counts, without its details. */
data class CompactAward(
    /** Code of the line, the same in all languages. */
    val code: String,
    /** Number of times that the line counts. */
    val count: Int,
    /** Doubles of one occurrence, in steps of one half. */
    val doublings: Double?,
    /** Faan of the line, all occurrences together; the limit for a line that is worth it. */
    val faan: Int?,
    /** Han of the line in riichi; of dora those of all their tiles. */
    val han: Int?,
    /** Limits of one occurrence, in steps of one half. */
    val limits: Double?,
    /** Name of the line in the requested language. */
    val name: String,
    /** Points of one occurrence; 0 for doubles, limits, faan, tai and han. */
    val points: Int,
    /** Tai of the line, all occurrences together. */
    val tai: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactAward {
            val json = Json.members(value)
            return CompactAward(
                Json.text(json["code"]),
                Json.int(json["count"]),
                json["doublings"]?.let { Json.number(it) },
                json["faan"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                json["limits"]?.let { Json.number(it) },
                Json.text(json["name"]),
                Json.int(json["points"]),
                json["tai"]?.let { Json.int(it) }
            )
        }
    }
}

/** Value of a hand that did not win. */
data class CompactOtherScore(
    /** Lines that count. */
    val awards: List<CompactAward>,
    /** Seat of the player. */
    val seat: String,
    /** Value of the hand. */
    val total: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): CompactOtherScore {
            val json = Json.members(value)
            return CompactOtherScore(
                Json.listOf(json["awards"]) { CompactAward.from(it) },
                Json.text(json["seat"]),
                Json.int(json["total"])
            )
        }
    }
}

/** A tile and its correction. */
data class TileChange(
    /** Correct tile; `null` if there is no tile. */
    val `is`: String?,
    /** Tile that was read; `null` if none was. */
    val was: String?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): TileChange {
            val json = Json.members(value)
            return TileChange(
                json["is"]?.let { Json.text(it) },
                json["was"]?.let { Json.text(it) }
            )
        }
    }
}

/** Total points before and after a correction. */
data class TotalChange(
    /** Points of the corrected hand; `null` if it has no score. */
    val `is`: Int?,
    /** Points of the hand as it was read; `null` if it has no score. */
    val was: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): TotalChange {
            val json = Json.members(value)
            return TotalChange(
                json["is"]?.let { Json.int(it) },
                json["was"]?.let { Json.int(it) }
            )
        }
    }
}

/** Short score of a row; `POST /v1/score` explains it. */
data class GameRowScore(
    /**
     * Red fives that count although none was named, because the hand has all four fives of the
     * suit, in riichi alone: `0p`.
     */
    val assumedRedFives: List<String>?,
    /** Lines that count. */
    val awards: List<GameRowAward>,
    /** Whether 13 han and more are paid as a yakuman, in riichi alone. */
    val countedYakuman: Boolean?,
    /**
     * Tai that the dealer and another player owe each other beside those of the hand; absent in
     * games without tai.
     */
    val dealerTai: Int?,
    /** Explanation of the total, if points are doubled; absent if they are only added up. */
    val doubling: Doubling?,
    /** Faan of the hand, cut at the limit; absent in games without faan. It equals `total`. */
    val faan: Int?,
    /** Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman. */
    val fu: Int?,
    /** Han of all lines, in riichi alone; of a yakuman 13 for each that is paid. */
    val han: Int?,
    /**
     * Whether a player may be liable for the hand by its melds, and none was named: then `liable`
     * or `feeder` of the win can change the payments. Absent otherwise.
     */
    val liabilityOpen: Boolean?,
    /** Limit that the hand reaches, in riichi alone; `null` below a mangan. */
    val limit: String?,
    /** Whether a line is worth the limit by itself; absent in games without faan. */
    val limitHand: Boolean?,
    /**
     * Points of the riichi sticks on the table, which the winner takes, in riichi alone. They are
     * part of the row's `payments`, and not of `total`.
     */
    val sticks: Int?,
    /** Tai of the hand, cut at the cap; absent in games without tai. It equals `total`. */
    val tai: Int?,
    /** Total by which hands are compared. */
    val total: Int,
    /** Value that the payments are based on. */
    val value: Int,
    /** Number of yakuman that are paid, in riichi alone. A counted one is not among them. */
    val yakuman: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): GameRowScore {
            val json = Json.members(value)
            return GameRowScore(
                json["assumed_red_fives"]?.let { Json.listOf(it) { Json.text(it) } },
                Json.listOf(json["awards"]) { GameRowAward.from(it) },
                json["counted_yakuman"]?.let { Json.flag(it) },
                json["dealer_tai"]?.let { Json.int(it) },
                json["doubling"]?.let { Doubling.from(it) },
                json["faan"]?.let { Json.int(it) },
                json["fu"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                json["liability_open"]?.let { Json.flag(it) },
                json["limit"]?.let { Json.text(it) },
                json["limit_hand"]?.let { Json.flag(it) },
                json["sticks"]?.let { Json.int(it) },
                json["tai"]?.let { Json.int(it) },
                Json.int(json["total"]),
                Json.int(json["value"]),
                json["yakuman"]?.let { Json.int(it) }
            )
        }
    }
}

/** A possible value of a missing field. */
data class OpenAnswer(
    /**
     * The value: a tile, or a value of the context field; of `declared` an empty text where
     * nothing was declared.
     */
    val answer: String,
    /** Highest total that is then possible. */
    val max: Int,
    /** Lowest total that is then possible. */
    val min: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): OpenAnswer {
            val json = Json.members(value)
            return OpenAnswer(
                Json.text(json["answer"]),
                Json.int(json["max"]),
                Json.int(json["min"])
            )
        }
    }
}

/** A tile that a photo shows. */
data class TileInPhoto(
    /** Box around the tile in whole pixels: left, top, right and bottom edge. */
    val box: List<Int>,
    /** Code of the tile, `back`, or `none` if it is not a face. */
    val tile: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): TileInPhoto {
            val json = Json.members(value)
            return TileInPhoto(
                Json.listOf(json["box"]) { Json.int(it) },
                Json.text(json["tile"])
            )
        }
    }
}

/** A name in every language. */
data class Names(
    /** Danish. */
    val da: String,
    /** German. */
    val de: String,
    /** English. */
    val en: String,
    /** Japanese. */
    val ja: String,
    /** Pinyin of the name in traditional characters, in the game of sixteen tiles alone. */
    val pinyin: String?,
    /** Swedish. */
    val sv: String,
    /** Chinese in simplified characters. */
    val zh: String,
    /** Chinese in traditional characters. */
    val zhHant: String
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Names {
            val json = Json.members(value)
            return Names(
                Json.text(json["da"]),
                Json.text(json["de"]),
                Json.text(json["en"]),
                Json.text(json["ja"]),
                json["pinyin"]?.let { Json.text(it) },
                Json.text(json["sv"]),
                Json.text(json["zh"]),
                Json.text(json["zh_hant"])
            )
        }
    }
}

/**
 * Payment of a seat: `basic + value * times / per` points, rounded down, and `for_streak` for each
 * deal that the dealer has stayed on.
 */
data class Share(
    /** Fixed payment for every hand. */
    val basic: Int,
    /**
     * Fixed payment besides for each deal that the dealer has stayed on, in the game of sixteen
     * tiles alone. There the seats are counted from the dealer as East.
     */
    val forStreak: Int?,
    /** Denominator of the share of the hand's value. */
    val per: Int,
    /** Seat that pays. */
    val seat: String,
    /** Numerator of the share of the hand's value. */
    val times: Int
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): Share {
            val json = Json.members(value)
            return Share(
                Json.int(json["basic"]),
                json["for_streak"]?.let { Json.int(it) },
                Json.int(json["per"]),
                Json.text(json["seat"]),
                Json.int(json["times"])
            )
        }
    }
}

/** A line that counts. */
data class GameRowAward(
    /** Code of the line, the same in all languages. */
    val code: String,
    /** Number of times that the line counts. */
    val count: Int,
    /** Doubles of one occurrence, in steps of one half. */
    val doublings: Double?,
    /** Faan of the line, all occurrences together; the limit for a line that is worth it. */
    val faan: Int?,
    /** Han of the line in riichi; of dora those of all their tiles. */
    val han: Int?,
    /** Limits of one occurrence, in steps of one half. */
    val limits: Double?,
    /** Name of the line in the requested language. */
    val name: String,
    /** Points of one occurrence; 0 for doubles, limits, faan, tai and han. */
    val points: Int,
    /** Tai of the line, all occurrences together. */
    val tai: Int?
) {
    companion object {
        /** Reads it from what [Json.parse] returns. */
        fun from(value: Any?): GameRowAward {
            val json = Json.members(value)
            return GameRowAward(
                Json.text(json["code"]),
                Json.int(json["count"]),
                json["doublings"]?.let { Json.number(it) },
                json["faan"]?.let { Json.int(it) },
                json["han"]?.let { Json.int(it) },
                json["limits"]?.let { Json.number(it) },
                Json.text(json["name"]),
                Json.int(json["points"]),
                json["tai"]?.let { Json.int(it) }
            )
        }
    }
}
