import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: its label, the strings, and how they are kept, each ended by a line feed.
@Suite("Signed strings are kept with each header once", .hangLimit)
struct SignedLinesTests {
    struct Kept: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let strings: [String]
        let kept: [String]

        init(_ label: String, _ strings: [String], as kept: [String]) {
            testDescription = label
            self.strings = strings
            self.kept = kept
        }
    }

    @Test(
        "A header that stands in the string before is left out",
        arguments: [
            Kept("nothing", [], as: []),
            Kept("one", ["h.a.s"], as: ["h.a.s"]),
            Kept("the same header", ["h.a.s", "h.b.t"], as: ["h.a.s", ".b.t"]),
            Kept(
                "another header", ["h.a.s", "i.b.t", "i.c.u"], as: ["h.a.s", "i.b.t", ".c.u"]),
            Kept(
                "back to the first", ["h.a.s", "i.b.t", "h.c.u"], as: ["h.a.s", "i.b.t", "h.c.u"]),
            Kept("a longer header", ["h.a.s", "hh.b.t"], as: ["h.a.s", "hh.b.t"]),
            Kept("a shorter header", ["hh.a.s", "h.b.t"], as: ["hh.a.s", "h.b.t"]),
            Kept("a header that ends alike", ["ah.a.s", "bh.b.t"], as: ["ah.a.s", "bh.b.t"]),
            Kept("no header", [".a.s", ".b.t"], as: [".a.s", ".b.t"]),
        ])
    func kept(row: Kept) {
        var lines = SignedLines()
        for string in row.strings { lines.append(Array(string.utf8)[...]) }
        let whole = SignedLines.whole(lines.bytes)
        #expect(String(decoding: lines.bytes, as: UTF8.self) == Self.text(row.kept))
        #expect(String(decoding: whole, as: UTF8.self) == Self.text(row.strings))
    }

    @Test("What an older release kept whole is read as it stands")
    func keptWhole() {
        let text = Self.text(["h.a.s", "h.b.t", "i.c.u"])
        #expect(String(decoding: SignedLines.whole(Array(text.utf8)), as: UTF8.self) == text)
    }

    @Test(
        "Damaged bytes are read as far as they go",
        arguments: zip(
            ["\n", ".\n", "a", "a.b\n.c", ".\na"], ["\n", ".\n", "a", "a.b\na.c", ".\na"]))
    func damaged(text: String, whole: String) {
        #expect(String(decoding: SignedLines.whole(Array(text.utf8)), as: UTF8.self) == whole)
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
