import Testing

@testable import Reconcile

/// Add a text to `texts`: every test compares it with all others.
@Suite("An identifier")
struct IdentifierTests {
    static let texts = [
        "", "0", "00", "1", "01", "7", "10", "12", "119", "120", "1200", "9", "99", "12a", "-1",
        "+1", " 1", "1 ",
        "999999999999999999", "1000000000000000000", "9999999999999999999", "10000000000000000000",
        "18446744073709551615", "18446744073709551616", "99999999999999999999",
        "230001020690335", "2000000123456789", "com.acme.pro", "é", "e\u{301}", "１２", "1\u{0}",
    ]

    @Test("It gives back its text, byte by byte", arguments: texts)
    func text(_ text: String) {
        #expect(Array(TransactionID(text).text.utf8) == Array(text.utf8))
    }

    @Test("It is the same read from bytes", arguments: texts)
    func bytes(_ text: String) {
        let id = Array(text.utf8).withUnsafeBufferPointer { TransactionID($0) }
        #expect(id == TransactionID(text))
        #expect(id.hashValue == TransactionID(text).hashValue)
        #expect(id.withUTF8 { Array($0) } == Array(text.utf8))
    }

    @Test("It equals only an identifier with the same bytes", arguments: texts)
    func equality(_ text: String) {
        let same = Self.texts.filter { TransactionID($0) == TransactionID(text) }
        #expect(same.map { Array($0.utf8) } == [Array(text.utf8)])
    }

    @Test("It is sorted by bytes, as PostgreSQL sorts it", arguments: texts)
    func order(_ text: String) {
        let before = Self.texts.filter { TransactionID($0) < TransactionID(text) }
        let expected = Self.texts.filter { $0.utf8.lexicographicallyPrecedes(text.utf8) }
        #expect(before == expected)
    }

    @Test(
        "A transaction id of digits is compared as a number where Apple counts them up",
        arguments: [
            (less: "9", greater: "10"),
            (less: "119", greater: "0120"),
            (less: "9999999999999999999", greater: "10000000000000000000"),
            (less: "230001020690335", greater: "2000000123456789"),
        ])
    func number(less: TransactionID, greater: TransactionID) {
        #expect(less.isNumericallyLess(than: greater))
        #expect(!greater.isNumericallyLess(than: less))
    }
}
