/// What a request asks for: its method and its target. Apple's paths are case-sensitive.
struct APITarget: Equatable {
    enum Endpoint: Equatable {
        case history(id: String)
        case subscriptions(id: String)
        case appTransaction(id: String)
        case lookup(order: String)
        case notifications
    }

    let endpoint: Endpoint
    /// Of the only query parameter that the endpoint has: `revision` or `paginationToken`.
    let page: String?

    /// - Throws: a refusal for an unknown path, another method, and other query parameters.
    init(_ method: String, _ target: String) throws(APIRefusal) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let endpoint = Endpoint(parts[0]), method == endpoint.method else {
            throw .noSuchPath
        }
        self.endpoint = endpoint
        guard parts.count == 2 else {
            page = nil
            return
        }
        let query = parts[1].split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard query.count == 2, query[0] == endpoint.parameter ?? "", !query[1].contains("&") else {
            throw .badRequest
        }
        page = Self.decoded(query[1])
    }

    /// Without percent-encoding (RFC 3986, 2.1).
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension APITarget.Endpoint {
    fileprivate init?(_ path: Substring) {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard words.starts(with: ["", "inApps"]), let last = words.last, !last.isEmpty else {
            return nil
        }
        switch words.dropFirst(2).dropLast().joined(separator: "/") {
        case "v2/history": self = .history(id: last)
        case "v1/subscriptions": self = .subscriptions(id: last)
        case "v1/transactions/appTransactions": self = .appTransaction(id: last)
        case "v1/lookup": self = .lookup(order: last)
        case "v1/notifications" where last == "history": self = .notifications
        default: return nil
        }
    }

    fileprivate var method: String { self == .notifications ? "POST" : "GET" }

    fileprivate var parameter: String? {
        switch self {
        case .history: "revision"
        case .notifications: "paginationToken"
        case .subscriptions, .appTransaction, .lookup: nil
        }
    }
}
