// Made from tests/golden/openapi.json by scripts/binding_types.py.

/// The win context and the rule set, every field optional.
public struct WinContext: Codable, Equatable, Sendable {
    /// Set that the winning tile completed, given by its tiles, such as `456m`, `111p` or `EE`; the
    /// set that scores most when absent.
    public var completes: String?
    /// Seat of the dealer, where it need not be East's: in the game of sixteen tiles the opened
    /// wall gives the winds. East when absent.
    public var dealer: String?
    /// Number of deals that the dealer has stayed on, in the game of sixteen tiles; 0 when absent.
    public var dealerStreak: Int?
    /// Declarations made at the table, separated by commas; in JSON also as a list. Rule sets
    /// without a line for a declaration ignore it.
    public var declared: [String]?
    /// Face-up dora indicators, separated by commas; in JSON also as a list.
    public var doraIndicators: [String]?
    /// Player who fed the set that decides who pays: in MMM the third pung of dragons or the fourth
    /// of winds. Needed only where several players fed these sets; other rules ignore it.
    public var feeder: String?
    /// Player who discarded the winning tile, or added it to the kong that was robbed; the left
    /// player when absent.
    public var from: String?
    /// Number of counters (honba) on the table; 0 when absent.
    public var honba: Int?
    /// The hand won within one go-around after riichi, before any call or kong.
    public var ippatsu: Bool?
    /// All other tiles of the winning tile's kind lay open. If all three are in the hand's own
    /// exposed sets, this counts as `true` even when it is `false`.
    public var lastOfKind: Bool?
    /// The winning tile was the last tile of the wall, or the discard after it.
    public var lastWallTile: Bool?
    /// Number of norths that the winner set aside as dora, where three play; they are not among the
    /// tiles of the hand, and with these at most four. 0 when absent.
    public var norths: Int?
    /// The wind of the round; East when absent.
    public var prevalent: String?
    /// Whether the winner declared riichi: `no`, `riichi`, or `double` for riichi on the first
    /// discard; `no` when absent.
    public var riichi: String?
    /// Number of riichi sticks on the table, the winner's own among them; 0 when absent.
    public var riichiSticks: Int?
    /// The rules to score by; `mcr-wmo` when absent.
    public var ruleset: String?
    /// The winner's seat wind; East when absent.
    public var seat: String?
    /// Indicators under the face-up ones, which count only with riichi; written in the same way.
    public var uraIndicators: [String]?
    /// Source of the winning tile; a discard when absent.
    public var win: String?
    /// Whether the hand won. `false` is for a photo of a hand that did not win: such a hand needs
    /// no winning tile, and is scored only by rules that score every player.
    public var won: Bool?

    enum CodingKeys: String, CodingKey {
        case completes
        case dealer
        case dealerStreak = "dealer_streak"
        case declared
        case doraIndicators = "dora_indicators"
        case feeder
        case from
        case honba
        case ippatsu
        case lastOfKind = "last_of_kind"
        case lastWallTile = "last_wall_tile"
        case norths
        case prevalent
        case riichi
        case riichiSticks = "riichi_sticks"
        case ruleset
        case seat
        case uraIndicators = "ura_indicators"
        case win
        case won
    }

    public init(
        completes: String? = nil,
        dealer: String? = nil,
        dealerStreak: Int? = nil,
        declared: [String]? = nil,
        doraIndicators: [String]? = nil,
        feeder: String? = nil,
        from: String? = nil,
        honba: Int? = nil,
        ippatsu: Bool? = nil,
        lastOfKind: Bool? = nil,
        lastWallTile: Bool? = nil,
        norths: Int? = nil,
        prevalent: String? = nil,
        riichi: String? = nil,
        riichiSticks: Int? = nil,
        ruleset: String? = nil,
        seat: String? = nil,
        uraIndicators: [String]? = nil,
        win: String? = nil,
        won: Bool? = nil
    ) {
        self.completes = completes
        self.dealer = dealer
        self.dealerStreak = dealerStreak
        self.declared = declared
        self.doraIndicators = doraIndicators
        self.feeder = feeder
        self.from = from
        self.honba = honba
        self.ippatsu = ippatsu
        self.lastOfKind = lastOfKind
        self.lastWallTile = lastWallTile
        self.norths = norths
        self.prevalent = prevalent
        self.riichi = riichi
        self.riichiSticks = riichiSticks
        self.ruleset = ruleset
        self.seat = seat
        self.uraIndicators = uraIndicators
        self.win = win
        self.won = won
    }
}

/// A hand.
public struct Hand: Codable, Equatable, Sendable {
    /// Tiles in the hand without the winning tile.
    public var concealed: [String]?
    /// Flowers and seasons, `?` for one without a name.
    public var flowers: [String]?
    /// Exposed sets and concealed kongs.
    public var melds: [Meld]?
    /// The hand in one line. It is derived from the other fields and ignored beside them. A hand
    /// with no other field is read from it, its win context included.
    public var notation: String?
    /// Tile that completed the hand.
    public var winningTile: String?

    enum CodingKeys: String, CodingKey {
        case concealed
        case flowers
        case melds
        case notation
        case winningTile = "winning_tile"
    }

    public init(
        concealed: [String]? = nil,
        flowers: [String]? = nil,
        melds: [Meld]? = nil,
        notation: String? = nil,
        winningTile: String? = nil
    ) {
        self.concealed = concealed
        self.flowers = flowers
        self.melds = melds
        self.notation = notation
        self.winningTile = winningTile
    }
}

