import Testing

@Suite("Swift source")
struct SwiftScannerTests {
    private func texts(_ source: String) -> [String] { SwiftTokens(source).all.map(\.text) }

    @Test(
        "Swift source is split into tokens",
        arguments: [
            ("a.b(1)", ["a", ".", "b", "(", "1", ")"]),
            ("0x1F + 1_000.5e3 ... 2", ["0x1F", "+", "1_000.5e3", ".", ".", ".", "2"]),
            ("a.0.b 1...5", ["a", ".", "0", ".", "b", "1", ".", ".", ".", "5"]),
            ("a /* b /* c */ d */ e // f\ng", ["a", "e", "g"]),
            ("`default` $0 größe", ["default", "$0", "größe"]),
            (#""a\"b" c"#, [#"a"b"#, "c"]),
            (
                #""a\(b + "c\(d)")e" f"#,
                ["a\u{FFFC}e", "(", "b", "+", "c\u{FFFC}", "(", "d", ")", ")", "f"]
            ),
            (##"#"a"\(b)"# c"##, [#"a"\(b)"#, "c"]),
            (##"#"a\#(b)c"#"##, ["a\u{FFFC}c", "(", "b", ")"]),
            ("\"\"\"\n a \"b\" \"\"c\n \"\"\" d", ["\n a \"b\" \"\"c\n ", "d"]),
            ("\"\" a", ["", "a"]),
            (##"#"""# a"##, [#"""#, "a"]),
            ("#/a\"b/# c", ["c"]),
            ("#if a\n#endif", ["#", "if", "a", "#", "endif"]),
        ])
    func isCut(source: String, expected: [String]) {
        #expect(texts(source) == expected)
        #expect(SwiftTokens(source).unreadableLine == nil)
    }

    @Test("Each token has its line")
    func keepsLines() {
        let source = "a\n/*\n*/ b \"\"\"\n  c\n  \"\"\" d\n\"\\(\ne)\" f"
        #expect(SwiftTokens(source).all.map(\.line) == [1, 3, 3, 5, 6, 6, 7, 7, 7])
    }

    @Test(
        "Source with an unfinished literal or comment is unreadable",
        arguments: [
            ("\na = \"b\nc", 2), ("\n\n/* b", 3), ("a\n\"\"\"\nb", 2), ("\n\"\\(a", 2),
            ("a\n#/b", 2), ("a = /\"/\n", 1),
        ])
    func isUnreadable(source: String, line: Int) {
        #expect(SwiftTokens(source).unreadableLine == line)
    }
}
