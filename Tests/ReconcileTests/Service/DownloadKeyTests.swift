import Testing

@testable import Reconcile

@Suite("A download key")
struct DownloadKeyTests {
    private static func line(_ id: String, _ byte: UInt8) -> String {
        let bytes = Base64.encode([UInt8](repeating: byte, count: 32))
        return "\(id) = " + String(decoding: bytes, as: UTF8.self)
    }

    private static let key = DownloadKey(
        receipt: Array(0..<32), product: "com.acme.map", productKey: "file-é-1",
        environment: .sandbox, expiresAt: Instant(milliseconds: 1_795_140_000_000))

    private let ring: KeyRing

    init() throws { ring = try KeyRing(parsing: Self.line("k1", 7)) }

    @Test("A key holds what it was issued for, and each key differs")
    func opens() throws {
        let keys = [Self.key.sealed(by: ring), Self.key.sealed(by: ring)]
        #expect(keys[0] != keys[1])
        for text in keys {
            #expect(try DownloadKey(text, with: ring) == Self.key)
            #expect(text.utf8.allSatisfy { byte in byte < 128 && byte > 32 })
            #expect(!text.contains { "+/=".contains($0) })
        }
    }

    @Test("A key with any byte changed is forged, or names an unknown key id")
    func forged() throws {
        let text = Self.key.sealed(by: ring)
        for place in text.utf8.indices {
            var changed = text
            let other: Character = text[place] == "A" ? "B" : "A"
            changed.replaceSubrange(place...place, with: [other])
            let isRefused = (try? DownloadKey(changed, with: ring)) == nil
            #expect(isRefused, "\(changed)")
        }
    }

    @Test("Text that is no key is forged, and a key has one spelling, without padding")
    func garbage() throws {
        let text = Self.key.sealed(by: ring)
        for other in [
            "", "x", "garbage", "%%%", String(repeating: "A", count: 100_000), "AQ", "AQA",
            text + "=", text + "\n", " " + text,
        ] {
            #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(other, with: ring) }
        }
    }

    @Test("Keys are encrypted with the first line, and decrypted with any line")
    func rotation() throws {
        let both = try KeyRing(parsing: Self.line("k2", 9) + "\n" + Self.line("k1", 7))
        let new = try KeyRing(parsing: Self.line("k2", 9))
        let former = Self.key.sealed(by: ring)
        let latter = Self.key.sealed(by: both)
        for (text, rings) in [(former, [ring, both]), (latter, [both, new])] {
            for ring in rings { #expect(try DownloadKey(text, with: ring) == Self.key) }
        }
        let impostor = try KeyRing(parsing: Self.line("k1", 1))
        for (text, ring, refusal) in [
            (former, new, .unknownKey), (latter, ring, .unknownKey), (former, impostor, .forged),
        ] as [(String, KeyRing, DownloadKey.Refusal)] {
            #expect(throws: refusal) { try DownloadKey(text, with: ring) }
        }
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
        } throws: {
            "\($0)".contains("Line 2")
        }
    }
}