/// An itemised score.
public struct Score: Codable, Equatable, Sendable {
    /// Context fields that got a default; `feeder` only if the payments depend on it.
    public var assumed: [String]
    /// Default for the feeder of the set that decides who pays, if `assumed` contains `feeder`.
    public var assumedFeeder: String?
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`. They belong to the hand, so no field of `context` says
    /// otherwise.
    public var assumedRedFives: [String]?
    /// The fields of `assumed` with their defaults, as `context` takes them.
    public var assumedValues: WinContext?
    /// Lines that count: in MCR the fans, from most to fewest points.
    public var awards: [Award]
    /// Base points, from which every payment follows, in riichi alone.
    public var base: Int?
    /// Whether 13 han and more are paid as a yakuman, in riichi alone.
    public var countedYakuman: Bool?
    /// Tai that a player and the dealer owe each other besides: one, and more for each deal that
    /// the dealer stayed on; absent in games without tai.
    public var dealerTai: Int?
    /// Explanation of the total, if points are doubled; `null` if they are only added up.
    public var doubling: Doubling?
    /// Lines that the hand shows but that do not count.
    public var excluded: [Exclusion]
    /// Faan of the hand, cut at the limit; absent in games without faan. It equals `total`.
    public var faan: Int?
    /// Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman, and for a
    /// hand without a yaku.
    public var fu: Int?
    /// Parts of the fu, which add up to it, in riichi alone.
    public var fuParts: [FuPart]?
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    public var han: Int?
    /// Whether the minimum is reached.
    public var legal: Bool
    /// Limit that the hand reaches, in riichi alone; `null` below a mangan.
    public var limit: String?
    /// Whether a line is worth the limit by itself; absent in games without faan.
    public var limitHand: Bool?
    /// Minimum of a legal win; 0 if every winning hand is legal.
    public var minimum: Int
    /// Unit of the minimum.
    public var minimumUnit: String
    /// Amount that is missing for a legal win.
    public var missing: Int
    /// Values of the hands that did not win, in rule sets that score every player.
    public var others: [OtherScore]?
    /// Gain or loss of every seat; all zero for a hand that is not a legal win.
    public var payments: Payments
    /// Possible totals, if missing fields or a winning tile that the photo does not show change the
    /// total. `total` is only one of them.
    public var range: TotalRange?
    /// Faan before the limit cuts them; absent in games without faan.
    public var rawFaan: Int?
    /// Tai before the cap cuts them; absent in games without tai.
    public var rawTai: Int?
    /// Rule set that was applied; `null` if the options are not those of a named rule set.
    public var ruleset: String?
    /// Other decompositions of the same tiles.
    public var runnersUp: [RunnerUp]
    /// Decomposition of the hand that scores most.
    public var sets: [ScoredSet]
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. They were
    /// paid before, so neither `total` nor `payments` includes them.
    public var sticks: Int?
    /// Tai of the hand, cut at the cap; absent in games without tai. It equals `total`.
    public var tai: Int?
    /// Points that hands are compared by: all points, flowers included; after doubling, if points
    /// are doubled.
    public var total: Int
    /// Amount that counts towards the minimum: points without flowers, or doubles.
    public var towardsMinimum: Int
    /// Seats whose hands would count but were not given. The payments do not include the payments
    /// between these seats and the others who did not win.
    public var unsettled: [String]?
    /// Value that is settled. In games with faan it is what the table of payments has for them, in
    /// the smallest chips, in games of tai what a player owes without the tai of the dealer; 0
    /// below the minimum.
    public var value: Int
    /// Explanation of the total and of the minimum, in the requested language; empty if there is
    /// nothing to explain.
    public var verdict: String?
    /// Changes that would have made the hand legal, if it is not and little was missing.
    public var withinReach: [Reach]?
    /// Number of yakuman that are paid, in riichi alone. A counted one is not among them.
    public var yakuman: Int?

    enum CodingKeys: String, CodingKey {
        case assumed
        case assumedFeeder = "assumed_feeder"
        case assumedRedFives = "assumed_red_fives"
        case assumedValues = "assumed_values"
        case awards
        case base
        case countedYakuman = "counted_yakuman"
        case dealerTai = "dealer_tai"
        case doubling
        case excluded
        case faan
        case fu
        case fuParts = "fu_parts"
        case han
        case legal
        case limit
        case limitHand = "limit_hand"
        case minimum
        case minimumUnit = "minimum_unit"
        case missing
        case others
        case payments
        case range
        case rawFaan = "raw_faan"
        case rawTai = "raw_tai"
        case ruleset
        case runnersUp = "runners_up"
        case sets
        case sticks
        case tai
        case total
        case towardsMinimum = "towards_minimum"
        case unsettled
        case value
        case verdict
        case withinReach = "within_reach"
        case yakuman
    }
}

/// Score of a hand by one rule set.
public struct RulesetScore: Codable, Equatable, Sendable {
    /// Reason why the hand can't be scored; `null` beside a score.
    public var problem: ProblemDetails?
    /// The rule set.
    public var ruleset: String
    /// The score; `null` if the hand can't be scored by these rules.
    public var score: Score?

    enum CodingKeys: String, CodingKey {
        case problem
        case ruleset
        case score
    }
}

/// Every rule set.
public struct Rulesets: Codable, Equatable, Sendable {
    /// The rule sets, the default first.
    public var rulesets: [Ruleset]

    enum CodingKeys: String, CodingKey {
        case rulesets
    }
}

/// The answer to a photo with `detail=compact`.
public struct CompactAnswer: Codable, Equatable, Sendable {
    /// Fields of the win context that were given with the photo, and the rule set that it was read
    /// by. A request that sends the reading back takes from here what it leaves out.
    public var context: WinContext?
    /// Level of detail: always `compact`, which a full answer does not have.
    public var detail: String
    /// Doubts about the reading.
    public var doubts: [CompactDoubt]
    /// The hand, complete or not.
    public var hand: Hand
    /// Whole hands in the photo, if it shows more than one. The first one is the hand of the
    /// reading.
    public var handsInView: [CompactHandInView]?
    /// Reason why there is no score; absent beside one.
    public var noScore: NoScore?
    /// Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
    /// answered.
    public var photos: [PhotoOfHand]?
    /// Possible totals for any answers to the doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    public var possible: CompactRange?
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    public var repairs: [CompactRepair]?
    /// The score, if the hand wins.
    public var score: CompactScore?
    /// Probability that the score is right; 0 without a score. Absent once doubts are answered.
    public var scoreProbability: Double?
    /// Own set that the tiles were named with, if the request asked for one. Absent once doubts are
    /// answered.
    public var set: SetUse?
    /// Whether the reading is reliable.
    public var status: String
    /// Winning tile that the score assumes if no tile of the photo lies apart.
    public var supposedWinningTile: String?
    /// Path of the file that was read, if there was one.
    public var file: String?
    /// Size of the upright photo. Outlines and boxes are given in its pixels.
    public var image: Image
    /// The networks that were used.
    public var models: Models
    /// Readings of the other players' hands, by seat, if photos of them were sent.
    public var others: [CompactOther]?
    /// Scores by each rule set of `rulesets`, if the request named any.
    public var scores: [CompactRulesetScore]?
    /// Whether the scores of the table are reliable, if hands of other players were sent.
    public var tableStatus: String?

    enum CodingKeys: String, CodingKey {
        case context
        case detail
        case doubts
        case hand
        case handsInView = "hands_in_view"
        case noScore = "no_score"
        case photos
        case possible
        case repairs
        case score
        case scoreProbability = "score_probability"
        case set
        case status
        case supposedWinningTile = "supposed_winning_tile"
        case file
        case image
        case models
        case others
        case scores
        case tableStatus = "table_status"
    }
}

/// A reading with answers to its doubts, for `detail=compact`.
public struct CompactAnswered: Codable, Equatable, Sendable {
    /// Fields of the win context that were given with the photo, and the rule set that it was read
    /// by. A request that sends the reading back takes from here what it leaves out.
    public var context: WinContext?
    /// Level of detail: always `compact`, which a full answer does not have.
    public var detail: String
    /// Doubts about the reading.
    public var doubts: [CompactDoubt]
    /// The hand, complete or not.
    public var hand: Hand
    /// Whole hands in the photo, if it shows more than one. The first one is the hand of the
    /// reading.
    public var handsInView: [CompactHandInView]?
    /// Reason why there is no score; absent beside one.
    public var noScore: NoScore?
    /// Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
    /// answered.
    public var photos: [PhotoOfHand]?
    /// Possible totals for any answers to the doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    public var possible: CompactRange?
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    public var repairs: [CompactRepair]?
    /// The score, if the hand wins.
    public var score: CompactScore?
    /// Probability that the score is right; 0 without a score. Absent once doubts are answered.
    public var scoreProbability: Double?
    /// Own set that the tiles were named with, if the request asked for one. Absent once doubts are
    /// answered.
    public var set: SetUse?
    /// Whether the reading is reliable.
    public var status: String
    /// Winning tile that the score assumes if no tile of the photo lies apart.
    public var supposedWinningTile: String?
    /// Differences from the hand that was read, if the request had a `hand`.
    public var changes: Changes?
    /// Scores by each rule set of `rulesets`, if the request named any.
    public var scores: [CompactRulesetScore]?

    enum CodingKeys: String, CodingKey {
        case context
        case detail
        case doubts
        case hand
        case handsInView = "hands_in_view"
        case noScore = "no_score"
        case photos
        case possible
        case repairs
        case score
        case scoreProbability = "score_probability"
        case set
        case status
        case supposedWinningTile = "supposed_winning_tile"
        case changes
        case scores
    }
}

/// An evening's game.
public struct Game: Codable, Equatable, Sendable {
    /// Reason why the game is over. Absent while it is played.
    public var end: String?
    /// Players who may have won by the discard of the last entry too; absent if none may.
    public var furtherWin: FurtherWin?
    /// All changes that were ever made, oldest first.
    public var history: [GameChange]
    /// Id of the game; `null` for viewers with a read-only link.
    public var id: String?
    /// Deal that is played next; `null` when the game is over.
    public var next: Deal?
    /// Players in the order of their first seats: East, South, West, North.
    public var players: [String]
    /// Revision of the game, as in the `ETag`; it grows with every change.
    public var revision: Int64
    /// Rows of the score sheet, in the order of play.
    public var rows: [GameRow]
    /// Rule set of the game.
    public var ruleset: String
    /// Token of the read-only link; `null` if there is no link, or its token is not known.
    public var share: String?
    /// Places of the players, by falling totals.
    public var standings: [GamePlace]
    /// Points that each player has at the start, to which `totals` are added, in riichi alone.
    public var startPoints: Int?
    /// State of the game.
    public var state: String
    /// Title of the game.
    public var title: String
    /// Total points of each player, in the order of the players.
    public var totals: [Int]
    /// Change that an undo would take back next.
    public var undo: Int?

    enum CodingKeys: String, CodingKey {
        case end
        case furtherWin = "further_win"
        case history
        case id
        case next
        case players
        case revision
        case rows
        case ruleset
        case share
        case standings
        case startPoints = "start_points"
        case state
        case title
        case totals
        case undo
    }
}

/// A field that is wrong.
public struct FieldError: Codable, Equatable, Sendable {
    /// For a text, the position of the character that is wrong, counted from 1.
    public var character: Int?
    /// Description of the fault.
    public var detail: String
    /// Path of the field, such as `hand.melds[1].tiles`.
    public var field: String
    /// For a text, what it says before that character, in notation; empty if that is nothing yet.
    public var understood: String?

    enum CodingKeys: String, CodingKey {
        case character
        case detail
        case field
        case understood
    }
}

/// A set apart from the concealed tiles.
public struct Meld: Codable, Equatable, Sendable {
    /// Whether the fourth tile was added to an exposed pung.
    public var added: Bool?
    /// The claimed tile, if known.
    public var claimed: String?
    /// Whether all four tiles of a kong were drawn.
    public var concealed: Bool?
    /// Player from whom the tile was claimed, if known.
    public var from: String?
    /// Kind of the set.
    public var kind: String
    /// Tiles of the set. The claimed tile of a chow comes first, as it lies on the table.
    public var tiles: [String]

    enum CodingKeys: String, CodingKey {
        case added
        case claimed
        case concealed
        case from
        case kind
        case tiles
    }

    public init(
        added: Bool? = nil,
        claimed: String? = nil,
        concealed: Bool? = nil,
        from: String? = nil,
        kind: String,
        tiles: [String] = []
    ) {
        self.added = added
        self.claimed = claimed
        self.concealed = concealed
        self.from = from
        self.kind = kind
        self.tiles = tiles
    }
}

/// A line that counts.
public struct Award: Codable, Equatable, Sendable {
    /// Code of the line, the same in all languages.
    public var code: String
    /// Number of times that the line counts.
    public var count: Int
    /// Context fields with a default that this line depends on.
    public var dependsOn: [String]?
    /// Doubles of one occurrence, in steps of one half.
    public var doublings: Double?
    /// Conditions of the line, in the requested language.
    public var explanation: String
    /// Faan of the line, all occurrences together; the limit for a line that is worth it.
    public var faan: Int?
    /// Han of the line in riichi; of dora those of all their tiles.
    public var han: Int?
    /// Limits of one occurrence, in steps of one half.
    public var limits: Double?
    /// Name of the line in the requested language.
    public var name: String
    /// Number of the line, if the rules number their lines, as those of the WMO do.
    public var number: Int?
    /// Reference to the paragraph in the rules.
    public var paragraph: String
    /// Points of one occurrence; 0 for doubles, limits, faan and tai.
    public var points: Int
    /// Sets that form the line, one list for each time it counts; empty if the whole hand or the
    /// win context forms it.
    public var sets: [[ScoredSet]]
    /// Tai of the line, all occurrences together.
    public var tai: Int?

    enum CodingKeys: String, CodingKey {
        case code
        case count
        case dependsOn = "depends_on"
        case doublings
        case explanation
        case faan
        case han
        case limits
        case name
        case number
        case paragraph
        case points
        case sets
        case tai
    }
}

/// Calculation of a total from points, doubles and limits.
public struct Doubling: Codable, Equatable, Sendable {
    /// Whether a limit or the maximum number of doubles reduced the total.
    public var capped: Bool
    /// Doubles before any cap, in steps of one half.
    public var doublings: Double
    /// Limit that points are cut to; absent if the rules have no limit on points or only one on the
    /// number of doubles.
    public var limit: Int?
    /// Value of the hand in limits; 0 for a hand that is not a limit hand.
    public var limits: Double
    /// Points before doubling.
    public var points: Int

    enum CodingKeys: String, CodingKey {
        case capped
        case doublings
        case limit
        case limits
        case points
    }
}

/// A line that does not count.
public struct Exclusion: Codable, Equatable, Sendable {
    /// Code of the line that excludes it.
    public var by: String
    /// Name of the line that excludes it.
    public var byName: String
    /// Code of the line that does not count.
    public var code: String
    /// Number of times that the line would have counted.
    public var count: Int
    /// Name of the line that does not count.
    public var name: String
    /// `implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`. Later
    /// versions may add others.
    public var reason: String

    enum CodingKeys: String, CodingKey {
        case by
        case byName = "by_name"
        case code
        case count
        case name
        case reason
    }
}

/// A part of the fu.
public struct FuPart: Codable, Equatable, Sendable {
    /// Code of the part, the same in all languages, such as `base`, `concealed_pung`, `edge_wait`
    /// or `rounding`.
    public var code: String
    /// Fu of the part.
    public var fu: Int
    /// Name of the part in the requested language.
    public var name: String
    /// Sets that give it; empty if the whole hand or the win context does.
    public var sets: [ScoredSet]

    enum CodingKeys: String, CodingKey {
        case code
        case fu
        case name
        case sets
    }
}

/// Score of a hand that did not win.
public struct OtherScore: Codable, Equatable, Sendable {
    /// Lines that count.
    public var awards: [Award]
    /// Explanation of the total, if points are doubled.
    public var doubling: Doubling?
    /// Lines that the hand shows but that do not count.
    public var excluded: [Exclusion]
    /// Seat of the player.
    public var seat: String
    /// Sets of the hand. Tiles that form no set are together at the end.
    public var sets: [ScoredSet]
    /// Value of the hand.
    public var total: Int

    enum CodingKeys: String, CodingKey {
        case awards
        case doubling
        case excluded
        case seat
        case sets
        case total
    }
}

/// Gain (positive) or loss of every seat.
public struct Payments: Codable, Equatable, Sendable {
    /// Gain or loss of East.
    public var E: Int
    /// Gain or loss of North.
    public var N: Int
    /// Gain or loss of South.
    public var S: Int
    /// Gain or loss of West.
    public var W: Int

    enum CodingKeys: String, CodingKey {
        case E
        case N
        case S
        case W
    }
}

/// Possible totals of a hand while a value that changes them is missing.
public struct TotalRange: Codable, Equatable, Sendable {
    /// Whether the hand is a legal win; `null` if that depends on the open questions.
    public var legal: Bool?
    /// Highest total.
    public var max: Int
    /// Lowest total.
    public var min: Int
    /// Open questions that the total depends on. The question that narrows the range most comes
    /// first.
    public var `open`: [OpenField]
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// this range are then possible too, and `text` says so. Absent if not.
    public var partial: Bool?
    /// Statement whether the minimum is reached with all, some or none of the answers, in the
    /// requested language, or that not all combinations were tried. Absent if the rules have no
    /// minimum.
    public var text: String?

    enum CodingKeys: String, CodingKey {
        case legal
        case max
        case min
        case `open`
        case partial
        case text
    }
}

/// A decomposition other than the one that was chosen.
public struct RunnerUp: Codable, Equatable, Sendable {
    /// Lines of the decomposition.
    public var awards: [Award]
    /// Sets of the decomposition.
    public var sets: [ScoredSet]
    /// Total of the hand with this decomposition.
    public var total: Int
    /// Reason why it was not chosen, in the requested language: the difference in value, and the
    /// lines that differ.
    public var whyNot: String?

    enum CodingKeys: String, CodingKey {
        case awards
        case sets
        case total
        case whyNot = "why_not"
    }
}

/// A set of a decomposition.
public struct ScoredSet: Codable, Equatable, Sendable {
    /// Whether the set counts as concealed.
    public var concealed: Bool
    /// `chow`, `pung`, `kong`, `pair`, `knitted` or `singles`.
    public var kind: String
    /// Tiles of the set.
    public var tiles: [String]
    /// Whether the winning tile completed the set.
    public var winning: Bool

    enum CodingKeys: String, CodingKey {
        case concealed
        case kind
        case tiles
        case winning
    }
}

/// A change that would have been enough for the minimum.
public struct Reach: Codable, Equatable, Sendable {
    /// `self_draw`, `nothing_called` or `nothing_called_and_self_draw`.
    public var change: String
    /// Codes of the lines that the change would have added.
    public var lines: [String]
    /// Description of the change and its effect, in the requested language.
    public var text: String
    /// Total of the hand with the change.
    public var total: Int

    enum CodingKeys: String, CodingKey {
        case change
        case lines
        case text
        case total
    }
}

/// What went wrong, as RFC 9457 writes it.
public struct ProblemDetails: Codable, Equatable, Sendable {
    /// What happened this time.
    public var detail: String
    /// The fields that are wrong.
    public var errors: [FieldError]?
    /// The tiles that a photo without a hand shows; absent from other problems.
    public var seen: SeenInPhoto?
    /// The HTTP status.
    public var status: Int
    /// A short summary for people.
    public var title: String
    /// A name that stays the same.
    public var type: String
    /// How many more fields are wrong.
    public var unlisted: Int?

    enum CodingKeys: String, CodingKey {
        case detail
        case errors
        case seen
        case status
        case title
        case type
        case unlisted
    }
}

/// A rule set.
public struct Ruleset: Codable, Equatable, Sendable {
    /// Fields of the win context that the rule set uses.
    public var context: [FieldChoices]
    /// Conventions for laying tiles on the table.
    public var conventions: Conventions
    /// Rule family that the rule set belongs to.
    public var game: String
    /// Size of a winning hand.
    public var hand: HandSize
    /// Identifier of the rule set in requests.
    public var id: String
    /// Every line that can count, in the order of the rules: in MCR the fans, from most to fewest
    /// points.
    public var lines: [RulesetLine]
    /// Minimum of a legal winning hand; 0 if every winning hand is legal.
    public var minimum: Int
    /// Unit of the minimum.
    public var minimumUnit: String
    /// Display name.
    public var name: String
    /// Options for the points on which published versions of the rules differ.
    public var options: [RulesetOption]
    /// Payments for a hand of which only the value is known, for each winner and discarder.
    public var payments: [PaymentRule]
    /// Whether the hands of players who did not win count too, and may be sent as `others`.
    public var scoresEverybody: Bool
    /// Seats that players take, in the order of play: three where three play.
    public var seats: [String]
    /// Display name where space is limited, such as `MCR 2006`. It equals `name` if there is no
    /// shorter one.
    public var shortName: String
    /// Short description.
    public var summary: String
    /// Table of values by han and fu, in riichi alone.
    public var valueTable: [ValueRow]?
    /// Value that the payments are shares of, for each total from 0 on; the last one holds for all
    /// higher totals. Absent if the total itself is settled.
    public var values: [Int]?

    enum CodingKeys: String, CodingKey {
        case context
        case conventions
        case game
        case hand
        case id
        case lines
        case minimum
        case minimumUnit = "minimum_unit"
        case name
        case options
        case payments
        case scoresEverybody = "scores_everybody"
        case seats
        case shortName = "short_name"
        case summary
        case valueTable = "value_table"
        case values
    }
}

/// A doubt with everything that an app needs to ask about it.
public struct CompactDoubt: Codable, Equatable, Sendable {
    /// Whether the answers lead to different scores, or may do so.
    public var affectsScore: Bool
    /// Possible answers.
    public var answers: [CompactChoice]
    /// Box to cut out of the photo to show the tiles: left, top, right and bottom edge in pixels.
    /// Absent for a doubt that is about no tile.
    public var box: [Int]?
    /// Field that the doubt is about, such as `context.win`, if it is about one.
    public var field: String?
    /// Game whose hands have as many tiles, if the rule set has smaller hands: one of its rule sets
    /// reads the photo as such a hand.
    public var game: String?
    /// Identifier of the doubt within this reading.
    public var id: String
    /// Kind of the doubt.
    public var kind: String
    /// Question to ask a person.
    public var question: String
    /// Outlines of the tiles that the doubt is about, with four corners each, clockwise. Empty for
    /// a doubt about the whole hand that has no answers: its `box` is that of the hand.
    public var tiles: [[[Int]]]

    enum CodingKeys: String, CodingKey {
        case affectsScore = "affects_score"
        case answers
        case box
        case field
        case game
        case id
        case kind
        case question
        case tiles
    }
}

/// A hand in a photo that shows several.
public struct CompactHandInView: Codable, Equatable, Sendable {
    /// Bounding box of the hand, for a thumbnail: left, top, right and bottom edge in pixels.
    public var box: [Int]?
    /// A point on one of the hand's tiles, which selects the hand.
    public var focus: Focus
    /// The hand in one line of notation.
    public var notation: String

    enum CodingKeys: String, CodingKey {
        case box
        case focus
        case notation
    }
}

/// Reason why there is no score.
public struct NoScore: Codable, Equatable, Sendable {
    /// Explanation in the requested language.
    public var detail: String
    /// Kind of the reason.
    public var kind: String

    enum CodingKeys: String, CodingKey {
        case detail
        case kind
    }
}

/// Photo of a hand of which several were sent, as JSON.
public struct PhotoOfHand: Codable, Equatable, Sendable {
    /// Whether the reading's polygons, points and boxes are in the pixels of this photo.
    public var base: Bool
    /// Path of the file that was read, if there was one.
    public var file: String?
    /// Height of the upright photo in pixels.
    public var height: Int
    /// Index of the photo among those of the hand, counted from 0.
    public var index: Int
    /// Reason why the photo was left out.
    public var leftOut: String?
    /// Explanation of `left_out` in the requested language.
    public var reason: String?
    /// Number of tiles of the hand that the photo shows.
    public var tiles: Int
    /// Whether the photo is used. A photo whose tiles differ from those of the others is left out.
    public var used: Bool
    /// Width of the upright photo in pixels.
    public var width: Int

    enum CodingKeys: String, CodingKey {
        case base
        case file
        case height
        case index
        case leftOut = "left_out"
        case reason
        case tiles
        case used
        case width
    }
}

/// Possible totals.
public struct CompactRange: Codable, Equatable, Sendable {
    /// Whether the hand is a legal win; `null` if that depends on the open questions.
    public var legal: Bool?
    /// Highest total.
    public var max: Int
    /// Lowest total.
    public var min: Int
    /// Open questions that the total depends on: `winning_tile`, or a field of the context. The
    /// question that narrows the range most comes first.
    public var `open`: [String]
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// this range are then possible too, and `text` says so. Absent if not.
    public var partial: Bool?
    /// Statement whether the minimum is reached with all, some or none of the answers, in the
    /// requested language, or that not all combinations were tried. Absent if the rules have no
    /// minimum.
    public var text: String?

    enum CodingKeys: String, CodingKey {
        case legal
        case max
        case min
        case `open`
        case partial
        case text
    }
}

/// A single change that turns a hand that does not win into a winning one.
public struct CompactRepair: Codable, Equatable, Sendable {
    /// Box to cut out of the photo to show the tile, if the photo shows it.
    public var box: [Int]?
    /// `rename`, `leave_out` or `add`.
    public var change: String
    /// Face in the hand before the change; absent for `add`.
    public var from: String?
    /// The hand after the change, in one line of notation. It can be sent as the `hand` of a
    /// request.
    public var hand: String
    /// Whether the hand would be a legal win; `null` if that depends on the open questions.
    public var legal: Bool?
    /// Highest possible total after the change, if there are several.
    public var max: Int?
    /// Lowest possible total after the change, if there are several.
    public var min: Int?
    /// Probability of this repair among all repairs.
    public var p: Double
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// `min` and `max` are then possible too. Absent if not.
    public var partial: Bool?
    /// Description of the change in the requested language.
    public var text: String
    /// Face in the hand after the change; absent for `leave_out`.
    public var to: String?
    /// Total of the hand after the change.
    public var total: Int

    enum CodingKeys: String, CodingKey {
        case box
        case change
        case from
        case hand
        case legal
        case max
        case min
        case p
        case partial
        case text
        case to
        case total
    }
}

/// A score without the details of its lines.
public struct CompactScore: Codable, Equatable, Sendable {
    /// Context fields that got a default, with its value as `context` takes it.
    public var assumed: WinContext
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`.
    public var assumedRedFives: [String]?
    /// Lines that count.
    public var awards: [CompactAward]
    /// Whether 13 han and more are paid as a yakuman, in riichi alone.
    public var countedYakuman: Bool?
    /// Tai that a player and the dealer owe each other besides; absent in games without tai.
    public var dealerTai: Int?
    /// Faan of the hand, cut at the limit; absent in games without faan. It equals `total`.
    public var faan: Int?
    /// Fu, in riichi alone; `null` for a yakuman, and for a hand without a yaku.
    public var fu: Int?
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    public var han: Int?
    /// Whether the minimum is reached.
    public var legal: Bool
    /// Limit that the hand reaches, in riichi alone; `null` below a mangan.
    public var limit: String?
    /// Whether a line is worth the limit by itself; absent in games without faan.
    public var limitHand: Bool?
    /// Values of the hands that did not win, in rule sets that score every player.
    public var others: [CompactOtherScore]?
    /// Gain or loss of every seat.
    public var payments: Payments
    /// Possible totals, if a value that is not given changes the total.
    public var range: CompactRange?
    /// Faan before the limit cuts them; absent in games without faan.
    public var rawFaan: Int?
    /// Tai before the cap cuts them; absent in games without tai.
    public var rawTai: Int?
    /// Rule set that was applied; `null` if the options are not those of a named rule set.
    public var ruleset: String?
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. Neither
    /// `total` nor `payments` includes them.
    public var sticks: Int?
    /// Tai of the hand, cut at the cap; absent in games without tai. It equals `total`.
    public var tai: Int?
    /// Points that hands are compared by.
    public var total: Int
    /// Seats whose hands would affect the payments but were not given.
    public var unsettled: [String]?
    /// Explanation of the total and of the minimum, in the requested language.
    public var verdict: String
    /// Number of yakuman that are paid, in riichi alone. A counted one is not among them.
    public var yakuman: Int?

