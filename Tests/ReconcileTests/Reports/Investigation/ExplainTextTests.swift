import Foundation
import Testing

@testable import Reconcile

@Suite("The output of explain")
struct ExplainTextTests {
    private typealias Change = @Sendable (String) -> String

    private static let strange: KeyValuePairs<String, Change> = [
        "long": { $0 + String(repeating: "x", count: 3_000) },
        "controls": { $0 + "\u{1B}[31m\r\n\t\u{7F}\u{85}" },
        "direction": { "\u{202E}" + $0 + "\u{2066}\u{200B}\u{FEFF}" },
        "quotes": { "\"" + $0 + "\\\"',=+@{}[]%s%n" },
        "spaces": { "  " + $0 + "   " }, "empty": { _ in "" },
        "beyond": { $0 + String(repeating: "🧾é漢\u{301}", count: 200) },
    ]

    @Test("The text and the JSON of a customer are the golden file's")
    func golden() {
        var file = ExplainScene.file()
        file.live = ExplainScene.live()
        #expect(ExplainText(file).text == ExplainGolden.text)
        #expect(oneLine(ExplainJSON.bytes(file)) == ExplainGolden.json)
    }

    @Test(
        "The text fits 100 columns and shows control characters escaped, for any ids and names",
        arguments: strange.map(\.key))
    func hostile(name: String) throws {
        let odd = try #require(Self.strange.first { $0.key == name }).value
        var file = ExplainScene.file(odd)
        file.live = ExplainScene.live(odd)
        let text = ExplainText(file).text
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 100, "\(line.prefix(120))")
            #expect(line == line.description.escapingControls()[...])
        }
        // Apart from line breaks the text is complete.
        func bare(_ text: String) -> String { text.filter { !" \n".contains($0) } }
        let all = bare(text)
        for word in name == "empty"
            ? [] : ["ann", "r-1", "e-1", "pro.monthly", "acme", "2", "pro", "maps", "ada"]
        {
            #expect(all.contains(bare(odd(word).escapingControls())), "\(word)")
        }
        let json = try JSONSerialization.jsonObject(with: Data(ExplainJSON.bytes(file)))
        let object = try #require(json as? [String: Any])
        let user = try #require(object["user_id"] as? String)
        #expect(user.unicodeScalars.elementsEqual(odd("ann").unicodeScalars))
        #expect((object["rights"] as? [[String: Any]])?.count == 2)
    }

    @Test("Of two rights without a row each has its own finding")
    func withoutRow() {
        var file = ExplainScene.file()
        let kind = FindingKind.activeNotGranted
        file.rights = (file.rights ?? []).enumerated().map { number, right in
            var right = right
            (right.row, right.outcome, right.kind) = (nil, .finding, kind)
            right.right = "product:p\(number)"
            right.apple?.product = ProductID("p\(number)")
            return right
        }
        file.findings = (0..<2).map { number in
            var finding = Finding(
                kind: kind, weight: kind.weight, user: "ann",
                explanation: "Nothing grants p\(number).", reference: "product:p\(number)")
            finding.productApple = ProductID("p\(number)")
            return ReportedFinding(identifying: finding, judgedAt: file.run.run.asOf)
        }
        let text = ExplainText(file).text
        for words in ["Nothing grants p0.", "Nothing grants p1."] { #expect(text.contains(words)) }
        #expect(!text.contains("Other findings"))
    }
}
