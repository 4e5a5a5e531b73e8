import Testing

@testable import Reconcile

@Suite("An SCGI header")
struct SCGIHeaderTests {
    @Test("A header is a netstring of names and values")
    func reads() throws {
        let bytes = Array("27:CONTENT_LENGTH\u{0}5\u{0}SCGI\u{0}1\u{0}x,hello".utf8)
        let extent = try #require(try SCGIHeader.extent(of: bytes, most: 100))
        #expect(extent.start == 3 && extent.count == 27)
        let header = try SCGIHeader(
            Self.netstring([
                ("CONTENT_LENGTH", "27"), ("SCGI", "1"), ("REQUEST_METHOD", "POST"),
                ("REQUEST_URI", "/validate?x=1"), ("HTTP_X_DOWNLOAD_KEY", "k"),
            ]))
        #expect(header.method == "POST" && header.path == "/validate" && header.bodyBytes == 27)
        #expect(header.headers["HTTP_X_DOWNLOAD_KEY"] == "k")
    }

    @Test("A request that nginx forwards internally has the inner path")
    func innerPath() throws {
        let header = try SCGIHeader(
            Self.netstring([
                ("CONTENT_LENGTH", "0"), ("SCGI", "1"), ("REQUEST_URI", "/download"),
                ("DOCUMENT_URI", "/_key"), ("PATH_INFO", "/open-key"),
            ]))
        #expect(header.path == "/open-key")
    }

    @Test("An incomplete header is waited for")
    func partly() throws {
        for text in ["", "2", "27", "27:CONTENT"] {
            let extent = try SCGIHeader.extent(of: Array(text.utf8), most: 100)
            #expect(extent == nil || extent?.count == 27)
        }
    }

    @Test(
        "A malformed header is refused",
        arguments: ["abc:", "-5:hello,", ":", "99999999999999999999:x", "24CONTENT", "GET / HTTP"])
    func malformed(text: String) {
        #expect(throws: SCGIHeader.Refusal.malformed) {
            try SCGIHeader.extent(of: Array(text.utf8), most: 100)
        }
    }

    @Test("A header that is too long is refused before it has arrived")
    func tooLarge() {
        #expect(throws: SCGIHeader.Refusal.tooLarge) {
            try SCGIHeader.extent(of: Array("101:".utf8), most: 100)
        }
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
        #expect(throws: SCGIHeader.Refusal.malformed) {
            try SCGIHeader(Self.netstring(headers))
        }
    }

    private static func netstring(_ headers: [(String, String)]) -> ArraySlice<UInt8> {
        Array(headers.map { "\($0.0)\u{0}\($0.1)\u{0}" }.joined().utf8)[...]
    }
}
