import Testing

@testable import Reconcile
@testable import TestSupport

/// Generated answers, whole and damaged. `scripts/fuzz` runs them for as long as requested.
/// To add a case: a value in the lists of `AnswerForge`, which makes the answers; or a word that
/// damages them.
@Suite("Random answers")
struct AnswerFuzzTests {
    private static let words: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "0", "-", "1e9", ".",
            #"\u0000"#, #"\ud800"#, #""status":"#, #""in_app":["#, "é", #"{"a":1}"#, "\u{FEFF}",
        ].map { Array($0.utf8) }
        + [
            [0x20], [0x0A], [0], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
        ]

    private enum Content { case none, receipt }
    private enum Reading { case read, refused }

    @Test("An answer means the same to the reader as to Foundation's parser")
    func same() throws {
        let plan = FuzzPlan("answers", executions: 2_000)
        try plan.run(atLeast: 15, of: Content.none, .receipt) { generator in
            let bytes = AnswerForge.answer(&generator)
            let ours = try Self.receipt(bytes)
            let theirs = try ReferenceReader.receipt(bytes, from: .sandbox)
            #expect(ours == theirs, "\(String(decoding: bytes, as: UTF8.self))")
            return ours == nil ? .none : .receipt
        }
    }

    /// An answer without a numeric status has no receipt.
    private static func receipt(_ bytes: [UInt8]) throws -> Receipt? {
        do {
            return try VerifyReceiptAnswer.read(bytes, from: .sandbox).receipt?.sorted
        } catch VerifyReceiptAnswer.Unreadable.noStatus {
            return nil
        }
    }

    @Test("A damaged answer is refused, unless it is still JSON that Foundation accepts")
    func damaged() throws {
        let plan = FuzzPlan("damaged-answers", executions: 8_000)
        try plan.run(atLeast: 11, of: Reading.read, .refused) { generator in
            var bytes = AnswerForge.answer(&generator)
            bytes.mutate(1 + generator.number(below: 3), with: Self.words, &generator)
            let error = Differential.error(in: bytes)
            let answer = try? VerifyReceiptAnswer.read(bytes, from: .production)
            #expect(error == nil || answer == nil, "\(bytes)")
            if let offset = error?.offset { #expect((0...bytes.count).contains(offset)) }
            let text = String(decoding: bytes, as: UTF8.self)
            let isCompared = generator.once(in: 4)
            #expect(!isCompared || Differential.disagreement(on: bytes) == nil, "\(text)")
            return error == nil ? .read : .refused
        }
    }

    @Test("An answer that is truncated anywhere, or in which any object repeats a key, is refused")
    func refused() throws {
        try FuzzPlan("truncated-and-repeating-answers", executions: 4_000).run { generator in
            let bytes = AnswerForge.answer(&generator)
            let part = Array(bytes.prefix(generator.number(below: bytes.count)))
            #expect(Differential.error(in: part) != nil, "\(part)")
            let twice = AnswerForge.answer(naming: generator.number(below: 8), &generator)
            if case .duplicateKey = Differential.error(in: twice) { return }
            Issue.record("\(String(decoding: twice, as: UTF8.self))")
        }
    }
}

extension JSONError {
    fileprivate var offset: Int? {
        switch self {
        case .unexpected(let offset), .invalidUTF8(let offset), .tooDeep(let offset),
            .duplicateKey(let offset), .tooManyKeys(let offset):
            offset
        case .tooLarge: nil
        }
    }
}

/// Makes random answers: small complete JSON in shapes that Apple has sent, and in others.
private struct AnswerForge {
    typealias Members = [(String, String)]

    private var generator: SeededGenerator
    /// How many objects come before the one that repeats a key, if one does.
    private var untilTwice: Int?
    private var spaceAfterComma = ""
    private var spaceAfterColon = ""
    /// The keys of most lines, in one order.
    private var usual: [String] = []
    /// The transactions of the list that was made last.
    private var lines: [String] = []

