@testable import TestSupport

/// Makes random answers: complete JSON in the shapes that Apple has sent and in some that it has
/// not, small enough to make millions.
struct AnswerForge {
    private var generator: SeededGenerator
    /// White space after a comma and after a colon; mostly the same within one answer.
    private var spaces = (comma: "", colon: "")
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
        spaces = (one("", " ", "\n  "), one("", " "))
        usual = Self.transactionKeys.filter { _ in !generator.once(in: 4) }.shuffled(
            using: &generator)
        var members = [("status", one("0", "0", "\"0\"", "21006", "21002", "null"))]
        if !generator.once(in: 4) { members.append(("environment", environment())) }
        if generator.once(in: 8) { members.append(("is_retryable", flag())) }
        if generator.once(in: 8) { members.append(("is-retryable", flag())) }
        if generator.once(in: 8) { members.append(("exception", one("\"a.b\"", "null", "[1]"))) }
        if !generator.once(in: 8) { members.append(("latest_receipt_info", list(Self.line))) }
        if generator.once(in: 8) {
            members.append(("latest_expired_receipt_info", list(Self.line)))
        }
        if !generator.once(in: 4) { members.append(("pending_renewal_info", list(Self.renewal))) }
        if generator.once(in: 4) { members.append(("latest_receipt", "\"TUlJQg==\"")) }
        if !generator.once(in: 16) { members.append(("receipt", receipt())) }
        if generator.once(in: 8) { members += renewalMembers() }
        return object(members.shuffled(using: &generator))
    }

    private mutating func receipt() -> String {
        if generator.once(in: 16) { return one("null", "[]", "\"\"", "7") }
        var members: [(String, String)] = []
        if generator.once(in: 3) {
            members = lineMembers() + [("bid", one("\"acme\"", "null"))]
        } else {
            members = [("bundle_id", one("\"acme\"", "\"\\u0061cme\"", "null", "\"\""))]
            if !generator.once(in: 8) { members.append(("in_app", list(Self.line))) }
        }
        for name in ["receipt_creation_date", "request_date", "original_purchase_date"] {
            guard !members.contains(where: { $0.0.hasPrefix(name) }) else { continue }
            members += dates(name)
        }
        members.append(("original_application_version", one("\"1.0\"", "2", "\"\"", "null")))
        return object(members.shuffled(using: &generator))
    }

    private mutating func list(_ element: (inout Self) -> String) -> String {
        switch generator.number(below: 16) {
        case 0: return element(&self)
        case 1: return one("null", "\"\"", "7", "true", "\"x\"")
        default:
            let elements = (0..<generator.number(below: 6)).map { _ in
                generator.once(in: 24) ? one("null", "7", "[]", "\"\"") : element(&self)
            }
            return "[" + elements.joined(separator: "," + spaces.comma) + "]"
        }
    }

    private static func line(_ forge: inout Self) -> String { forge.object(forge.lineMembers()) }

    private mutating func lineMembers() -> [(String, String)] {
        var keys = usual
        if generator.once(in: 4) { keys.shuffle(using: &generator) }
        if generator.once(in: 4) { keys = Array(keys.prefix(generator.number(below: 20))) }
        if generator.once(in: 4) { keys.append("unknown\(generator.number(below: 3))") }
        return keys.map { ($0, value(of: $0)) }
    }

    private mutating func renewalMembers() -> [(String, String)] {
        let keys = [
            "auto_renew_status", "auto_renew_product_id", "expiration_intent",
            "is_in_billing_retry_period", "grace_period_expires_date_ms",
            "grace_period_expires_date",
        ]
        return keys.filter { _ in !generator.once(in: 3) }.map { ($0, value(of: $0)) }
    }

    private static func renewal(_ forge: inout Self) -> String {
        var members = forge.renewalMembers()
        if !forge.generator.once(in: 4) { members.append(("original_transaction_id", forge.id())) }
        if forge.generator.once(in: 2) { members.append(("product_id", forge.product())) }
        return forge.object(members.shuffled(using: &forge.generator))
    }

    private mutating func dates(_ name: String) -> [(String, String)] {
        var members: [(String, String)] = []
        if !generator.once(in: 4) { members.append((name + "_ms", value(of: name + "_ms"))) }
        if generator.once(in: 2) { members.append((name, value(of: name))) }
        if generator.once(in: 4) { members.append((name + "_pst", "\"never read\"")) }
        return members
    }

    private mutating func value(of key: String) -> String {
        switch key {
        case "transaction_id", "original_transaction_id": id()
        case "product_id", "auto_renew_product_id": product()
        case "expiration_intent": one("\"1\"", "2", "\"9\"", "null", "\"x\"", "true")
        case _ where key.hasPrefix("is_") || key == "auto_renew_status": flag()
        case _ where key.hasSuffix("_ms"): milliseconds()
        case _ where key.contains("_date"):
            one(
                "\"2021-01-0\(1 + generator.number(below: 9)) 10:00:00 Etc/GMT\"",
                "\"2021-01-02 10:00:00 Etc\\/GMT\"", "\"1609459200000\"", "\"\"", "null",
                generator.once(in: 4) ? one("\"soon\"", "false", "[]", "{}") : "\"\"")
        default: one("\"a\"", "\"b\"", "\"\"", "null", "\"é😀\\n\\uD83D\\uDE00\"", "{\"a\":[1]}")
        }
    }

    private mutating func id() -> String {
        let id = "4800000000000\(10 + generator.number(below: 6))"
        return generator.once(in: 8) ? one(id, "\"\"", "null", "\"4\\u00380\"") : "\"\(id)\""
    }

    private mutating func product() -> String {
        one("\"com.example.a\"", "\"com.example.b\"", "\"com.example.a\"", "\"c\\u006Fm\"", "null")
    }

    private mutating func milliseconds() -> String {
        let number = "16\(10 + generator.number(below: 80))459200000"
        if generator.once(in: 12) { return one("\"\"", "null", "true", "\"soon\"", "[]", "-5") }
        return generator.once(in: 4) ? number : "\"\(number)\""
    }

    private mutating func flag() -> String {
        one("\"true\"", "\"false\"", "true", "false", "1", "\"0\"", "null", "\"\"", "\"maybe\"")
    }

    private mutating func environment() -> String {
        one("\"Production\"", "\"Sandbox\"", "\"PROD\"", "null")
    }

    private mutating func object(_ members: [(String, String)]) -> String {
        let texts = members.map { name, value in
            let colon = generator.once(in: 64) ? " : \t" : ":" + spaces.colon
            // A key may contain an escape.
            let key = generator.once(in: 64) ? name.replacing("a", with: "\\u0061") : name
            return "\"\(key)\"\(colon)\(value)"
        }
        return "{" + texts.joined(separator: "," + spaces.comma) + "}"
    }

    private mutating func one(_ choices: String...) -> String { generator.one(of: choices) }

    private static let transactionKeys = [
        "transaction_id", "original_transaction_id", "product_id", "purchase_date_ms",
        "purchase_date", "purchase_date_pst", "expires_date_ms", "expires_date",
        "cancellation_date_ms", "cancellation_date", "cancellation_reason",
        "in_app_ownership_type", "promotional_offer_id", "offer_code_ref_name", "is_upgraded",
        "is_trial_period", "is_in_intro_offer_period", "quantity", "web_order_line_item_id",
    ]
}
