import Testing

@testable import Reconcile

/// At least one case of every class in Nicolas Seriot's JSONTestSuite, in texts of our own, with
/// our choice where RFC 8259 leaves one.
@Suite("The JSON scanner")
struct JSONTests {
    @Test(
        "Every form of array, number, object, string and single value is accepted",
        arguments: [
            "[[]   , [ ] ]", "[]", "[\"\"]", "[\"a\"]\n", "[null, 1, \"1\", {}, true]",
            "[1,null,null,2]", " [1]", "[123e65]", "0e+1", "[0E1]", "[ 4]",
            "-0.0000000000000000000000000000000000000000000000000000000000000001", "[20e1]", "[-0]",
            "[-123]", "[1E22]", "[1E-2]", "[1E+2]", "[123.456e78]", "[1e-2]",
            #"{"asd":"sdf", "dfg":"fgh"}"#, "{}", #"{"":0}"#, #"{"foo\u0000bar": 42}"#,
            #"{ "min": -1.0e+28, "max": 1.0e+28 }"#, "{\"a\":1,\"A\":2}",
            #"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}]}"#,
            #"{"title":"\u041f\u043e\u043b\u0442"}"#, "{\n\"a\": \"b\"\n}",
            #"["\u0060\u012a\u12AB"]"#, #"["\uD801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#,
            #"["\"\\\/\b\f\n\r\t"]"#, #"["\\u0000"]"#, #"["\""]"#, "[\"a/*b*/c/*d//e\"]",
            #"["\\a\\n"]"#, #"["\u0012"]"#, "[\"\u{10FFFF}\u{FFFF}\"]", #"["\uFFFF"]"#,
            #"["\uDBFF\uDFFE"]"#, #"["new\u00A0line"]"#, "[\"\u{2028}\u{2029}\"]", "[\"\u{7F}\"]",
            #"["\u0022"]"#, #"["new\u000Aline"]"#, "[\"π 😀 ⍂\"]", "[ \"asd\" ]", "\" \"", "false",
            "42", "-0.1", "null", "\"asd\"", "true", "\"\"", "[\"a\"]\r\n", "\u{FEFF}{}", "0", "-0",
            "12.50", "1e5", "-1.5E-10", " \t\r\n{ \"a\" : [ 1 , { \"b\" : null } ] } \n",
            #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, #""\ud800""#, "\"é € 😀 \u{7F}\"",
            "[\"a long string that needs more than eight bytes, twice over\"]",
        ])
    func accepts(text: String) { #expect(Differential.error(in: Array(text.utf8)) == nil) }

    @Test(
        "Text that only resembles JSON is refused",
        arguments: [
            "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]",
            "[\"\",]",
            "[\"x\"", "[x", "[3[4]]", "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,",
            "[\"\u{B}a\"\\f]", "[*]", "[1,\n1\n,1", "[fals]", "[nul]", "[tru]", "123\u{0}",
            "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]",
            "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E]", "[0E+]", "[0e]", "[1.0e-]",
            "[1 000.0]",
            "[1eE2]", "[2.e+3]", "[9.e+]", "[1+2]", "[0x42]", "[Infinity]", "[0e+-1]",
            "[-123.123foo]", "[-Infinity]", "[-foo]", "[- 1]", "[-.123]", "[1ea]", "[1.]",
            "[\u{FF11}]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "[\"x\", truth]",
            "{[: \"x\"}", "{\"x\", null}", "{\"x\"::\"b\"}", "{😀}", #"{"a":"a" 123}"#,
            "{key: 'value'}", "{\"a\" b}", "{:\"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9e9:1}",
            "{null:null,null:null}", #"{"id":0,,,,,}"#, "{'a':0}", #"{"id":0,}"#, #"{"a":"b"}/**/"#,
            #"{"a":"b"}/**//"#, #"{"a":"b"}//"#, #"{"a":"b"}/"#, #"{"a":1,,"b":2}"#, #"{a: "b"}"#,
            #"{"a":"a"#, #"{"a"}"#, #"{"a":"b"}#"#, #"["\uD800\u"]"#, #"["\uD800\u1"]"#,
            #"["\uD800\u1x"]"#, "[é]", "[\"\\\u{0}\"]", #"["\x00"]"#, #"["\\\"]"#, "[\"\\\t\"]",
            "[\"\\😀\"]", #"["\"]"#, #"["\u00A"]"#, #"["\uD834\uDd"]"#, #"["\uD800\uD800\x"]"#,
            #"["\a"]"#, #"["\uqqqq"]"#, #"[\u0020"asd"]"#, "[\\n]", "\"", "['single quote']", "abc",
            "[\"\\", "[\"a\u{1}a\"]", "[\"new\nline\"]", "[\"\t\"]", #""\UA66D""#, "\"\"x", "<.>",
            "[<null>]", "[1]x", "[1]]", "[\"asd]", "aå", "[True]", "]", #"{"x": true,"#, "[][]", "",
            "[\u{0}]", "2@", "{}}", #"{"a":/*c*/"b"}"#, #"{"a": true} "x""#, "['", "[{", "{,", "{[",
            "{\"a", "*", #"[\u000A""]"#, "[\u{2060}]", "[\u{C}]", "[null", #"{"asd":"asd""#, " ",
            "\u{A0}{}", "[\u{FEFF}]", "{", "}", "[", "{\"a\":}", "{\"a\":1,}", "{,}", "[1,]",
            "[1 2]",
            "{\"a\" 1}", "{a:1}", "{'a':1}", "nul", "nulll", "True", "01", "-", "1.", ".5", "+1",
            "1e", "1e+", "0x1", "NaN", "Infinity", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"", "\"a\nb\"", "\"a\u{1}b\"", "{}{}", "{} x", "{\"a\":1}\0", "// {}",
            "[1,2",
            "{\"a\":1,\"b\"", "\"12345678\u{0}\"",
        ])
    func refuses(text: String) {
        #expect(Differential.error(in: Array(text.utf8)) != nil)
        // The text is invalid inside an answer too.
        let answer = "{\"status\":0,\"x\":\(text),\"receipt\":{\"bundle_id\":\"a\"}}"
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) {
            try VerifyReceiptAnswer.read(Array(answer.utf8), from: .production)
        }
    }

    @Test("Every proper prefix of a document is refused")
    func prefixes() {
        let whole = Array(#"{"a":[1.5e3,{"b":"\u00e9é"},true,null],"c":"long enough text"}"#.utf8)
        #expect(Differential.error(in: whole) == nil)
        for count in whole.indices {
            #expect(Differential.error(in: Array(whole[..<count])) != nil, "\(count) bytes")
        }
    }

    private static let quote: [UInt8] = [0x22]

    @Test(
        "Text in a string that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1], [0xF4, 0xBF, 0xBF, 0xBF],
            [0xC0, 0xAF], [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
            [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80], [0xE0, 0xFF], [0xFF, 0xF0, 0x9F],
        ] as [[UInt8]])
    func utf8(bytes: [UInt8]) {
        for before in ["", "12345678"] {
            let text = Self.quote + Array(before.utf8) + bytes + Self.quote
            guard case .invalidUTF8 = Differential.error(in: text) else {
                Issue.record("taken: \(text)")
                return
            }
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused elsewhere too",
        arguments: [
            [0x81], [0xEF, 0xBB, 0x7B, 0x7D], [0xEF, 0xBB, 0xBF], [0x5B, 0x22, 0xE9, 0x22, 0x5D],
            [0x22, 0x5C, 0xE5, 0x22], quote + Array("\\u00".utf8) + [0xE5] + quote,
            [0x31, 0x32, 0xE5], [0x31, 0x65, 0xE5], [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x30, 0x7D],
            [0x2D, 0xE5], [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D],
            [0x5B, 0x00, 0x5D, 0x00], [0x5B, 0, 0, 0, 0x5D, 0, 0, 0],
        ] as [[UInt8]])
    func undecodable(bytes: [UInt8]) { #expect(Differential.error(in: bytes) != nil) }

    /// RFC 8259 leaves the range of numbers open. We keep their spelling, so nothing is lost.
    @Test(
        "Numbers of any size are accepted with their spelling",
        arguments: [
            "123.456e-789", "0.4e00669999999999999999999999999999999999", "-1e+9999", "1.5e+9999",
            "-123123e100000", "123e-10000000", "-123123123123123123123123123123",
            "100000000000000000000", "-237462374673276894279832749832423479823246327846",
        ])
    func numbers(text: String) throws { #expect(try Self.value(of: text) == text) }

    /// RFC 8259, 8.2 leaves open what a lone surrogate means. We read U+FFFD, as Swift decodes it.
    @Test(
        "Escapes are resolved, and half of a surrogate pair is read as U+FFFD",
        arguments: [
            (#""\uDADA""#, "\u{FFFD}"), (#""\uD888\u1234""#, "\u{FFFD}\u{1234}"),
            (#""\uD800\n""#, "\u{FFFD}\n"), (#""\uDd1ea""#, "\u{FFFD}a"),
            (#""\uD800\uD800\n""#, "\u{FFFD}\u{FFFD}\n"), (#""\ud800""#, "\u{FFFD}"),
            (#""\ud800abc""#, "\u{FFFD}abc"), (#""\uDd1e\uD834""#, "\u{FFFD}\u{FFFD}"),
            (#""\uDFAA""#, "\u{FFFD}"), (#""\uD834\uDd1e""#, "\u{1D11E}"),
            (
                #""a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\ud800z\udc00""#,
                "a\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}z\u{FFFD}"
            ),
        ])
    func escapes(text: String, read: String) throws { #expect(try Self.value(of: text) == read) }

    private static func value(of text: String) throws -> String {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = try JSONScanner(bytes)
            let value = try scanner.value().string(in: bytes)
            try scanner.finish()
            return value
        }
    }

    /// RFC 8259, 4: names "should" be unique. Of two, parsers take the first or the last.
    @Test(
        "An object with a repeated key is refused at that key, at any depth and in any spelling",
        arguments: [
            (#"{"a":"b","a":"c"}"#, 9), (#"{"a":"b","a":"b"}"#, 9), (#"[{"":1,"":1}]"#, 7),
            (#"{"a":1,"\u0061":1}"#, 7), (#"{"\u0061":1,"a":1}"#, 12),
            (#"[{"a":1,"b":2},{"a":1,"b":2,"a":3}]"#, 28), (#"[{"a":1,"b":2},{"a":1,"a":2}]"#, 22),
            (#"{"x":[[{"k":{"é":1,"é":2}}]]}"#, 20), (#"{"a":1,"b":2,"a":3}"#, 13),
            (#"{"status":0,"st\u0061tus":21003}"#, 12), (#"{"x":{"a":1,"a":2}}"#, 12),
        ])
    func duplicates(text: String, place: Int) {
        #expect(Differential.error(in: Array(text.utf8)) == .duplicateKey(at: place + 1))
    }

    @Test(
        "Keys that differ in one byte are accepted, and so is one key in two objects",
        arguments: [
            #"{"a":1,"A":1,"a ":1,"":1,"\u0000":1}"#, #"[{"a":1,"b":2},{"a":1,"b":2},{"b":2}]"#,
            #"[{"a":1,"b":2},{"a":1,"c":2,"b":3},{"a":1,"b":2}]"#,
            #"[{"a":{"a":1}},{"a":{"a":1}}]"#, #"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#,
            #"[{},{"a":1},{},{"a":1,"b":{}},{"a" :1}]"#,
        ])
    func distinct(text: String) { #expect(Differential.error(in: Array(text.utf8)) == nil) }

    @Test("The limits are 64 levels of nesting, 512 keys an object and 16 MiB")
    func bounds() {
        func error(_ text: String) -> JSONError? { Differential.error(in: Array(text.utf8)) }
        func nested(_ open: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + String(repeating: close, count: count)
        }
        #expect(error(nested("[{\"\":", "}]", 32).replacing(":}", with: ":0}")) == nil)
        #expect(
            error(nested("[{\"\":", "}]", 33).replacing(":}", with: ":0}"))
                == .tooDeep(at: 64 / 2 * 5))
        #expect(error(nested("[", "]", 64)) == nil)
        for count in [65, 1_000_000] {
            #expect(error(nested("[", "]", count)) == .tooDeep(at: 64))
        }
        func keys(_ count: Int) -> String {
            "{\((0..<count).map { "\"k\($0)\":0" }.joined(separator: ","))}"
        }
        #expect(error(keys(512)) == nil)
        guard case .tooManyKeys = error(keys(513)) else {
            Issue.record("513 keys were taken")
            return
        }
        let large = [UInt8](repeating: 0x20, count: JSONScanner.maxBytes - 1) + [0x30]
        #expect(Differential.error(in: large) == nil)
        #expect(Differential.error(in: large + [0x20]) == .tooLarge)
    }
}