    enum CodingKeys: String, CodingKey {
        case assumed
        case assumedRedFives = "assumed_red_fives"
        case awards
        case countedYakuman = "counted_yakuman"
        case dealerTai = "dealer_tai"
        case faan
        case fu
        case han
        case legal
        case limit
        case limitHand = "limit_hand"
        case others
        case payments
        case range
        case rawFaan = "raw_faan"
        case rawTai = "raw_tai"
        case ruleset
        case sticks
        case tai
        case total
        case unsettled
        case verdict
        case yakuman
    }
}

/// Use of an own set, as JSON.
public struct SetUse: Codable, Equatable, Sendable {
    /// The choice that was asked for: the name of a set, or `auto`.
    public var asked: String
    /// Fit of the best set to the photo, at most 1; absent if it shows too few tiles.
    public var fit: Double?
    /// Identity of that set: a hash of all that is in it.
    public var id: String?
    /// Name of the set that was used; `null` if none explains the photo, which is then read by the
    /// networks alone.
    public var used: String?

    enum CodingKeys: String, CodingKey {
        case asked
        case fit
        case id
        case used
    }
}

/// Size of the upright photo in pixels.
public struct Image: Codable, Equatable, Sendable {
    /// Distance from the top to the bottom edge.
    public var height: Int
    /// Distance from the left to the right edge.
    public var width: Int

