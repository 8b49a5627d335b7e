// Asks a Tilesight service to read a photo, from an iOS app: no dependencies, iOS 15 or newer.
//
//   let service = TilesightService(address: URL(string: "https://scores.example.org")!, key: key)
//   let hand = try await service.read(jpeg, seat: "S", win: "discard")
//   show(hand.score?.total, hand.score?.verdict, hand.question?.question)
//
// Photos of the camera can be sent as they are: HEIC is read. `key` is one of the service's keys
// (docs/http.md); nil where it needs none.
import Foundation

/// What an app shows of a photo: the compact answer of `POST /v1/hands` (docs/contract.md).
struct ReadHand: Decodable {
    struct Hand: Decodable { let notation: String? }
    struct Award: Decodable { let code: String, name: String, points: Int, count: Int }
    struct Score: Decodable { let total: Int, legal: Bool, verdict: String, awards: [Award], payments: [String: Int]? }
    struct Answer: Decodable { let answer: String, total: Int? }
    struct Doubt: Decodable { let id: String, question: String, affects_score: Bool, answers: [Answer] }

    let status: String
    let hand: Hand
    /// Nil if the tiles are no winning hand.
    let score: Score?
    let doubts: [Doubt]

    /// The most important question whose answer changes the score.
    var question: Doubt? { doubts.first { $0.affects_score } }
}

/// A problem of the request, as the service names it: `type` is stable, `detail` is for people.
struct TilesightProblem: Decodable, LocalizedError {
    let type: String
    let status: Int
    let detail: String
    var errorDescription: String? { detail }
}

struct TilesightService {
    let address: URL
    var key: String?

    /// Reads a JPEG, PNG, WebP, HEIC or AVIF.
    func read(
        _ photo: Data, seat: String? = nil, prevalent: String? = nil, win: String? = nil,
        ruleset: String? = nil, language: String = "en"
    ) async throws -> ReadHand {
        var parts = URLComponents(url: address.appendingPathComponent("v1/hands"), resolvingAgainstBaseURL: false)!
        let given = [("seat", seat), ("prevalent", prevalent), ("win", win), ("ruleset", ruleset), ("detail", "compact")]
        parts.queryItems = given.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        var request = URLRequest(url: parts.url!, timeoutInterval: 60)
        request.httpMethod = "POST"
        // The service recognises the format by the bytes.
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        request.setValue(language, forHTTPHeaderField: "Accept-Language")
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.upload(for: request, from: photo)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw try JSONDecoder().decode(TilesightProblem.self, from: data)
        }
        return try JSONDecoder().decode(ReadHand.self, from: data)
    }
}
