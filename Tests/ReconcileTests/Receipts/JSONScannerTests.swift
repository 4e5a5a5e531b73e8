import Testing

@testable import Reconcile

@Suite("The JSON scanner")
struct JSONScannerTests {
    private func error(_ bytes: [UInt8]) -> JSONError? {
        bytes.withUnsafeBufferPointer { bytes in
            do throws(JSONError) {
                var scanner = try JSONScanner(bytes)
                _ = try scanner.value()
                try scanner.finish()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(
        "Complete documents of every kind are accepted",
        arguments: [
            "{}", "[]", "null", "true", "false", "0", "-0", "12.50", "1e5", "-1.5E-10", "\"\"",
            " \t\r\n{ \"a\" : [ 1 , { \"b\" : null } ] } \n",
            #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#,
            #""\ud800""#, "\"é € 😀 \u{7F}\"", "{\"a\":1,\"A\":2}", "\u{FEFF}{}",
            "[\"a long string that needs more than eight bytes, twice over\"]",
        ])
    func takes(text: String) { #expect(error(Array(text.utf8)) == nil) }

    @Test(
        "Text that is not one complete document is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "[1,]", "[,1]",
            "[1 2]", "{\"a\" 1}", "{a:1}", "{'a':1}", "nul", "nulll", "True", "01", "-", "1.", ".5",
            "+1", "1e", "1e+", "0x1", "NaN", "Infinity", "\"", "\"a", "\"\\\"", "\"\\x\"",
            "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"", "\"a\u{1}b\"", "{}{}", "{} x", "[1]]",
            "{\"a\":1}\0", "// {}", "[1,2", "{\"a\":1,\"b\"", "\"12345678\u{0}\"",
        ])
    func refuses(text: String) { #expect(error(Array(text.utf8)) != nil) }

    @Test("Every proper prefix of a document is refused")
    func prefixes() {
        let whole = Array(#"{"a":[1.5e3,{"b":"\u00e9é"},true,null],"c":"long enough text"}"#.utf8)
        #expect(error(whole) == nil)
        for count in 0..<whole.count {
            #expect(error(Array(whole[..<count])) != nil, "prefix of \(count) bytes")
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func utf8(bytes: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        guard case .invalidUTF8 = error(quote + bytes + quote) else {
            Issue.record("taken: \(bytes)")
            return
        }
        #expect(error(quote + Array("12345678".utf8) + bytes + quote) != nil)
    }

    @Test("A repeated key is found in any spelling, and different keys are accepted")
    func duplicates() {
        #expect(error(Array(#"{"a":1,"b":2,"a":3}"#.utf8)) == .duplicateKey(at: 14))
        #expect(error(Array(#"{"status":0,"st\u0061tus":21003}"#.utf8)) != nil)
        #expect(error(Array(#"{"x":{"a":1,"a":2}}"#.utf8)) != nil)
        #expect(error(Array(#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#.utf8)) == nil)
    }

    @Test("Depth and number of keys are limited")
    func bounded() {
        let deep = { (count: Int) in
            Array(repeating: UInt8(ascii: "["), count: count)
                + Array(repeating: UInt8(ascii: "]"), count: count)
        }
        #expect(error(deep(64)) == nil)
        #expect(error(deep(65)) == .tooDeep(at: 64))
        #expect(error(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == .tooDeep(at: 64))
        let keys = { (count: Int) in
            Array("{\((0..<count).map { "\"k\($0)\":0" }.joined(separator: ","))}".utf8)
        }
        #expect(error(keys(512)) == nil)
        guard case .tooManyKeys = error(keys(513)) else {
            Issue.record("513 keys were taken")
            return
        }
    }

    @Test("Escapes are resolved, and a lone surrogate becomes U+FFFD")
    func escapes() throws {
        let text = Array(#""a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\ud800z\udc00""#.utf8)
        try text.withUnsafeBufferPointer { bytes in
            var scanner = try JSONScanner(bytes)
            let string = try scanner.string().string(in: bytes)
            #expect(string == "a\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}z\u{FFFD}")
        }
    }
}