    enum CodingKeys: String, CodingKey {
        case height
        case width
    }
}

/// The networks, by the SHA-256 of their files.
public struct Models: Codable, Equatable, Sendable {
    /// The network that classifies tiles.
    public var classifier: String
    /// The network that finds tiles.
    public var detector: String
    /// The network that classifies tiles in doubt again, if there is one.
    public var largeClassifier: String?
    /// The network that refines the corners of tiles, if one was used.
    public var refiner: String?

    enum CodingKeys: String, CodingKey {
        case classifier
        case detector
        case largeClassifier = "large_classifier"
        case refiner
    }
}

/// Reading of a hand that did not win.
public struct CompactOther: Codable, Equatable, Sendable {
    /// Fields of the win context that were given with the photo, and the rule set that it was read
    /// by. A request that sends the reading back takes from here what it leaves out.
    public var context: WinContext?
    /// Level of detail: always `compact`, which a full answer does not have.
    public var detail: String
    /// Doubts about the reading.
    public var doubts: [CompactDoubt]
    /// The hand, complete or not.
    public var hand: Hand
    /// Whole hands in the photo, if it shows more than one. The first one is the hand of the
    /// reading.
    public var handsInView: [CompactHandInView]?
    /// Reason why there is no score; absent beside one.
    public var noScore: NoScore?
    /// Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
    /// answered.
    public var photos: [PhotoOfHand]?
    /// Possible totals for any answers to the doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    public var possible: CompactRange?
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    public var repairs: [CompactRepair]?
    /// The score, if the hand wins.
    public var score: CompactScore?
    /// Probability that the score is right; 0 without a score. Absent once doubts are answered.
    public var scoreProbability: Double?
    /// Own set that the tiles were named with, if the request asked for one. Absent once doubts are
    /// answered.
    public var set: SetUse?
    /// Whether the reading is reliable.
    public var status: String
    /// Winning tile that the score assumes if no tile of the photo lies apart.
    public var supposedWinningTile: String?
    /// Path of the file that was read, if there was one.
    public var file: String?
    /// Size of the upright photo.
    public var image: Image
    /// Seat of the player.
    public var seat: String

