import CTilesight
import Foundation

/// Own set of tiles: its file, as `tilesight set learn` writes it.
public struct SetFile: Equatable, Sendable {
    public let data: Data

    public init(data: Data) {
        self.data = data
    }

    /// Checks the file, and returns what the set knows.
    public func content() throws -> SetContent {
        try Library.decode(data.pass { tilesight_set($0, $1, nil) })
    }

    var text: String { String(decoding: data, as: UTF8.self) }
}

/// Knowledge of an own set: its name, its id, its faces and those that are missing.
public struct SetContent: Codable, Equatable, Sendable {
    /// Face that a set knows, and the number of tiles that it was learned from.
    public struct Face: Codable, Equatable, Sendable {
        public let face: String
        public let tiles: Int
    }

    public let name: String
    public let id: String
    public let faces: [Face]
    public let missing: [String]
}

/// Tile of a sheet: the name that is proposed, whether that is sure, and the corners of the tile.
public struct SheetTile: Codable, Equatable, Sendable {
    public let name: String?
    public let sure: Bool
    public let seen: String
    public let polygon: [[Double]]
}

/// Options of a reading.
public struct ReadOptions: Codable, Equatable, Sendable {
    public var context: WinContext
    public var rulesets: [String]?
    /// Name of the own set to read with, `auto` or `none`.
    public var set: String?
    /// Point in the hand that is meant, in pixels of the photo.
    public var focus: Focus?

    public init(context: WinContext = WinContext(), rulesets: [String]? = nil, set: String? = nil, focus: Focus? = nil) {
        self.context = context
        self.rulesets = rulesets
        self.set = set
        self.focus = focus
    }
}

/// Content of a photo: the hand, its score, and the questions that are open.
public struct Reading: Sendable {
    /// The reading, with everything that the program knows.
    public let answer: CompactAnswer
    private let engine: Engine
    private let options: ReadOptions
    private let json: JSON

    init(engine: Engine, options: ReadOptions, data: Data) throws {
        self.engine = engine
        self.options = options
        answer = try JSONDecoder().decode(CompactAnswer.self, from: data)
        json = try JSONDecoder().decode(JSON.self, from: data)
    }

    /// Returns the reading after answers to its doubts, by their ids.
    public func answer(_ answers: [String: String], language: Language = .english) throws -> CompactAnswered {
        struct Given: Encodable {
            let doubt: String
            let answer: String
        }
        struct Request: Encodable {
            let reading: JSON
            let answers: [Given]
            let context: WinContext
            let rulesets: [String]?
            let detail: String
        }
        let given = answers.map { Given(doubt: $0.key, answer: $0.value) }
        let request = Request(
            reading: json, answers: given, context: options.context, rulesets: options.rulesets, detail: "compact")
        let body = try JSONEncoder().encode(request)
        return try Library.decode(
            engine.handle.call { engine in body.pass { tilesight_answers(engine, $0, $1, language.rawValue) } })
    }
}

/// Reader of photos. Threads may share it.
public final class Reader: Sendable {
    private let handle: Handle

    /// Loads the networks of a folder, run by ONNX Runtime's library. A library other than the
    /// pinned one needs its SHA-256. `sets` are own sets to read with.
    public init(models: String, library: String, librarySHA256: String? = nil, sets: [SetFile] = []) throws {
        struct Options: Encodable {
            let models: String
            let library: String
            let library_sha256: String?
            let sets: [String]
        }
        let options = Options(
            models: models, library: library, library_sha256: librarySHA256, sets: sets.map { $0.text })
        let json = try JSONEncoder().encode(options)
        handle = try Handle(json.pass { tilesight_reader($0, $1) })
    }

    /// Reads a photo: the bytes of a JPEG, PNG, WebP, HEIC or AVIF.
    public func read(
        _ photo: Data, engine: Engine, options: ReadOptions = ReadOptions(), language: Language = .english
    ) throws -> Reading {
        try read(photo, lengths: nil, engine: engine, options: options, language: language)
    }

    /// Reads several photos of one hand.
    public func read(
        together photos: [Data], engine: Engine, options: ReadOptions = ReadOptions(), language: Language = .english
    ) throws -> Reading {
        let lengths = photos.map { $0.count }
        return try read(Data(photos.joined()), lengths: lengths, engine: engine, options: options, language: language)
    }

    /// Finds the rows of a sheet, a photo of all tiles of a set, and proposes names.
    public func sheet(_ photo: Data) throws -> [[SheetTile]] {
        try Library.decode(handle.call { reader in photo.pass { tilesight_sheet(reader, nil, 0, $0, $1, nil) } })
    }

    /// Learns an own set from a sheet. `names` has a line for each row; they are proposed without it.
    public func learn(_ photo: Data, name: String, names: String? = nil) throws -> SetFile {
        struct Options: Encodable {
            let name: String
            let names: String?
        }
        let options = try JSONEncoder().encode(Options(name: name, names: names))
        let learned = handle.call { reader in
            options.pass { options, length in
                photo.pass { tilesight_learn(reader, options, length, $0, $1, nil) }
            }
        }
        return SetFile(data: try Library.data(learned))
    }

    /// Merges own sets that were learned of the same tiles.
    public func merge(_ sets: [SetFile], name: String? = nil) throws -> SetFile {
        struct Options: Encodable {
            let files: [Int]
            let name: String?
        }
        let options = try JSONEncoder().encode(Options(files: sets.map { $0.data.count }, name: name))
        let files = Data(sets.map { $0.data }.joined())
        let merged = handle.call { reader in
            options.pass { options, length in
                files.pass { tilesight_merge(reader, options, length, $0, $1, nil) }
            }
        }
        return SetFile(data: try Library.data(merged))
    }

    private func read(
        _ photo: Data, lengths: [Int]?, engine: Engine, options: ReadOptions, language: Language
    ) throws -> Reading {
        struct Options: Encodable {
            let context: WinContext
            let rulesets: [String]?
            let set: String?
            let focus: Focus?
            let photos: [Int]?
            let detail: String
        }
        let all = Options(
            context: options.context, rulesets: options.rulesets, set: options.set, focus: options.focus,
            photos: lengths, detail: "compact")
        let json = try JSONEncoder().encode(all)
        let answer = engine.handle.call { engine in
            handle.call { reader in
                json.pass { head, length in
                    photo.pass { tilesight_read(engine, reader, head, length, $0, $1, language.rawValue) }
                }
            }
        }
        return try Reading(engine: engine, options: options, data: try Library.data(answer))
    }
}
