import Testing

@testable import Reconcile
@testable import TestSupport

/// Generated answers, whole and damaged. `scripts/fuzz` runs them for as long as requested.
@Suite("Random answers")
struct AnswerFuzzTests {
    private static let words: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "0", "-", "1e9", ".",
            "\\u0000",
            "\\ud800", "\u{FEFF}", " ", "\n", "\u{0}", "\"status\":", "\"in_app\":[", "é",
            "{\"a\":1}",
        ].map { Array($0.utf8) } + [
            [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]

    @Test("An answer means the same to the reader as to Foundation's parser")
    func same() throws {
        try FuzzPlan("answers", executions: 2_000).run { generator in
            let bytes = AnswerForge.answer(&generator)
            let ours = try Self.receipt(bytes)
            let theirs = try ReferenceReader.receipt(bytes, from: .sandbox)
            guard ours != theirs else { return }
            Issue.record(
                """
                read \(Self.difference(ours, theirs)) by way of the tree, in \
                \(String(decoding: bytes, as: UTF8.self))
                """)
        }
    }

    private static func difference(_ ours: Receipt?, _ theirs: Receipt?) -> String {
        guard let ours, let theirs else { return "\(ours == nil), \(theirs == nil) (no receipt)" }
        var (left, right) = (ours, theirs)
        left.transactions.removeAll { theirs.transactions.contains($0) }
        right.transactions.removeAll { ours.transactions.contains($0) }
        left.renewals.removeAll { theirs.renewals.contains($0) }
        right.renewals.removeAll { ours.renewals.contains($0) }
        if left.anomalies == right.anomalies { (left.anomalies, right.anomalies) = ([], []) }
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
        try FuzzPlan("damaged-answers", executions: 8_000).run { generator in
            var bytes = AnswerForge.answer(&generator)
            bytes.mutate(
                1 + generator.number(below: 3), with: Self.words, &generator)
            let error = Differential.error(in: bytes)
            let answer = try? VerifyReceiptAnswer.read(bytes, from: .production)
            #expect(error == nil || answer == nil, "\(bytes)")
            if let offset = error?.offset { #expect((0...bytes.count).contains(offset)) }
            guard generator.once(in: 4) else { return }
            let verdict = Differential.verdict(of: bytes)
            #expect(verdict.isAllowed, "\(verdict): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("An answer in which any object repeats a key is refused")
    func duplicated() throws {
        try FuzzPlan("answers-with-a-key-twice", executions: 4_000).run { generator in
            let bytes = AnswerForge.answer(&generator)
            let twice = bytes.namingAKeyTwice(&generator)
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
