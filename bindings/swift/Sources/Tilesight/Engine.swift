import CTilesight
import Foundation

/// Hand of another player, for rule sets that score everybody.
public struct Other: Codable, Equatable, Sendable {
    public var seat: String
    public var hand: String

    public init(seat: String, hand: String) {
        self.seat = seat
        self.hand = hand
    }
}

/// Hand in all its forms: as an object and as a line of notation.
public struct WrittenHand: Codable, Equatable, Sendable {
    public let hand: Hand
    public let context: WinContext
    public let notation: String
}

/// The engine: scores hands by the shipped rule sets and by those of profiles. Threads may share it.
public final class Engine: Sendable {
    let handle: Handle

    /// Makes an engine. `profiles` are the texts of profile files.
    public init(profiles: [String] = []) throws {
        let json = try JSONEncoder().encode(profiles)
        handle = try Handle(json.pass { tilesight_engine($0, $1) })
    }

    /// Scores a hand in notation, such as `[EEE,2]123m456p789s5s5s`.
    public func score(
        _ hand: String, context: WinContext = WinContext(), others: [Other] = [], language: Language = .english
    ) throws -> Score {
        try score(Request(hand: hand, context: context, others: others), language)
    }

    /// Scores a hand of tiles.
    public func score(
        _ hand: Hand, context: WinContext = WinContext(), others: [Other] = [], language: Language = .english
    ) throws -> Score {
        try score(Request(hand: hand, context: context, others: others), language)
    }

    /// Scores a hand by several rule sets, side by side.
    public func scores(
        _ hand: String, rulesets: [String], context: WinContext = WinContext(), language: Language = .english
    ) throws -> [RulesetScore] {
        let request = Request(hand: hand, context: context, others: [], rulesets: rulesets)
        let json = try JSONEncoder().encode(request)
        return try Library.decode(
            handle.call { engine in json.pass { tilesight_score(engine, $0, $1, language.rawValue) } })
    }

    /// Answers a request of `POST /v1/score`, from JSON to JSON.
    public func scoreJSON(_ request: Data, language: Language = .english) throws -> Data {
        try Library.data(
            handle.call { engine in request.pass { tilesight_score(engine, $0, $1, language.rawValue) } })
    }

    /// Returns a hand as an object and as notation. The tiles need not be a whole hand.
    public func hand(_ hand: String, context: WinContext = WinContext()) throws -> WrittenHand {
        let json = try JSONEncoder().encode(Request(hand: hand, context: context, others: []))
        return try Library.decode(handle.call { engine in json.pass { tilesight_hand(engine, $0, $1, nil) } })
    }

    /// Returns the rule sets with their options and lines.
    public func rulesets(language: Language = .english) throws -> Rulesets {
        try Library.decode(handle.call { engine in tilesight_rulesets(engine, language.rawValue) })
    }

    private func score<T: Encodable>(_ request: Request<T>, _ language: Language) throws -> Score {
        let json = try JSONEncoder().encode(request)
        return try Library.decode(
            handle.call { engine in json.pass { tilesight_score(engine, $0, $1, language.rawValue) } })
    }
}

/// Request to score a hand.
private struct Request<T: Encodable>: Encodable {
    var hand: T
    var context: WinContext
    var others: [Other]
    var rulesets: [String]?
}

/// An evening of deals. Its record is what to keep; an evening is opened again with it.
public struct Evening: Sendable {
    private let engine: Engine
    /// The evening, as JSON.
    public private(set) var record: Data

    /// Opens an evening.
    public init(engine: Engine, record: Data) {
        self.engine = engine
        self.record = record
    }

    /// Begins an evening of four players, from East to North.
    public init(engine: Engine, players: [String], ruleset: String? = nil, title: String? = nil) throws {
        struct Begin: Encodable {
            let players: [String]
            let ruleset: String?
            let title: String?
        }
        let json = try JSONEncoder().encode(Begin(players: players, ruleset: ruleset, title: title))
        self.engine = engine
        record = try Library.data(
            engine.handle.call { engine in json.pass { tilesight_game_begin(engine, $0, $1, nil) } })
    }

    /// Applies a change: the JSON of an action of `POST /v1/games/{id}/changes`, such as
    /// `{"kind": "add", "play": {"kind": "draw"}}`.
    public mutating func change(_ action: Data, by: String? = nil, at: Date = Date()) throws {
        // The text is passed on as it is: the library says what is wrong with it.
        var text = Data("{\"action\":".utf8) + action
        if let by { text += Data(",\"by\":".utf8) + (try JSONEncoder().encode(by)) }
        let change = text + Data("}".utf8)
        let time = UInt64(max(0, at.timeIntervalSince1970 * 1000))
        let before = record
        let changed = engine.handle.call { engine in
            before.pass { record, length in
                change.pass { tilesight_game_change(engine, record, length, $0, $1, time, nil) }
            }
        }
        record = try Library.data(changed)
    }

    /// Returns deals, payments, totals and standings.
    public func view(language: Language = .english) throws -> Game {
        try Library.decode(
            engine.handle.call { engine in record.pass { tilesight_game_view(engine, $0, $1, language.rawValue) } })
    }

    /// Returns the score sheet as comma-separated values.
    public func csv() throws -> String {
        let table = try Library.data(
            engine.handle.call { engine in record.pass { tilesight_game_table(engine, $0, $1, nil) } })
        return String(decoding: table, as: UTF8.self)
    }
}