    enum CodingKeys: String, CodingKey {
        case context
        case detail
        case doubts
        case hand
        case handsInView = "hands_in_view"
        case noScore = "no_score"
        case photos
        case possible
        case repairs
        case score
        case scoreProbability = "score_probability"
        case set
        case status
        case supposedWinningTile = "supposed_winning_tile"
        case file
        case image
        case seat
    }
}

/// Score by one of several rule sets.
public struct CompactRulesetScore: Codable, Equatable, Sendable {
    /// Reason why the hand can't be scored; `null` beside a score.
    public var problem: ProblemDetails?
    /// The rule set.
    public var ruleset: String
    /// The score; `null` if the hand can't be scored by these rules.
    public var score: CompactScore?

    enum CodingKeys: String, CodingKey {
        case problem
        case ruleset
        case score
    }
}

/// Differences between a reading and the corrected hand.
public struct Changes: Codable, Equatable, Sendable {
    /// Whether the flowers differ.
    public var flowers: Bool
    /// Codes of lines that count now and did not before, or that count more often.
    public var gained: [String]
    /// Codes of lines that counted before and do not now, or that count less often.
    public var lost: [String]
    /// Whether the hand is divided differently: which sets are melds, their kinds and their
    /// sources.
    public var structure: Bool
    /// Tiles that were misread, missed or surplus.
    public var tiles: [TileChange]
    /// Total points before and after the correction, both by the rule set and the win context that
    /// count now.
    public var total: TotalChange
    /// The winning tile, if it differs.
    public var winningTile: TileChange?

