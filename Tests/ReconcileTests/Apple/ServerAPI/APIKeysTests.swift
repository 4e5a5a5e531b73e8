import Testing

@testable import Reconcile
@testable import TestSupport

extension PrivateKey {
    /// A key that is made once; `pem` is its file.
    static let testing = PrivateKey(pem: pem).unsafelyUnwrapped
    static let signing = SigningKey(on: .p256)
    static let pem = TestCertificate.pem("PRIVATE KEY", signing.pkcs8)
}

extension APIKeys {
    /// The same key file for every line.
    static func testing(_ lines: String = "* = issuer KEY1 key.p8") throws -> APIKeys {
        try APIKeys(parsing: lines) { _, _ in .testing }
    }
}

/// To add a line that is refused: a row with the text, the reason, and the number of the line.
@Suite("The keys of the App Store Server API")
struct APIKeysTests {
    @Test("A key is found by its bundle, else under `*`, with its issuer and id")
    func lookup() throws {
        let keys = try APIKeys.testing(
            "\u{FEFF}# ours\r\n\r\nacme.a = issuer-a KEYA a.p8\n \tacme.b=issuer-b\tKEYB  b.p8\n"
                + "* = issuer-c KEYC c.p8")
        let bundles: [BundleID] = ["acme.a", "acme.b", "acme.c", "ACME.a"]
        #expect(bundles.map { keys.key(for: $0)?.id } == ["KEYA", "KEYB", "KEYC", "KEYC"])
        #expect(bundles.map { keys.key(for: $0)?.issuer }.last == "issuer-c")
        #expect(keys.apps == APIApps(named: ["acme.a", "acme.b"], includesOthers: true))
    }

    @Test("Without `*` an app without a line has no key")
    func others() throws {
        let keys = try APIKeys.testing("acme = issuer KEY1 key.p8")
        #expect(keys.key(for: "other") == nil)
        #expect(keys.apps == APIApps(named: ["acme"], includesOthers: false))
        #expect(try APIKeys.testing("# nothing\n\n").apps.isEmpty)
        #expect(APIKeys.none.apps.isEmpty)
    }

    @Test("The file of each line is read once, by its path and the number of its line")
    func files() throws {
        var read: [String] = []
        _ = try APIKeys(parsing: "#\na = i k1 a.p8\n\nb = i k2 /keys/b.p8") { path, line in
            read.append("\(line) \(path)")
            return .testing
        }
        #expect(read == ["2 a.p8", "4 /keys/b.p8"])
    }

    @Test("A file that cannot be read ends the reading of all keys")
    func unreadable() {
        struct Unreadable: Error {}
        #expect(throws: Unreadable.self) {
            try APIKeys(parsing: "a = i k a.p8") { _, _ in throw Unreadable() }
        }
    }

    private static let form = "issuer_id key_id FILE.p8"

    @Test(
        "A bad line is refused by its number, and its text is never shown",
        arguments: [
            ("acme issuer hunter2 key.p8", .malformed(form), 1),
            ("\na = i k f\n= i hunter2 f", .malformed(form), 3),
            ("a =", .malformed(form), 1), ("a = hunter2", .malformed(form), 1),
            ("a = i hunter2", .malformed(form), 1), ("a = i hunter2 f g", .malformed(form), 1),
            ("a b = i hunter2 f", .malformed(form), 1), ("ä = i hunter2 f", .malformed(form), 1),
            ("a = i k f\n#\na = i hunter2 f", .duplicate(ofLine: 1), 3),
            ("* = i k f\n* = i hunter2 f", .duplicate(ofLine: 1), 2),
        ] as [(text: String, reason: BundleLineError.Reason, line: Int)])
    func refused(text: String, reason: BundleLineError.Reason, line: Int) throws {
        let error = #expect(throws: BundleLineError.self) { try APIKeys.testing(text) }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        let words = error?.description ?? ""
        #expect(words.contains("line \(line) "), "\(words)")
        #expect(!words.contains("hunter2"), "\(words)")
    }

    @Test(
        "The apps with a key are kept as text, and read again",
        arguments: [
            "", "*", "acme", "acme other", "acme other *",
        ])
    func apps(text: String) {
        #expect(APIApps(text: text).text == text)
    }

    @Test("A key is never printed")
    func printed() throws {
        let keys = try APIKeys.testing("a = hunter2 hunter2 f\n* = hunter2 hunter2 f")
        let key = try #require(keys.key(for: "a"))
        var texts = ["\(key)", String(reflecting: key), "\([key])", "", ""]
        dump(key, to: &texts[3])
        dump(keys, to: &texts[4])
        for text in texts {
            #expect(text.contains("‹redacted›"), "\(text)")
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }
}
