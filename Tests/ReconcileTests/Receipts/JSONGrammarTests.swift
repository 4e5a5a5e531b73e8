import Testing

@testable import Reconcile

/// At least one case of every class in Nicolas Seriot's JSONTestSuite, in texts of our own, with
/// our choice where RFC 8259 leaves one.
@Suite("The JSON grammar")
struct JSONGrammarTests {
    @Test(
        "Every form of array, number, object, string and single value is accepted",
        arguments: JSONGrammarCases.accepted)
    func accepts(name: String, text: String) {
        #expect(Differential.error(in: Array(text.utf8)) == nil)
    }

    @Test("Text that only resembles JSON is refused", arguments: JSONGrammarCases.refused)
    func refuses(name: String, text: String) {
        #expect(Differential.error(in: Array(text.utf8)) != nil)
        // The text is invalid inside an answer too.
        let answer = "{\"status\":0,\"x\":\(text),\"receipt\":{\"bundle_id\":\"a\"}}"
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) {
            try VerifyReceiptAnswer.read(Array(answer.utf8), from: .production)
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused, wherever they are",
        arguments: JSONGrammarCases.undecodable)
    func undecodable(name: String, bytes: [UInt8]) {
        #expect(Differential.error(in: bytes) != nil)
    }

    /// RFC 8259 leaves the range of numbers open. We keep their spelling, so nothing is lost.
    @Test(
        "Numbers of any size are accepted with their spelling",
        arguments: [
            "123.456e-789", "0.4e00669999999999999999999999999999999999", "-1e+9999", "1.5e+9999",
            "-123123e100000", "123e-10000000", "-123123123123123123123123123123",
            "100000000000000000000", "-237462374673276894279832749832423479823246327846",
        ])
    func numbers(text: String) throws {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = try JSONScanner(bytes)
            #expect(try scanner.value().string(in: bytes) == text)
        }
    }

    /// RFC 8259, 8.2 leaves open what a lone surrogate means. We read U+FFFD, as Swift decodes it.
    @Test(
        "An escaped half of a surrogate pair is accepted and read as U+FFFD",
        arguments: [
            (#""\uDADA""#, "\u{FFFD}"), (#""\uD888\u1234""#, "\u{FFFD}\u{1234}"),
            (#""\uD800\n""#, "\u{FFFD}\n"), (#""\uDd1ea""#, "\u{FFFD}a"),
            (#""\uD800\uD800\n""#, "\u{FFFD}\u{FFFD}\n"), (#""\ud800""#, "\u{FFFD}"),
            (#""\ud800abc""#, "\u{FFFD}abc"), (#""\uDd1e\uD834""#, "\u{FFFD}\u{FFFD}"),
            (#""\uDFAA""#, "\u{FFFD}"), (#""\uD834\uDd1e""#, "\u{1D11E}"),
        ])
    func surrogates(text: String, read: String) throws {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = try JSONScanner(bytes)
            #expect(try scanner.value().string(in: bytes) == read)
            try scanner.finish()
        }
    }

    /// RFC 8259, 4: names "should" be unique. Of two, parsers take the first or the last.
    @Test(
        "An object with a repeated key is refused, at any depth and in any spelling",
        arguments: [
            #"{"a":"b","a":"c"}"#, #"{"a":"b","a":"b"}"#, #"[{"":1,"":1}]"#, #"{"a":1,"\u0061":1}"#,
            #"{"\u0061":1,"a":1}"#, #"[{"a":1,"b":2},{"a":1,"b":2,"a":3}]"#,
            #"[{"a":1,"b":2},{"a":1,"a":2}]"#, #"{"x":[[{"k":{"é":1,"é":2}}]]}"#,
        ])
    func duplicates(text: String) {
        guard case .duplicateKey = Differential.error(in: Array(text.utf8)) else {
            Issue.record("taken, or refused for something else")
            return
        }
    }

    @Test(
        "Keys that differ in one byte are accepted, and so is one key in two objects",
        arguments: [
            #"{"a":1,"A":1,"a ":1,"":1,"\u0000":1}"#, #"[{"a":1,"b":2},{"a":1,"b":2},{"b":2}]"#,
            #"[{"a":1,"b":2},{"a":1,"c":2,"b":3},{"a":1,"b":2}]"#,
            #"[{"a":{"a":1}},{"a":{"a":1}}]"#,
            #"[{},{"a":1},{},{"a":1,"b":{}},{"a" :1}]"#,
        ])
    func distinct(text: String) { #expect(Differential.error(in: Array(text.utf8)) == nil) }

    @Test("The limits are 64 levels of nesting, 512 keys an object and 16 MiB")
    func bounds() {
        let nested = { (count: Int) in
            Array(
                (String(repeating: "[{\"\":", count: count / 2) + "0"
                    + String(repeating: "}]", count: count / 2)).utf8)
        }
        #expect(Differential.error(in: nested(64)) == nil)
        #expect(Differential.error(in: nested(66)) == .tooDeep(at: 64 / 2 * 5))
        #expect(Differential.error(in: nested(500)) != nil)
        let large = [UInt8](repeating: 0x20, count: JSONScanner.maxBytes - 1) + [0x30]
        #expect(Differential.error(in: large) == nil)
        #expect(Differential.error(in: large + [0x20]) == .tooLarge)
    }
}