    enum CodingKeys: String, CodingKey {
        case flowers
        case gained
        case lost
        case structure
        case tiles
        case total
        case winningTile = "winning_tile"
    }
}

/// A further winner by the discard of the last entry, who may be entered.
public struct FurtherWin: Codable, Equatable, Sendable {
    /// Player who discarded the tile.
    public var discarder: Int
    /// Players who may have won by it too.
    public var winners: [Int]

    enum CodingKeys: String, CodingKey {
        case discarder
        case winners
    }
}

/// A change in the history.
public struct GameChange: Codable, Equatable, Sendable {
    /// Action that was applied.
    public var action: JSON?
    /// Time in milliseconds since 1970.
    public var at: Int64
    /// Author of the change, as they call themselves.
    public var by: String?
    /// `Idempotency-Key` of the request; shown to players only.
    public var key: String?
    /// Number of the change, from 1; an entry is named by the number of the change that added it.
    public var number: Int
    /// Whether the change was taken back.
    public var undone: Bool

    enum CodingKeys: String, CodingKey {
        case action
        case at
        case by
        case key
        case number
        case undone
    }
}

/// A deal.
public struct Deal: Codable, Equatable, Sendable {
    /// Players whose hands are dead, in riichi alone. Absent if none is.
    public var dead: [Int]?
    /// Player who deals, in the game of sixteen tiles alone: the opened wall may give other winds.
    public var dealer: Int?
    /// Players who declared riichi in this deal before the entry, in riichi alone.
    public var declared: [Int]?
    /// Number of counters on the table, in riichi alone.
    public var honba: Int?
    /// Reasons for which the deal may be aborted now, in riichi alone. Only of the deal that is
    /// played next.
    public var mayAbort: [String]?
    /// Players who may still declare riichi, in riichi alone: they have no stick on the table, and
    /// the points for one where the rules require these. Only of the deal that is played next.
    public var mayDeclare: [Int]?
    /// Whether discards that are all terminals and honors are paid as a mangan, in riichi alone.
    /// Only of the deal that is played next.
    public var mayNagashi: Bool?
    /// Players who may win the deal or be ready at its end, in riichi alone: none once it must be
    /// aborted, and nobody whose hand is dead. Only of the deal that is played next.
    public var mayWin: [Int]?
    /// Number in the game, from 1.
    public var number: Int
    /// Number of times in a row that this dealer has dealt again.
    public var repeats: Int
    /// Number of riichi sticks on the table, in riichi alone.
    public var riichiSticks: Int?
    /// Wind of the round.
    public var round: String
    /// Players at East, South, West and North; East deals, unless `dealer` names another player.
    public var seats: [Int]

    enum CodingKeys: String, CodingKey {
        case dead
        case dealer
        case declared
        case honba
        case mayAbort = "may_abort"
        case mayDeclare = "may_declare"
        case mayNagashi = "may_nagashi"
        case mayWin = "may_win"
        case number
        case repeats
        case riichiSticks = "riichi_sticks"
        case round
        case seats
    }
}

/// A row of the score sheet.
public struct GameRow: Codable, Equatable, Sendable {
    /// Whether the entry was corrected since it was added.
    public var corrected: Bool
    /// Deal of the entry; `null` for points that were entered after the last deal.
    public var deal: Deal?
    /// Id of the entry, which a correction names.
    public var entry: Int
    /// Player who is liable for the hand, named by the entry or by the `feeder` of its win context.
    /// Absent if none is.
    public var liable: Int?
    /// Points that each player gains or loses by the entry.
    public var payments: [Int]
    /// Points that the entry takes off the result of its player in the end, in riichi. Absent if it
    /// takes none.
    public var penalty: Int?
    /// Event of the deal.
    public var play: JSON?
    /// Whether the hand counts with riichi because its winner laid a stick in the deal, although
    /// riichi was not stated with it. Absent otherwise.
    public var riichiByStick: Bool?
    /// Score of the won hand.
    public var score: GameRowScore?
    /// Total points of each player after the entry.
    public var totals: [Int]

    enum CodingKeys: String, CodingKey {
        case corrected
        case deal
        case entry
        case liable
        case payments
        case penalty
        case play
        case riichiByStick = "riichi_by_stick"
        case score
        case totals
    }
}