    /// - Parameter index: of an object that repeats a member; the whole if there are fewer objects.
    static func answer(naming index: Int? = nil, _ generator: inout SeededGenerator) -> [UInt8] {
        var forge = AnswerForge(generator: generator, untilTwice: index)
        let answer = forge.answer()
        generator = forge.generator
        return Array(answer.utf8)
    }

    private mutating func answer() -> String {
        spaceAfterComma = generator.one(of: ["", " ", "\n  "])
        spaceAfterColon = generator.one(of: ["", " "])
        usual = Self.transactionKeys.filter { _ in !generator.once(in: 4) }
            .shuffled(using: &generator)
        var members = some(of: [
            "status": 16, "environment": 12, "is_retryable": 2, "is-retryable": 2, "exception": 2,
            "latest_receipt_info": 14, "latest_expired_receipt_info": 2, "latest_receipt": 4,
            "pending_renewal_info": 12, "receipt": 15,
        ])
        if generator.once(in: 8) { members += renewalMembers() }
        if untilTwice != nil { untilTwice = 0 }
        return object(members.shuffled(using: &generator))
    }

    private mutating func receipt() -> String {
        if generator.once(in: 16) { return one(["null", "[]", #""""#, "7"]) }
        let isOld = generator.once(in: 3)
        var members = isOld ? lineMembers() : some(of: ["bundle_id": 16, "in_app": 14])
        members += some(of: ["bid": isOld ? 16 : 0, "original_application_version": 16])
        for name in ["receipt_creation_date", "request_date", "original_purchase_date"]
        where !members.contains(where: { $0.0.hasPrefix(name) }) {
            members += some(of: [name + "_ms": 12, name: 8, name + "_pst": 4])
        }
        return object(members.shuffled(using: &generator))
    }

    private mutating func list(_ element: (inout Self) -> String) -> String {
        switch generator.number(below: 16) {
        case 0: return element(&self)
        case 1: return one(["null", #""""#, "7", "true", #""x""#])
        default:
            let elements = (0..<generator.number(below: 6)).map { _ in
                generator.once(in: 24) ? one(["null", "7", "[]", #""""#]) : element(&self)
            }
            return "[" + elements.joined(separator: "," + spaceAfterComma) + "]"
        }
    }

    /// Most lines repeat one of the last list byte for byte, in the same order or from its end.
    private mutating func transactions() -> String {
        let isReversed = generator.once(in: 2)
        let known = isReversed ? Array(lines.reversed()) : lines
        lines = []
        return list { forge in
            let index = forge.lines.count
            let isRepeated = index < known.count && !forge.generator.once(in: 4)
            let line = isRepeated ? known[index] : forge.object(forge.lineMembers())
            forge.lines.append(line)
            return line
        }
    }

    private mutating func lineMembers() -> Members {
        var keys = usual
        if generator.once(in: 4) { keys.shuffle(using: &generator) }
        if generator.once(in: 4) { keys = Array(keys.prefix(generator.number(below: 20))) }
        if generator.once(in: 4) { keys.append("unknown\(generator.number(below: 3))") }
        return keys.map { ($0, value(of: $0)) }
    }

    private mutating func renewalMembers() -> Members {
        some(of: [
            "auto_renew_status": 11, "auto_renew_product_id": 11, "expiration_intent": 11,
            "is_in_billing_retry_period": 11, "grace_period_expires_date_ms": 11,
            "grace_period_expires_date": 11,
        ])
    }

    /// Each of the members in as many of 16 cases.
    private mutating func some(of members: KeyValuePairs<String, Int>) -> Members {
        let chosen = members.filter { generator.number(below: 16) < $0.value }
        return chosen.map { ($0.key, value(of: $0.key)) }
    }

    private mutating func value(of key: String) -> String {
        switch key {
        case "receipt": return receipt()
        case "in_app", "latest_receipt_info", "latest_expired_receipt_info":
            return transactions()
        case "pending_renewal_info":
            return list { forge in
                let ids = forge.some(of: ["original_transaction_id": 12, "product_id": 8])
                let members = ids + forge.renewalMembers()
                return forge.object(members.shuffled(using: &forge.generator))
            }
        case "transaction_id", "original_transaction_id":
            let id = "4800000000000\(10 + generator.number(below: 6))"
            return generator.once(in: 8) ? one([id, #""""#, "null", #""4\u00380""#]) : "\"\(id)\""
        case _ where key.hasSuffix("_ms"):
            let number = "16\(10 + generator.number(below: 80))459200000"
            if generator.once(in: 12) { return one(Self.oddNumbers) }
            return generator.once(in: 4) ? number : "\"\(number)\""
        case _ where key.contains("_date"):
            let day = 1 + generator.number(below: 9)
            let odd = generator.once(in: 4) ? one([#""soon""#, "false", "[]", "{}"]) : #""""#
            return one([
                #""2021-01-0\#(day) 10:00:00 Etc/GMT""#, #""2021-01-02 10:00:00 Etc\/GMT""#,
                #""1609459200000""#, #""""#, "null", odd,
            ])
        case _ where key.hasPrefix("is_"): return value(of: "is-retryable")
        default: return one(Self.values[key] ?? Self.texts)
        }
    }

    /// Values in JSON. One that is there twice is as often chosen.
    private static let products = [
        #""com.example.a""#, #""com.example.b""#, #""com.example.a""#, #""c\u006Fm""#, "null",
    ]
    private static let flags = [
        #""true""#, #""false""#, "true", "false", "1", #""0""#, "null", #""""#, #""maybe""#,
    ]
    private static let oddNumbers = [#""""#, "null", "true", #""soon""#, "[]", "-5"]
    private static let nested = #"{"a":[1]}"#
    private static let texts = [
        #""a""#, #""b""#, #""""#, "null", #""é😀\n\uD83D\uDE00""#, nested,
    ]
    private static let values = [
        "status": ["0", "0", #""0""#, "21006", "21002", "null"],
        "exception": [#""a.b""#, "null", "[1]"],
        "environment": [#""Production""#, #""Sandbox""#, #""PROD""#, "null"],
        "latest_receipt": [#""TUlJQg==""#],
        "bid": [#""acme""#, "null"],
        "bundle_id": [#""acme""#, #""\u0061cme""#, "null", #""""#],
        "original_application_version": [#""1.0""#, "2", #""""#, "null"],
        "product_id": products, "auto_renew_product_id": products,
        "expiration_intent": [#""1""#, "2", #""9""#, "null", #""x""#, "true"],
        "is-retryable": flags, "auto_renew_status": flags,
    ]

    private mutating func object(_ members: Members) -> String {
        var texts = members.map { name, value in
            let colon = generator.once(in: 64) ? " : \t" : ":" + spaceAfterColon
            // A key may contain an escape.
            let key = generator.once(in: 64) ? name.replacing("a", with: "\\u0061") : name
            return "\"\(key)\"\(colon)\(value)"
        }
        if let count = untilTwice, !members.isEmpty {
            untilTwice = count == 0 ? nil : count - 1
            let name = generator.one(of: members).0
            let index = generator.once(in: 2) ? 0 : texts.count
            if count == 0 { texts.insert("\"\(name)\":0", at: index) }
        }
        return "{" + texts.joined(separator: "," + spaceAfterComma) + "}"
    }

    private mutating func one(_ choices: [String]) -> String {
        let choice = generator.one(of: choices)
        return choice == Self.nested ? object([("a", "[1]")]) : choice
    }

    private static let transactionKeys = [
        "transaction_id", "original_transaction_id", "product_id", "purchase_date_ms",
        "purchase_date", "purchase_date_pst", "expires_date_ms", "expires_date",
        "original_purchase_date_ms", "original_purchase_date",
        "cancellation_date_ms", "cancellation_date", "cancellation_reason",
        "in_app_ownership_type", "promotional_offer_id", "offer_code_ref_name", "is_upgraded",
        "is_trial_period", "is_in_intro_offer_period", "quantity", "web_order_line_item_id",
    ]
}
