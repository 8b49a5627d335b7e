import CTilesight
import Foundation

/// Languages of names and texts.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case danish = "da"
    case swedish = "sv"
    case chinese = "zh"
    case traditionalChinese = "zh-Hant"
    case japanese = "ja"
}

/// Description of what is wrong with a request, in the form of RFC 9457. `type` never changes; the
/// texts may.
public struct Problem: Error, Codable, Equatable, LocalizedError, Sendable {
    public let type: String
    public let title: String
    public let status: Int
    public let detail: String
    /// Wrong fields, each with its path, such as `hand.melds[1].tiles`.
    public let errors: [FieldError]?

    public var errorDescription: String? { detail }
}

/// Handle of an engine or a reader, which is released with the object. Its number is passed on by
/// `call` alone.
final class Handle: Sendable {
    private let number: TilesightHandle

    /// Keeps a handle, unless it is that of a problem, which is thrown.
    init(_ number: TilesightHandle) throws {
        precondition(Int(tilesight_abi()) == Int(TILESIGHT_ABI), "libtilesight has another interface")
        guard tilesight_status(number) == 200 else {
            throw Library.problem(number)
        }
        self.number = number
    }

    /// Calls a function of the library with the number of the handle. Swift may release an object
    /// after its last use, though the number is still in use: this keeps it until the call is over.
    func call(_ function: (TilesightHandle) -> TilesightHandle) -> TilesightHandle {
        withExtendedLifetime(self) { function(number) }
    }

    deinit {
        _ = tilesight_release(number)
    }
}

/// Calls of the C library.
enum Library {
    /// Returns the bytes of an answer, and releases it. A problem is thrown.
    static func data(_ answer: TilesightHandle) throws -> Data {
        guard tilesight_status(answer) == 200 else {
            throw problem(answer)
        }
        defer { _ = tilesight_release(answer) }
        return bytes(answer)
    }

    /// Returns an answer as a type of the contract.
    static func decode<T: Decodable>(_ answer: TilesightHandle) throws -> T {
        try JSONDecoder().decode(T.self, from: try data(answer))
    }

    /// Returns the problem of a handle, and releases it.
    static func problem(_ handle: TilesightHandle) -> Error {
        defer { _ = tilesight_release(handle) }
        do {
            return try JSONDecoder().decode(Problem.self, from: bytes(handle))
        } catch {
            return error
        }
    }

    private static func bytes(_ handle: TilesightHandle) -> Data {
        guard let text = tilesight_text(handle) else { return Data() }
        return Data(bytes: text, count: Int(tilesight_length(handle)))
    }
}

extension Data {
    /// Calls a function with a pointer to the bytes, and their number.
    func pass<T>(_ call: (UnsafePointer<UInt8>?, UInt64) throws -> T) rethrows -> T {
        try withUnsafeBytes { buffer in
            try call(buffer.bindMemory(to: UInt8.self).baseAddress, UInt64(buffer.count))
        }
    }
}
