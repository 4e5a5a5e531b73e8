import Testing

@testable import Reconcile

@Suite("A download key")
struct DownloadKeyTests {
    private static let line = "k1 = " + base64([UInt8](repeating: 7, count: 32))
    private static let otherLine = "k2 = " + base64([UInt8](repeating: 9, count: 32))

    private static let key = DownloadKey(
        receipt: Array(0..<32), product: "com.acme.map", productKey: "file-é-1",
        environment: .sandbox, expiresAt: Instant(milliseconds: 1_795_140_000_000))

    @Test("A key holds what it was issued for, and each key differs")
    func opens() throws {
        let ring = try KeyRing(parsing: Self.line)
        let (first, second) = (Self.key.sealed(by: ring), Self.key.sealed(by: ring))
        #expect(first != second)
        #expect(try DownloadKey(first, with: ring) == Self.key)
        #expect(try DownloadKey(second, with: ring) == Self.key)
        #expect(first.utf8.allSatisfy { byte in byte < 128 && byte > 32 })
        #expect(!first.contains("+") && !first.contains("/") && !first.contains("="))
    }

    @Test("A key with any byte changed is forged, or names an unknown key id")
    func forged() throws {
        let ring = try KeyRing(parsing: Self.line)
        let text = Self.key.sealed(by: ring)
        for place in text.utf8.indices {
            var changed = text
            let other: Character = text[place] == "A" ? "B" : "A"
            changed.replaceSubrange(place...place, with: [other])
            let isRefused = (try? DownloadKey(changed, with: ring)) == nil
            #expect(isRefused, "\(changed)")
        }
    }

    @Test(
        "Text that is no key is forged",
        arguments: ["", "x", "garbage", "%%%", String(repeating: "A", count: 100_000), "AQ", "AQA"])
    func garbage(text: String) throws {
        let ring = try KeyRing(parsing: Self.line)
        #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(text, with: ring) }
    }

    @Test("A key has one spelling: padding and the other alphabet are refused")
    func spelling() throws {
        let ring = try KeyRing(parsing: Self.line)
        let text = Self.key.sealed(by: ring)
        for other in [text + "=", text + "\n", " " + text] {
            #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(other, with: ring) }
        }
    }

    @Test("Keys are encrypted with the first line, and decrypted with any line")
    func rotation() throws {
        let old = try KeyRing(parsing: Self.line)
        let both = try KeyRing(parsing: Self.otherLine + "\n" + Self.line)
        let new = try KeyRing(parsing: Self.otherLine)
        let former = Self.key.sealed(by: old)
        #expect(try DownloadKey(former, with: both) == Self.key)
        #expect(throws: DownloadKey.Refusal.unknownKey) { try DownloadKey(former, with: new) }
        let latter = Self.key.sealed(by: both)
        #expect(try DownloadKey(latter, with: new) == Self.key)
        #expect(throws: DownloadKey.Refusal.unknownKey) { try DownloadKey(latter, with: old) }
        let impostor = try KeyRing(
            parsing: "k1 = " + Self.base64([UInt8](repeating: 1, count: 32)))
        #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(former, with: impostor) }
    }

    static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes), as: UTF8.self)
    }
}

@Suite("The download key file")
struct KeyRingTests {
    @Test("The file holds lines as `keys new` prints them, comments and blank lines")
    func reads() throws {
        let (first, second) = (KeyRing.newLine(), KeyRing.newLine())
        #expect(first != second)
        let ring = try KeyRing(parsing: "# today's\r\n\(first)\r\n\n  \(second)  \n")
        #expect(first.hasPrefix(ring.sealing.id + " = "))
        #expect("\(ring)" == "‹redacted›")
    }

    @Test(
        "Another line is refused by its number, without its content",
        arguments: [
            ("", "no key"), ("# none\n", "no key"), ("\nsecret-without-equals", "Line 2"),
            ("k = c2hvcnQ=", "Line 1"), ("k\u{E9} = x", "Line 1"),
            ("a b = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "Line 1"),
        ])
    func refused(text: String, words: String) {
        #expect {
            try KeyRing(parsing: text)
        } throws: { error in
            "\(error)".contains(words) && !"\(error)".contains("secret-without")
                && "\(error)".contains("reconcile-job keys new")
        }
    }

    @Test("A key id that is given twice is refused")
    func duplicate() {
        let line = KeyRing.newLine()
        #expect {
            try KeyRing(parsing: line + "\n" + line)
        } throws: { error in
            "\(error)".contains("Line 2")
        }
    }
}
