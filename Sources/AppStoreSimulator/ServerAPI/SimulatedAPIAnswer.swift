/// An answer of the simulated App Store Server API, without faults.
struct SimulatedAPIAnswer: Sendable {
    var status = 200
    var body: [UInt8]
    /// Whom it is about.
    var customer: Int?

    init(_ fields: JSONFields, about customer: Int? = nil) {
        body = JSONWriter.bytes(of: .object(fields))
        self.customer = customer
    }

    init(_ refusal: APIRefusal, about customer: Int? = nil) {
        status = refusal.status
        body = refusal.body
        self.customer = customer
    }

    var reply: HTTPReply {
        let isJSON = body.first == UInt8(ascii: "{")
        let kind = isJSON ? "application/json" : "text/plain"
        return HTTPReply(
            body, status: status, reason: Self.reasons[status] ?? "Unknown",
            headers: body.isEmpty ? [] : ["Content-Type: \(kind)"], isOfServerAPI: true)
    }

    private static let reasons = [
        200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
        429: "Too Many Requests", 500: "Internal Server Error",
    ]
}

/// Why the API refuses a request. Source:
/// <https://developer.apple.com/documentation/appstoreserverapi/error-codes>.
struct APIRefusal: Error, Equatable {
    let status: Int
    /// Nil: without a body of JSON.
    private let code: Int?
    private let message: String

    private init(_ status: Int, _ code: Int?, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    var body: [UInt8] {
        guard let code else { return Array(message.utf8) }
        return JSONWriter.bytes(
            of: .object([("errorCode", .number(Int64(code))), ("errorMessage", .text(message))]))
    }

    static let unauthenticated = APIRefusal(401, nil, "")
    static let noSuchPath = APIRefusal(404, nil, "no such path")
    static let badRequest = APIRefusal(400, 4_000_000, "Bad request.")
    static let invalidRevision = APIRefusal(400, 4_000_005, "Invalid request revision.")
    static let invalidID = APIRefusal(400, 4_000_006, "Invalid transaction id.")
    static let startTooEarly = APIRefusal(400, 4_000_012, "Start date is too far in the past.")
    static let startAfterEnd = APIRefusal(400, 4_000_013, "Start date is after end date.")
    static let invalidPage = APIRefusal(400, 4_000_014, "Invalid pagination token.")
    static let invalidStart = APIRefusal(400, 4_000_015, "Invalid start date.")
    static let invalidEnd = APIRefusal(400, 4_000_016, "Invalid end date.")
    static let invalidType = APIRefusal(400, 4_000_018, "Invalid notification type.")
    static let severalFilters = APIRefusal(400, 4_000_019, "Multiple filters supplied.")
    static let accountGone = APIRefusal(404, 4_040_001, "Account not found.")
    static let unknownID = APIRefusal(404, 4_040_010, "Transaction id not found.")
    static let noAppTransaction = APIRefusal(404, 4_040_019, "App transaction does not exist.")
}
