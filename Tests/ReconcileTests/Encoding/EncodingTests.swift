import Testing

@testable import Reconcile
@testable import TestSupport

/// At least one case of every class in Nicolas Seriot's JSONTestSuite, in texts of our own, with
/// our choice where RFC 8259 leaves one.
/// To add a case: a text or bytes in the list of what is accepted or of what is refused; a repeated
/// key with the offset of its second occurrence; base64url with the plain text.
@Suite("JSON, Base64 and an old property list")
struct EncodingTests {
    @Test(
        "Every form of JSON is accepted, keys that differ in one byte, and one key in two objects",
        arguments: [
            "[[]   , [ ] ]", "[]", #"[""]"#, #"[null, 1, "1", {}, true]"#, "[1,null,null,2]",
            "[123e65]", "0e+1", "[0E1]", "[ 4]",
            "-0.0000000000000000000000000000000000000000000000000000000000000001", "{}", "[20e1]",
            "[-0]", "[-123]", "[1E22]", "[1E-2]", "[1E+2]", "[123.456e78]", "[1e-2]", #"{"":0}"#,
            #"" ""#, #"{"asd":"sdf", "dfg":"fgh"}"#, #"{"foo\u0000bar": 42}"#,
            #"{ "min": -1.0e+28, "max": 1.0e+28 }"#, #"{"a":1,"A":2}"#,
            #"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}]}"#, #"["\\u0000"]"#, "0",
            #"{"title":"\u041f\u043e\u043b\u0442"}"#, #"["\u0060\u012a\u12AB"]"#,
            #"["\uD801\udc37"]"#, "false", #"["\ud83d\ude39\ud83d\udc8d"]"#,
            #"["\"\\\/\b\f\n\r\t"]"#, #"["\""]"#, #"["a/*b*/c/*d//e"]"#, "42", #"["\\a\\n"]"#,
            #"["\u0012"]"#, #"["\#u{10FFFF}\#u{FFFF}"]"#, #"["\uFFFF"]"#, #"["\uDBFF\uDFFE"]"#,
            "\"\"", #"["new\u00A0line"]"#, #"["\#u{2028}\#u{2029}"]"#, #"["\#u{7F}"]"#,
            #"["\u0022"]"#, #"["π 😀 ⍂"]"#, "-0.1", #"["new\u000Aline"]"#, #"[ "asd" ]"#, "null",
            #""asd""#, "true", #"\#u{FEFF}{}"#, "-0", "12.50", "1e5", "-1.5E-10",
            #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, #""\ud800""#, #""é € 😀 \#u{7F}""#,
            #"{"a":1,"A":1,"a ":1,"":1,"\u0000":1}"#, #"[{"a":1,"b":2},{"a":1,"b":2},{"b":2}]"#,
            #"[{"a":1,"b":2},{"a":1,"c":2,"b":3},{"a":1,"b":2}]"#,
            #"[{"a":{"a":1}},{"a":{"a":1}}]"#, #"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#,
            #"[{},{"a":1},{},{"a":1,"b":{}},{"a" :1}]"#,
            #"["a long string that needs more than eight bytes, twice over"]"#,
            "[\"a\"]\n", " [1]", "{\n\"a\": \"b\"\n}", "[\"a\"]\r\n",
            " \t\r\n{ \"a\" : [ 1 , { \"b\" : null } ] } \n",
        ])
    func accepts(text: String) { #expect(Differential.error(in: Array(text.utf8)) == nil) }

    @Test(
        "Text that only resembles JSON is refused",
        arguments: [
            "[1 true]", #"["": 1]"#, #"[""],"#, "[,1]", "[1,,2]", #"["x",,]"#, #"["",]"#, #"["x""#,
            "[x", "[,]", "[3[4]]", "[1:2]", "[-]", #"[   , ""]"#, #"["\#u{B}a"\f]"#, "[*]",
            "[fals]", "[nul]", "[tru]", "[+1]", "[-01]", #"123\#u{0}"#, "[-1.0.]", "[-2.]",
            "[-NaN]", "[.-1]", "[.2e-3]", "{😀}", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E]", "[0E+]",
            "[0e]", "[1.0e-]", "[1 000.0]", "[1eE2]", "[2.e+3]", "[1+2]", "[0x42]", "[0e+-1]",
            "[Infinity]", "[-123.123foo]", "[-Infinity]", "[- 1]", "[-.123]", "[1ea]", "[1.]",
            #"[\#u{FF11}]"#, "[1.2a-3]", "[012]", #"["x", truth]"#, "[1.8011670033376514H-308]",
            #"{[: "x"}"#, #"{"x", null}"#, "\"", #"{"x"::"b"}"#, #"{"a":"a" 123}"#, #"{:"b"}"#,
            "{key: 'value'}", #"{"a" b}"#, #"{"a":"#, #"{"a""#, "{1:1}", "{9e9:1}",
            "{null:null,null:null}", "[é]", #"{"id":0,,,,,}"#, "{'a':0}", #"{"id":0,}"#,
            #"{"a":"b"}/"#, #"{"a":"b"}/**/"#, #"{a: "b"}"#, #"{"a":"a"#, #"{"a"}"#, #"{"a":"b"}#"#,
            #"["\uD800\u"]"#, "]", #"["\\#u{0}"]"#, #"["\uD800\u1"]"#, #"["\uD800\u1x"]"#,
            #"["\x00"]"#, #"["\\\"]"#, #"["\\#t"]"#, #"["\😀"]"#, #"["\"]"#, #"["\a"]"#,
            #"["\u00A"]"#, #"["\uD834\uDd"]"#, #"["\uD800\uD800\x"]"#, #"["\uqqqq"]"#, #"[\n]"#,
            "*", #"[\u0020"asd"]"#, "['single quote']", "abc", #"["\"#, #"["a\#u{1}a"]"#,
            #"["\#t"]"#, #""\UA66D""#, "\"\"x", "<.>", "[<null>]", "[1]x", "[1]]", #"["asd]"#, "aå",
            "[True]", #"{"x": true,"#, "[][]", #"[\#u{0}]"#, "2@", "{}}", "['", "[{",
            #"{"a":/*c*/"b"}"#, #"{"a": true} "x""#, "{,", "{[", #"{"a"#, #"[\u000A""]"#,
            #"[\#u{C}]"#, #"[\#u{2060}]"#, "[null", #"{"asd":"asd""#, #"\#u{A0}{}"#,
            #"[\#u{FEFF}]"#, "{", "}", "[", #"{"a":}"#, "{,}", "nul", "nulll", "-", "1.", "1e",
            "1e+", #""\""#, #""\u12""#, #""\u12g4""#, #"{"a":1}\#0"#, "// {}", #""12345678\#u{0}""#,
            "[\"a\",\n4\n,1,", "[1,\n1\n,1", "[\"new\nline\"]", "", " ", "\"a\nb\"",
        ])
    func refuses(text: String) {
        #expect(Differential.error(in: Array(text.utf8)) != nil)
        // The text is invalid inside an answer too.
        let answer = "{\"status\":0,\"x\":\(text),\"receipt\":{\"bundle_id\":\"a\"}}"
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) {
            try VerifyReceiptAnswer.read(Array(answer.utf8), from: .production)
        }
    }

    /// In a string, of up to eight bytes or longer, and elsewhere.
    @Test(
        "JSON in bytes that are not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1], [0xF4, 0xBF, 0xBF, 0xBF],
            [0xC0, 0xAF], [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
            [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80], [0xE0, 0xFF], [0xFF, 0xF0, 0x9F],
        ] as [[UInt8]])
    func utf8InString(bytes: [UInt8]) {
        for before in ["\"", "\"12345678"] {
            let error = Differential.error(in: before.utf8 + bytes + Array("\"".utf8))
            guard case .invalidUTF8 = error else {
                Issue.record("after \(before): \(String(describing: error))")
                continue
            }
        }
        #expect(Differential.error(in: bytes) != nil)
    }

    @Test(
        "Bytes outside of strings that are not UTF-8, or another encoding of JSON, are refused",
        arguments: [
            [0x81], [0xEF, 0xBB, 0x7B, 0x7D], [0xEF, 0xBB, 0xBF], [0x5B, 0x22, 0xE9, 0x22, 0x5D],
            [0x22, 0x5C, 0xE5, 0x22], [0x22, 0x5C, 0x75, 0x30, 0x30, 0xE5, 0x22],
            [0x31, 0x32, 0xE5], [0x31, 0x65, 0xE5], [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x30, 0x7D],
            [0x2D, 0xE5], [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D],
            [0x5B, 0x00, 0x5D, 0x00], [0x5B, 0x00, 0x00, 0x00, 0x5D, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func utf8(bytes: [UInt8]) { #expect(Differential.error(in: bytes) != nil) }

    /// RFC 8259 leaves the range of numbers open. We keep their spelling, so nothing is lost.
    /// It also leaves open what a lone surrogate means (8.2). We read U+FFFD, as Swift decodes it.
    @Test("Numbers keep their spelling, escapes are resolved, half a surrogate pair is U+FFFD")
    func values() throws {
        let numbers = [
            "123.456e-789", "0.4e00669999999999999999999999999999999999", "-1e+9999", "1.5e+9999",
            "-123123e100000", "123e-10000000", "-123123123123123123123123123123",
            "100000000000000000000", "-237462374673276894279832749832423479823246327846",
        ]
        let texts = [
            (#"\uDADA"#, "\u{FFFD}"), (#"\uD888\u1234"#, "\u{FFFD}\u{1234}"),
            (#"\uD800\n"#, "\u{FFFD}\n"), (#"\uDd1ea"#, "\u{FFFD}a"),
            (#"\uD800\uD800\n"#, "\u{FFFD}\u{FFFD}\n"), (#"\uDFAA"#, "\u{FFFD}"),
            (#"\ud800abc"#, "\u{FFFD}abc"), (#"\uDd1e\uD834"#, "\u{FFFD}\u{FFFD}"),
            (#"a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"#, "a\"\\/\u{8}\u{C}\n\r\té😀"),
            (#"\uD834\uDd1e"#, "\u{1D11E}"), (#"\ud800z\udc00"#, "\u{FFFD}z\u{FFFD}"),
        ]
        for (text, value) in numbers.map({ ($0, $0) }) + texts.map({ ("\"\($0)\"", $1) }) {
            try Array(text.utf8).withUnsafeBufferPointer { bytes in
                var scanner = try JSONScanner(bytes)
                #expect(try scanner.value().string(in: bytes) == value)
                try scanner.finish()
            }
        }
    }

    /// RFC 8259, 4: names "should" be unique. Of two, parsers take the first or the last.
    @Test(
        "An object with a repeated key is refused at that key, at any depth and in any spelling",
        arguments: [
            (text: #"{"a":"b","a":"c"}"#, offset: 9), (#"{"a":"b","a":"b"}"#, 9),
            (#"[{"":1,"":1}]"#, 7),
            (#"{"a":1,"\u0061":1}"#, 7), (#"{"\u0061":1,"a":1}"#, 12),
            (#"[{"a":1,"b":2},{"a":1,"b":2,"a":3}]"#, 28), (#"[{"a":1,"b":2},{"a":1,"a":2}]"#, 22),
            (#"{"x":[[{"k":{"é":1,"é":2}}]]}"#, 20), (#"{"status":0,"st\u0061tus":21003}"#, 12),
        ])
    func duplicates(text: String, offset: Int) {
        #expect(Differential.error(in: Array(text.utf8)) == .duplicateKey(at: offset + 1))
    }

    @Test("The limits are 64 levels of nesting, 512 keys an object and 16 MiB")
    func bounds() {
        func error(_ text: String) -> JSONError? { Differential.error(in: Array(text.utf8)) }
        func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + middle + String(repeating: close, count: count)
        }
        #expect(error(nested("[{\"\":", "0", "}]", 32)) == nil)
        #expect(error(nested("[{\"\":", "0", "}]", 33)) == .tooDeep(at: 64 / 2 * 5))
        #expect(error(nested("[", "", "]", 64)) == nil)
        #expect(error(nested("[", "", "]", 65)) == .tooDeep(at: 64))
        #expect(error(nested("[", "", "]", 1_000_000)) == .tooDeep(at: 64))
        func keys(_ count: Int) -> String {
            "{" + (1..<count).map { "\"k\($0)\":0," }.joined() + "\"k\":0}"
        }
        #expect(error(keys(512)) == nil)
        #expect(error(keys(513)) == .tooManyKeys(at: keys(513).utf8.count - 5))
        let large = [UInt8](repeating: 0x20, count: JSONScanner.maxBytes - 1) + [0x30]
        #expect(Differential.error(in: large) == nil)
        #expect(Differential.error(in: large + [0x20]) == .tooLarge)
    }

    @Test(
        "Base64url is decoded without padding",
        arguments: [
            ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("-_8", "\u{FB}\u{FF}"),
        ])
    func base64URL(text: String, plain: String) {
        let bytes = plain.unicodeScalars.map { UInt8($0.value) }
        #expect(Base64.decodeURL(Array(text.utf8)[...]) == bytes)
    }

    @Test(
        "Nothing is repaired in base64url",
        arguments: [
            "Zg==", "Zg=", "Z", "Zm9vZ", "+/8", "Zm 9v", "Zm9v\n", "Zh", "Zm9", "Zm9vé", "Zm.v",
        ])
    func refusedBase64URL(text: String) {
        #expect(Base64.decodeURL(Array(text.utf8)[...]) == nil)
    }

    @Test("Base64 is that of RFC 4648; known damage by clients is repaired, all else refused")
    func base64Texts() throws {
        for (plain, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ] {
            #expect(base64(Array(plain.utf8)) == text)
            let decoded = Base64.Decoded(bytes: Array(plain.utf8), isCanonical: true)
            #expect(Base64.decode(Array(text.utf8)) == decoded)
        }
        for (canonical, damaged) in [
            ("+/+/", "-_-_"), ("Zm9vYmFy", "Zm9v\r\nYmFy"), ("Zm9vYmFy", "Zm9v\nYmFy\n"),
            ("Zm9vYg==", "Zm9vYg"), ("Zm9vYg==", "Zm9vYg="), ("Zm9vYmFy", "  Zm9vYmFy\t"),
            ("Zm9vYg==", "Zm9vYh=="), ("Zm8=", "Zm8"), ("a+b/", "a b_"),
        ] {
            let repaired = try #require(Base64.decode(Array(damaged.utf8)))
            #expect(!repaired.isCanonical)
            #expect(base64(repaired.bytes) == canonical)
        }
        let other = ["a", "abcde", "%%%%", "not a receipt!", "ab=c", "Zm9v.YmFy", "Zg==Zg==", "é"]
        for text in other { #expect(Base64.decode(Array(text.utf8)) == nil, "\(text)") }
    }

    @Test("An old property list is read, or refused if it is incomplete, nested or repeats a key")
    func propertyList() {
        let text = "{\n\t\"signature\" = \"a\\\"b\";\n\t\"pod\" = \"100\";\n\tbare = word-1;\n}\n"
        let values = ["signature": "a\"b", "pod": "100", "bare": "word-1"]
        #expect(PropertyList(Array(text.utf8))?.values == values)
        #expect(PropertyList(Array("{}".utf8))?.values == [:])
        let refused = [
            "", "{", #"{"a" = "b"}"#, #"{"a" = "b";"#, #"{"a" "b";}"#, #"{"a" = ;}"#,
            #"{"a" = "b";} x"#, "[]", #"{"a" = {"b" = "c";};}"#, #"{"a" = "b"; "a" = "c";}"#,
            #"{"a" = "b;}"#, #"{"a" = "\"#,
        ]
        for text in refused { #expect(PropertyList(Array(text.utf8)) == nil, "\(text)") }
    }
}
