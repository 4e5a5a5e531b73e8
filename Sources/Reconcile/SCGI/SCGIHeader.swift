/// A request's header: a netstring of names and values, each terminated by a NUL
/// (<https://python.ca/scgi/protocol.txt>).
struct SCGIHeader: Equatable {
    let method: String
    let path: String
    let headers: [String: String]
    let bodyBytes: Int

    enum Refusal: Error, Equatable { case malformed, tooLarge }

    /// Start and length of the netstring's content; nil when more input is needed.
    static func extent(
        of bytes: [UInt8], most: Int
    ) throws(Refusal) -> (start: Int, count: Int)? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard digits.count <= 7 else { throw .malformed }
        guard digits.count < bytes.count else { return nil }
        guard !digits.isEmpty, bytes[digits.count] == UInt8(ascii: ":"),
            let count = Int(String(decoding: digits, as: UTF8.self))
        else { throw .malformed }
        guard count <= most else { throw .tooLarge }
        return (digits.count + 1, count)
    }

    /// - Parameter bytes: the content of the netstring.
    init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        guard bytes.last == 0 else { throw .malformed }
        let parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count % 2 == 0 else { throw .malformed }
        var headers: [String: String] = [:]
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard let name = String(validating: parts[index], as: UTF8.self), !name.isEmpty else {
                throw .malformed
            }
            // Invalid UTF-8 matches neither a key nor a path, so it needs no error.
            headers[name] = String(decoding: parts[index + 1], as: UTF8.self)
        }
        guard let length = headers["CONTENT_LENGTH"], headers["SCGI"] == "1",
            (1...19).contains(length.utf8.count),
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .malformed }
        // A length beyond Int is too large in any case.
        bodyBytes = Int(length) ?? .max
        method = headers["REQUEST_METHOD"] ?? ""
        path = Self.path(headers)
        self.headers = headers
    }

    /// The path without the query. For internal requests of nginx, `REQUEST_URI` is the outer path,
    /// so it is tried last.
    private static func path(_ headers: [String: String]) -> String {
        let named = headers["PATH_INFO"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? headers["DOCUMENT_URI"] ?? headers["REQUEST_URI"] ?? ""
        return String(path.prefix { $0 != "?" })
    }
}
