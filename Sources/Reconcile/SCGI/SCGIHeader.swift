/// The header of a request: a netstring of names and values, each ended by a NUL
/// (<https://python.ca/scgi/protocol.txt>).
struct SCGIHeader: Equatable {
    let method: String
    let path: String
    let headers: [String: String]
    let bodyBytes: Int

    enum Refusal: Error, Equatable { case malformed, tooLarge }

    /// The length of the netstring, which begins `bytes`, and where it starts; nil: more must come.
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
            // A value that is no text is nobody's key and no path of ours.
            headers[name] = String(decoding: parts[index + 1], as: UTF8.self)
        }
        guard let length = headers["CONTENT_LENGTH"], headers["SCGI"] == "1",
            (1...19).contains(length.utf8.count),
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .malformed }
        // Of what is beyond any integer it is enough to know that it is too large.
        bodyBytes = Int(length) ?? .max
        method = headers["REQUEST_METHOD"] ?? ""
        path = Self.path(headers)
        self.headers = headers
    }

    /// Of an internal request of nginx's `REQUEST_URI` names the outer one.
    private static func path(_ headers: [String: String]) -> String {
        let named = headers["PATH_INFO"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? headers["DOCUMENT_URI"] ?? headers["REQUEST_URI"] ?? ""
        return String(path.prefix { $0 != "?" })
    }
}