/// The place of a player.
public struct GamePlace: Codable, Equatable, Sendable {
    /// Points of the sticks that are left on the table, in riichi alone.
    public var leftSticks: Int?
    /// Points of the first beyond those of the start that the others put in, in riichi alone.
    public var oka: Int?
    /// Points that false wins take off the result, in riichi alone. Absent if none do.
    public var penalty: Int?
    /// Place, from 1; players with equal totals share it.
    public var place: Int
    /// The player.
    public var player: Int
    /// Result with uma and oka, in riichi alone: the points with those of the start, less those
    /// that the result is counted from, with `uma`, `oka` and `left_sticks`, less `penalty`.
    public var result: Int?
    /// Tournament points for the place; players with equal totals share them. `null` where the
    /// rules have none.
    public var tablePoints: Double?
    /// Points that are missing to the player before; 0 for the first.
    public var toNext: Int
    /// Total points won and lost.
    public var total: Int
    /// Points of the place, in riichi alone.
    public var uma: Int?

    enum CodingKeys: String, CodingKey {
        case leftSticks = "left_sticks"
        case oka
        case penalty
        case place
        case player
        case result
        case tablePoints = "table_points"
        case toNext = "to_next"
        case total
        case uma
    }
}

/// A missing value that changes the total.
public struct OpenField: Codable, Equatable, Sendable {
    /// Possible values, each with the range that remains.
    public var answers: [OpenAnswer]
    /// `winning_tile`, or a field of the context: `win`, `seat`, `prevalent`, `riichi`, `ippatsu`
    /// or `declared`.
    public var field: String

    enum CodingKeys: String, CodingKey {
        case answers
        case field
    }
}

/// Tiles that a photo shows in which no hand was found.
public struct SeenInPhoto: Codable, Equatable, Sendable {
    /// Number of tiles that the photo shows.
    public var count: Int
    /// Height of the upright photo in pixels.
    public var height: Int
    /// The tiles, at most a screenful.
    public var tiles: [TileInPhoto]
    /// Width of the upright photo in pixels.
    public var width: Int

    enum CodingKeys: String, CodingKey {
        case count
        case height
        case tiles
        case width
    }
}

/// A field of the win context, with its values.
public struct FieldChoices: Codable, Equatable, Sendable {
    /// Value if the field is absent.
    public var `default`: JSON?
    /// Name of the field in the `context`.
    public var field: String
    /// Possible values; empty if they depend on the hand.
    public var values: [JSON?]

    enum CodingKeys: String, CodingKey {
        case `default`
        case field
        case values
    }
}

/// Conventions for laying tiles on the table, as far as rule sets differ.
public struct Conventions: Codable, Equatable, Sendable {
    /// Number of tiles of a claimed kong that lie sideways.
    public var turnedInClaimedKong: String

    enum CodingKeys: String, CodingKey {
        case turnedInClaimedKong = "turned_in_claimed_kong"
    }
}

/// Size of a winning hand.
public struct HandSize: Codable, Equatable, Sendable {
    /// Number of sets beside the pair.
    public var sets: Int
    /// Number of tiles with the winning one, each kong counted as three.
    public var tiles: Int

    enum CodingKeys: String, CodingKey {
        case sets
        case tiles
    }
}

/// A line of a rule set.
public struct RulesetLine: Codable, Equatable, Sendable {
    /// Code of the line, the same in all languages.
    public var code: String
    /// Doubles of one occurrence, in steps of one half.
    public var doublings: Double?
    /// Conditions of the line.
    public var explanation: String
    /// Faan of one occurrence; the limit for a line that is worth it, 0 for a line that is not
    /// played.
    public var faan: Int?
    /// Han of the line in a closed hand.
    public var han: Int?
    /// Han of the line in an open hand; absent if only a closed hand can have it.
    public var hanOpen: Int?
    /// Limits of one occurrence, in steps of one half.
    public var limits: Double?
    /// Name of the line in the requested language.
    public var name: String
    /// Name of the line in every language.
    public var names: Names
    /// Number of the line, if the rules number their lines, as those of the WMO do.
    public var number: Int?
    /// Reference to the paragraph in the rules.
    public var paragraph: String
    /// Points of one occurrence; 0 for doubles, limits, faan and tai.
    public var points: Int
    /// Tai of one occurrence; 0 for a line that is not played.
    public var tai: Int?

    enum CodingKeys: String, CodingKey {
        case code
        case doublings
        case explanation
        case faan
        case han
        case hanOpen = "han_open"
        case limits
        case name
        case names
        case number
        case paragraph
        case points
        case tai
    }
}

/// A point on which published versions of the rules differ.
public struct RulesetOption: Codable, Equatable, Sendable {
    /// Explanation of the option.
    public var explanation: String
    /// Name of the option.
    public var name: String
    /// A number, a word, or whether the option is set.
    public var value: JSON?

    enum CodingKeys: String, CodingKey {
        case explanation
        case name
        case value
    }
}

/// Payments for a hand, for one winner and discarder.
public struct PaymentRule: Codable, Equatable, Sendable {
    /// Seat that discarded the winning tile; `null` on a self-draw.
    public var discarder: String?
    /// Share of each seat that pays.
    public var shares: [Share]
    /// Seat that won.
    public var winner: String

    enum CodingKeys: String, CodingKey {
        case discarder
        case shares
        case winner
    }
}

/// Payments for hands of some han and fu.
public struct ValueRow: Codable, Equatable, Sendable {
    /// Payment of a discarder to a player other than East; `null` if no hand is claimed with these
    /// han and fu.
    public var discard: Int?
    /// Payment of a discarder to East.
    public var discardToEast: Int?
    /// Fu of the row; `null` if they make no difference.
    public var fu: Int?
    /// Least han of the row.
    public var han: Int
    /// Limit of the row; `null` below a mangan.
    public var limit: String?
    /// Payment of East for another player's self-draw; `null` if no hand is drawn with these han
    /// and fu.
    public var selfDrawEast: Int?
    /// Payment of each of the others for it.
    public var selfDrawOthers: Int?
    /// Payment of each player for East's self-draw.
    public var selfDrawToEast: Int?

    enum CodingKeys: String, CodingKey {
        case discard
        case discardToEast = "discard_to_east"
        case fu
        case han
        case limit
        case selfDrawEast = "self_draw_east"
        case selfDrawOthers = "self_draw_others"
        case selfDrawToEast = "self_draw_to_east"
    }
}

/// A possible answer to a doubt.
public struct CompactChoice: Codable, Equatable, Sendable {
    /// Text of the answer, for people.
    public var answer: String
    /// The hand after this answer, in one line of notation. Absent if the answer is the winning
    /// tile or the tile of a face-down kong, because the tile says it all, and if the answer alone
    /// does not determine the hand.
    public var hand: String?
    /// Highest possible total after this answer, if there are several.
    public var max: Int?
    /// Lowest possible total after this answer, if there are several.
    public var min: Int?
    /// Probability of the answer.
    public var p: Double
    /// Gain or loss of every seat after this answer, if the answers differ in nothing else or if
    /// the hands of several players were sent.
    public var payments: Payments?
    /// Value to send back for this answer.
    public var send: String
    /// Total of the hand after this answer; `null` if it would not be a winning hand.
    public var total: Int?

    enum CodingKeys: String, CodingKey {
        case answer
        case hand
        case max
        case min
        case p
        case payments
        case send
        case total
    }
}

