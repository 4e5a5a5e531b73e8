import Testing

@testable import Reconcile

@Suite("An SCGI header")
struct SCGIHeaderTests {
    private static func header(_ headers: [(String, String)]) throws -> SCGIHeader {
        try SCGIHeader(Array(headers.map { "\($0.0)\u{0}\($0.1)\u{0}" }.joined().utf8)[...])
    }

    private static func extent(_ text: String) throws -> (start: Int, count: Int)? {
        try SCGIHeader.extent(of: Array(text.utf8), most: 100).map { ($0.start, $0.count) }
    }

    @Test("A header is a netstring of names and values")
    func reads() throws {
        let extent = try #require(
            try Self.extent("27:CONTENT_LENGTH\u{0}5\u{0}SCGI\u{0}1\u{0}x,hello"))
        #expect(extent == (3, 27))
        let header = try Self.header([
            ("CONTENT_LENGTH", "27"), ("SCGI", "1"), ("REQUEST_METHOD", "POST"),
            ("REQUEST_URI", "/validate?x=1"), ("HTTP_X_DOWNLOAD_KEY", "k"),
        ])
        #expect(header.method == "POST" && header.path == "/validate" && header.bodyBytes == 27)
        #expect(header.headers["HTTP_X_DOWNLOAD_KEY"] == "k")
        // A request that nginx forwards internally has the inner path.
        let inner = try Self.header([
            ("CONTENT_LENGTH", "0"), ("SCGI", "1"), ("REQUEST_URI", "/download"),
            ("DOCUMENT_URI", "/_key"), ("PATH_INFO", "/open-key"),
        ])
        #expect(inner.path == "/open-key")
    }

    @Test("An incomplete header is waited for", arguments: ["", "2", "27", "27:CONTENT"])
    func partly(text: String) throws {
        let extent = try Self.extent(text)
        #expect(extent == nil || extent?.count == 27)
    }

    @Test(
        "A header that is malformed, or too long, is refused before it has arrived",
        arguments: [
            "abc:", "-5:hello,", ":", "99999999999999999999:x", "24CONTENT", "GET / HTTP", "101:",
        ])
    func malformed(text: String) {
        let refusal = text == "101:" ? SCGIHeader.Refusal.tooLarge : .malformed
        #expect(throws: refusal) { try Self.extent(text) }
    }

    @Test(
        "A header with an invalid length is refused",
        arguments: [
            [("SCGI", "1")], [("CONTENT_LENGTH", ""), ("SCGI", "1")],
            [("CONTENT_LENGTH", "-1"), ("SCGI", "1")], [("CONTENT_LENGTH", "abc"), ("SCGI", "1")],
            [("CONTENT_LENGTH", String(repeating: "9", count: 40)), ("SCGI", "1")],
            [("CONTENT_LENGTH", "5")],
        ])
    func noLength(headers: [(String, String)]) {
        #expect(throws: SCGIHeader.Refusal.malformed) { try Self.header(headers) }
    }
}
