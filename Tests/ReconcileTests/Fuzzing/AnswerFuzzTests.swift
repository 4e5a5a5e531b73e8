import Testing

@testable import Reconcile
@testable import TestSupport

/// Generated answers, whole and damaged. `scripts/fuzz` runs them for as long as requested.
@Suite("Random answers")
struct AnswerFuzzTests {
    private static let words: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "0", "-", "1e9", ".",
            "\\u0000", "\\ud800", "\u{FEFF}", " ", "\n", "\u{0}", "\"status\":", "\"in_app\":[",
            "é", "{\"a\":1}",
        ].map { Array($0.utf8) } + [
            [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]

    @Test("An answer means the same to the reader as to Foundation's parser")
    func same() throws {
        let plan = FuzzPlan("answers", executions: 2_000)
        try plan.run { generator in
            let bytes = AnswerForge.answer(&generator)
            let ours = try Self.receipt(bytes)
            let theirs = try ReferenceReader.receipt(bytes, from: .sandbox)
            plan.count(ours == nil ? "none" : "receipt")
            guard ours != theirs else { return }
            Issue.record(
                """
                read \(Self.difference(ours, theirs)) by way of the tree, in \
                \(String(decoding: bytes, as: UTF8.self))
                """)
        }
        plan.expectAtLeast(percent: 5, "none", "receipt")
    }

    private static func difference(_ ours: Receipt?, _ theirs: Receipt?) -> String {
        guard var left = ours, var right = theirs else { return "a receipt only once" }
        left.transactions.removeAll(where: right.transactions.contains)
        right.transactions.removeAll { ours?.transactions.contains($0) == true }
        left.renewals.removeAll(where: right.renewals.contains)
        right.renewals.removeAll { ours?.renewals.contains($0) == true }
        return "\(left), but \(right)"
    }

    /// An answer without a numeric status has no receipt.
    private static func receipt(_ bytes: [UInt8]) throws -> Receipt? {
        do throws(VerifyReceiptAnswer.Unreadable) {
            return try VerifyReceiptAnswer.read(bytes, from: .sandbox).receipt?.sorted
        } catch {
            guard error != .noStatus else { return nil }
            throw error
        }
    }

    @Test("A damaged answer is refused, unless it is still JSON that Foundation accepts")
    func damaged() throws {
        let plan = FuzzPlan("damaged-answers", executions: 8_000)
        try plan.run { generator in
            var bytes = AnswerForge.answer(&generator)
            bytes.mutate(1 + generator.number(below: 3), with: Self.words, &generator)
            let error = Differential.error(in: bytes)
            plan.count(error == nil ? "read" : "refused")
            let answer = try? VerifyReceiptAnswer.read(bytes, from: .production)
            #expect(error == nil || answer == nil, "\(bytes)")
            if let offset = error?.offset { #expect((0...bytes.count).contains(offset)) }
            guard generator.once(in: 4) else { return }
            let verdict = Differential.verdict(of: bytes)
            #expect(verdict.isAllowed, "\(verdict): \(String(decoding: bytes, as: UTF8.self))")
        }
        plan.expectAtLeast(percent: 5, "read", "refused")
    }

    @Test("An answer in which any object repeats a key is refused")
    func duplicated() throws {
        try FuzzPlan("answers-with-a-key-twice", executions: 4_000).run { generator in
            let twice = AnswerForge.answer(&generator).namingAKeyTwice(&generator)
            guard case .duplicateKey = Differential.error(in: twice) else {
                Issue.record("\(String(decoding: twice, as: UTF8.self))")
                return
            }
        }
    }

    @Test("A truncated answer is refused, wherever it ends")
    func cutOff() throws {
        try FuzzPlan("answers-cut-off", executions: 4_000).run { generator in
            let bytes = AnswerForge.answer(&generator)
            let part = Array(bytes.prefix(generator.number(below: bytes.count)))
            #expect(Differential.error(in: part) != nil, "\(part)")
        }
    }
}

extension [UInt8] {
    /// A generated answer in which one object repeats a member, before or after all others. No text
    /// in it holds a bracket or a quote.
    fileprivate func namingAKeyTwice(_ generator: inout SeededGenerator) -> [UInt8] {
        let ends = indices.dropFirst().filter {
            self[$0] == UInt8(ascii: ":") && self[$0 - 1] == UInt8(ascii: "\"")
        }
        let end = generator.one(of: [Int](ends))
        let start = self[..<(end - 1)].lastIndex(of: UInt8(ascii: "\"")) ?? 0
        let member = self[start..<end] + Array(":0".utf8)
        var result = self
        if generator.once(in: 2) {
            let front = place(of: "{", not: "}", in: stride(from: start, to: -1, by: -1))
            result.insert(contentsOf: member + Array(",".utf8), at: front + 1)
        } else {
            let back = place(of: "}", not: "{", in: stride(from: end, to: count, by: 1))
            result.insert(contentsOf: Array(",".utf8) + member, at: back)
        }
        return result
    }

    /// The first `wanted` that does not close an `other` met before it.
    private func place(
        of wanted: Unicode.Scalar, not other: Unicode.Scalar, in places: StrideTo<Int>
    ) -> Int {
        var depth = 0
        for place in places {
            if self[place] == UInt8(ascii: other) { depth += 1 }
            guard self[place] == UInt8(ascii: wanted) else { continue }
            if depth == 0 { return place }
            depth -= 1
        }
        return 0
    }
}

extension JSONError {
    /// The byte position; nil when the error is about all bytes.
    fileprivate var offset: Int? {
        switch self {
        case .unexpected(let offset), .invalidUTF8(let offset), .tooDeep(let offset),
            .duplicateKey(let offset), .tooManyKeys(let offset):
            offset
        case .tooLarge: nil
        }
    }
}

/// Makes random answers: complete JSON in the shapes that Apple has sent and in some that it has
/// not, small enough to make millions.
private struct AnswerForge {
    typealias Members = [(String, String)]

    private var generator: SeededGenerator
    /// White space after a comma and after a colon; mostly the same within one answer.
    private var comma = ""
    private var colon = ""
    /// The keys of most lines, in one order.
    private var usual: [String] = []

    static func answer(_ generator: inout SeededGenerator) -> [UInt8] {
        var forge = AnswerForge(generator: generator)
        let answer = forge.answer()
        generator = forge.generator
        return Array(answer.utf8)
    }

    private init(generator: SeededGenerator) { self.generator = generator }

    private mutating func answer() -> String {
        comma = generator.one(of: ["", " ", "\n  "])
        colon = generator.one(of: ["", " "])
        usual = Self.transactionKeys.filter { _ in !generator.once(in: 4) }
            .shuffled(using: &generator)
        var members = [("status", one(#"0 0 "0" 21006 21002 null"#))]
        if !generator.once(in: 4) {
            members.append(("environment", one(#""Production" "Sandbox" "PROD" null"#)))
        }
        for key in ["is_retryable", "is-retryable"] where generator.once(in: 8) {
            members.append((key, value(of: "is_retryable")))
        }
        if generator.once(in: 8) { members.append(("exception", one(#""a.b" null [1]"#))) }
        if !generator.once(in: 8) { members.append(("latest_receipt_info", list(Self.line))) }
        if generator.once(in: 8) {
            members.append(("latest_expired_receipt_info", list(Self.line)))
        }
        if !generator.once(in: 4) { members.append(("pending_renewal_info", list(Self.renewal))) }
        if generator.once(in: 4) { members.append(("latest_receipt", #""TUlJQg==""#)) }
        if !generator.once(in: 16) { members.append(("receipt", receipt())) }
        if generator.once(in: 8) { members += renewalMembers() }
        return object(members.shuffled(using: &generator))
    }

    private mutating func receipt() -> String {
        if generator.once(in: 16) { return one(#"null [] "" 7"#) }
        var members: Members
        if generator.once(in: 3) {
            members = lineMembers() + [("bid", one(#""acme" null"#))]
        } else {
            members = [("bundle_id", one(#""acme" "\u0061cme" null """#))]
            if !generator.once(in: 8) { members.append(("in_app", list(Self.line))) }
        }
        for name in ["receipt_creation_date", "request_date", "original_purchase_date"] {
            guard !members.contains(where: { $0.0.hasPrefix(name) }) else { continue }
            if !generator.once(in: 4) { members.append((name + "_ms", value(of: name + "_ms"))) }
            if generator.once(in: 2) { members.append((name, value(of: name))) }
            if generator.once(in: 4) { members.append((name + "_pst", #""never read""#)) }
        }
        members.append(("original_application_version", one(#""1.0" 2 "" null"#)))
        return object(members.shuffled(using: &generator))
    }

    private mutating func list(_ element: (inout Self) -> String) -> String {
        switch generator.number(below: 16) {
        case 0: return element(&self)
        case 1: return one(#"null "" 7 true "x""#)
        default:
            let elements = (0..<generator.number(below: 6)).map { _ in
                generator.once(in: 24) ? one(#"null 7 [] """#) : element(&self)
            }
            return "[" + elements.joined(separator: "," + comma) + "]"
        }
    }

    private static func line(_ forge: inout Self) -> String { forge.object(forge.lineMembers()) }

    private mutating func lineMembers() -> Members {
        var keys = usual
        if generator.once(in: 4) { keys.shuffle(using: &generator) }
        if generator.once(in: 4) { keys = Array(keys.prefix(generator.number(below: 20))) }
        if generator.once(in: 4) { keys.append("unknown\(generator.number(below: 3))") }
        return keys.map { ($0, value(of: $0)) }
    }

    private mutating func renewalMembers() -> Members {
        let keys = """
            auto_renew_status auto_renew_product_id expiration_intent is_in_billing_retry_period \
            grace_period_expires_date_ms grace_period_expires_date
            """.split(separator: " ").map(String.init)
        return keys.filter { _ in !generator.once(in: 3) }.map { ($0, value(of: $0)) }
    }

    private static func renewal(_ forge: inout Self) -> String {
        var members = forge.renewalMembers()
        for (key, rarity) in [("original_transaction_id", 4), ("product_id", 2)]
        where !forge.generator.once(in: rarity) { members.append((key, forge.value(of: key))) }
        return forge.object(members.shuffled(using: &forge.generator))
    }

    private mutating func value(of key: String) -> String {
        switch key {
        case "transaction_id", "original_transaction_id":
            let id = "4800000000000\(10 + generator.number(below: 6))"
            return generator.once(in: 8) ? one(id + #" "" null "4\u00380""#) : "\"\(id)\""
        case "product_id", "auto_renew_product_id":
            return one(#""com.example.a" "com.example.b" "com.example.a" "c\u006Fm" null"#)
        case "expiration_intent": return one(#""1" 2 "9" null "x" true"#)
        case _ where key.hasPrefix("is_") || key == "auto_renew_status":
            return one(#""true" "false" true false 1 "0" null "" "maybe""#)
        case _ where key.hasSuffix("_ms"):
            let number = "16\(10 + generator.number(below: 80))459200000"
            if generator.once(in: 12) { return one(#""" null true "soon" [] -5"#) }
            return generator.once(in: 4) ? number : "\"\(number)\""
        case _ where key.contains("_date"):
            let day = 1 + generator.number(below: 9)
            let odd = generator.once(in: 4) ? one(#""soon" false [] {}"#) : "\"\""
            // A blank within a value is written as ~.
            return one(
                #""2021-01-0\#(day)~10:00:00~Etc/GMT" "2021-01-02~10:00:00~Etc\/GMT" "#
                    + #""1609459200000" "" null "# + odd)
        default: return one(#""a" "b" "" null "é😀\n\uD83D\uDE00" {"a":[1]}"#)
        }
    }

    private mutating func object(_ members: Members) -> String {
        let texts = members.map { name, value in
            let colon = generator.once(in: 64) ? " : \t" : ":" + colon
            // A key may contain an escape.
            let key = generator.once(in: 64) ? name.replacing("a", with: "\\u0061") : name
            return "\"\(key)\"\(colon)\(value)"
        }
        return "{" + texts.joined(separator: "," + comma) + "}"
    }

    /// One of the values between blanks.
    private mutating func one(_ choices: String) -> String {
        String(generator.one(of: choices.split(separator: " "))).replacing("~", with: " ")
    }

    private static let transactionKeys = """
        transaction_id original_transaction_id product_id purchase_date_ms purchase_date \
        purchase_date_pst expires_date_ms expires_date cancellation_date_ms cancellation_date \
        cancellation_reason in_app_ownership_type promotional_offer_id offer_code_ref_name \
        is_upgraded is_trial_period is_in_intro_offer_period quantity web_order_line_item_id
        """.split(separator: " ").map(String.init)
}