/// A point in a photo.
public struct Focus: Codable, Equatable, Sendable {
    /// Pixels from the left edge.
    public var x: Int
    /// Pixels from the upper edge.
    public var y: Int

    enum CodingKeys: String, CodingKey {
        case x
        case y
    }

    public init(
        x: Int,
        y: Int
    ) {
        self.x = x
        self.y = y
    }
}

/// A line that counts, without its details.
public struct CompactAward: Codable, Equatable, Sendable {
    /// Code of the line, the same in all languages.
    public var code: String
    /// Number of times that the line counts.
    public var count: Int
    /// Doubles of one occurrence, in steps of one half.
    public var doublings: Double?
    /// Faan of the line, all occurrences together; the limit for a line that is worth it.
    public var faan: Int?
    /// Han of the line in riichi; of dora those of all their tiles.
    public var han: Int?
    /// Limits of one occurrence, in steps of one half.
    public var limits: Double?
    /// Name of the line in the requested language.
    public var name: String
    /// Points of one occurrence; 0 for doubles, limits, faan, tai and han.
    public var points: Int
    /// Tai of the line, all occurrences together.
    public var tai: Int?

    enum CodingKeys: String, CodingKey {
        case code
        case count
        case doublings
        case faan
        case han
        case limits
        case name
        case points
        case tai
    }
}

/// Value of a hand that did not win.
public struct CompactOtherScore: Codable, Equatable, Sendable {
    /// Lines that count.
    public var awards: [CompactAward]
    /// Seat of the player.
    public var seat: String
    /// Value of the hand.
    public var total: Int

    enum CodingKeys: String, CodingKey {
        case awards
        case seat
        case total
    }
}

/// A tile and its correction.
public struct TileChange: Codable, Equatable, Sendable {
    /// Correct tile; `null` if there is no tile.
    public var `is`: String?
    /// Tile that was read; `null` if none was.
    public var was: String?

    enum CodingKeys: String, CodingKey {
        case `is`
        case was
    }
}

/// Total points before and after a correction.
public struct TotalChange: Codable, Equatable, Sendable {
    /// Points of the corrected hand; `null` if it has no score.
    public var `is`: Int?
    /// Points of the hand as it was read; `null` if it has no score.
    public var was: Int?

    enum CodingKeys: String, CodingKey {
        case `is`
        case was
    }
}

/// Short score of a row; `POST /v1/score` explains it.
public struct GameRowScore: Codable, Equatable, Sendable {
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`.
    public var assumedRedFives: [String]?
    /// Lines that count.
    public var awards: [GameRowAward]
    /// Whether 13 han and more are paid as a yakuman, in riichi alone.
    public var countedYakuman: Bool?
    /// Tai that the dealer and another player owe each other beside those of the hand; absent in
    /// games without tai.
    public var dealerTai: Int?
    /// Explanation of the total, if points are doubled; absent if they are only added up.
    public var doubling: Doubling?
    /// Faan of the hand, cut at the limit; absent in games without faan. It equals `total`.
    public var faan: Int?
    /// Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman.
    public var fu: Int?
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    public var han: Int?
    /// Whether a player may be liable for the hand by its melds, and none was named: then `liable`
    /// or `feeder` of the win can change the payments. Absent otherwise.
    public var liabilityOpen: Bool?
    /// Limit that the hand reaches, in riichi alone; `null` below a mangan.
    public var limit: String?
    /// Whether a line is worth the limit by itself; absent in games without faan.
    public var limitHand: Bool?
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. They are
    /// part of the row's `payments`, and not of `total`.
    public var sticks: Int?
    /// Tai of the hand, cut at the cap; absent in games without tai. It equals `total`.
    public var tai: Int?
    /// Total by which hands are compared.
    public var total: Int
    /// Value that the payments are based on.
    public var value: Int
    /// Number of yakuman that are paid, in riichi alone. A counted one is not among them.
    public var yakuman: Int?

    enum CodingKeys: String, CodingKey {
        case assumedRedFives = "assumed_red_fives"
        case awards
        case countedYakuman = "counted_yakuman"
        case dealerTai = "dealer_tai"
        case doubling
        case faan
        case fu
        case han
        case liabilityOpen = "liability_open"
        case limit
        case limitHand = "limit_hand"
        case sticks
        case tai
        case total
        case value
        case yakuman
    }
}

/// A possible value of a missing field.
public struct OpenAnswer: Codable, Equatable, Sendable {
    /// The value: a tile, or a value of the context field; of `declared` an empty text where
    /// nothing was declared.
    public var answer: String
    /// Highest total that is then possible.
    public var max: Int
    /// Lowest total that is then possible.
    public var min: Int

    enum CodingKeys: String, CodingKey {
        case answer
        case max
        case min
    }
}

/// A tile that a photo shows.
public struct TileInPhoto: Codable, Equatable, Sendable {
    /// Box around the tile in whole pixels: left, top, right and bottom edge.
    public var box: [Int]
    /// Code of the tile, `back`, or `none` if it is not a face.
    public var tile: String

    enum CodingKeys: String, CodingKey {
        case box
        case tile
    }
}

/// A name in every language.
public struct Names: Codable, Equatable, Sendable {
    /// Danish.
    public var da: String
    /// German.
    public var de: String
    /// English.
    public var en: String
    /// Japanese.
    public var ja: String
    /// Pinyin of the name in traditional characters, in the game of sixteen tiles alone.
    public var pinyin: String?
    /// Swedish.
    public var sv: String
    /// Chinese in simplified characters.
    public var zh: String
    /// Chinese in traditional characters.
    public var zhHant: String

    enum CodingKeys: String, CodingKey {
        case da
        case de
        case en
        case ja
        case pinyin
        case sv
        case zh
        case zhHant = "zh_hant"
    }
}

/// Payment of a seat: `basic + value * times / per` points, rounded down, and `for_streak` for each
/// deal that the dealer has stayed on.
public struct Share: Codable, Equatable, Sendable {
    /// Fixed payment for every hand.
    public var basic: Int
    /// Fixed payment besides for each deal that the dealer has stayed on, in the game of sixteen
    /// tiles alone. There the seats are counted from the dealer as East.
    public var forStreak: Int?
    /// Denominator of the share of the hand's value.
    public var per: Int
    /// Seat that pays.
    public var seat: String
    /// Numerator of the share of the hand's value.
    public var times: Int

    enum CodingKeys: String, CodingKey {
        case basic
        case forStreak = "for_streak"
        case per
        case seat
        case times
    }
}

/// A line that counts.
public struct GameRowAward: Codable, Equatable, Sendable {
    /// Code of the line, the same in all languages.
    public var code: String
    /// Number of times that the line counts.
    public var count: Int
    /// Doubles of one occurrence, in steps of one half.
    public var doublings: Double?
    /// Faan of the line, all occurrences together; the limit for a line that is worth it.
    public var faan: Int?
    /// Han of the line in riichi; of dora those of all their tiles.
    public var han: Int?
    /// Limits of one occurrence, in steps of one half.
    public var limits: Double?
    /// Name of the line in the requested language.
    public var name: String
    /// Points of one occurrence; 0 for doubles, limits, faan, tai and han.
    public var points: Int
    /// Tai of the line, all occurrences together.
    public var tai: Int?

    enum CodingKeys: String, CodingKey {
        case code
        case count
        case doublings
        case faan
        case han
        case limits
        case name
        case points
        case tai
    }
}
