/// Parsed as far as a server with few resources needs it.
struct HTTPRequest: Sendable {
    let method: String
    let path: String
    let keepsAlive: Bool
    var acceptsGzip = false
    /// The value of that header.
    var authorization: String?
    var body: [UInt8] = []
}

struct HTTPRequestHead {
    enum Refusal: Error, Equatable {
        case malformed, lengthMissing, tooLarge
    }

    static let mostBytes = 16 * 1_024
    /// Receipts of 5 MB were reported; base64 adds a third.
    static let mostBodyBytes = 16 * 1_024 * 1_024

    let request: HTTPRequest
    let bodyBytes: Int
    /// The client waits for `100 Continue`.
    let expectsContinue: Bool

    /// - Parameter bytes: the head without the empty line.
    init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }[...]
        guard let first = lines.popFirst() else { throw .malformed }
        let words = first.split(separator: 0x20)
        guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8) else { throw .malformed }
        var keepsAlive = words[2].last == UInt8(ascii: "1")
        var length: Int?
        var expects = false
        var acceptsGzip = false
        var authorization: String?
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
            let value = Self.trimmed(line[(colon + 1)...])
            switch Self.lowercased(line[..<colon]) {
            case "content-length":
                let number = try Self.number(value)
                guard length ?? number == number else { throw .malformed }
                length = number
            case "transfer-encoding": throw .lengthMissing
            case "connection":
                let words = Self.words(value)
                keepsAlive =
                    !words.contains("close") && (keepsAlive || words.contains("keep-alive"))
            case "accept-encoding":
                acceptsGzip = Self.words(value).contains {
                    $0.prefix { $0 != ";" && $0 != " " } == "gzip"
                }
            case "authorization": authorization = String(decoding: value, as: UTF8.self)
            case "expect": expects = Self.lowercased(value) == "100-continue"
            default: break
            }
        }
        let method = String(decoding: words[0], as: UTF8.self)
        guard length != nil || method != "POST" else { throw .lengthMissing }
        guard length ?? 0 <= Self.mostBodyBytes else { throw .tooLarge }
        request = HTTPRequest(
            method: method, path: String(decoding: words[1], as: UTF8.self),
            keepsAlive: keepsAlive, acceptsGzip: acceptsGzip, authorization: authorization)
        bodyBytes = length ?? 0
        expectsContinue = expects
    }

    private static func number(_ value: ArraySlice<UInt8>) throws(Refusal) -> Int {
        guard value.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(decoding: value, as: UTF8.self))
        else { throw .malformed }
        return number
    }

    private static func words(_ value: ArraySlice<UInt8>) -> [String] {
        value.split(separator: UInt8(ascii: ",")).map { lowercased(trimmed($0)) }
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return value
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
