import Testing

@testable import Reconcile
@testable import TestSupport

// What a user has, in words, where a number is a day from the instant of judgement:
//
//     pro -40, unlock -9 cancelled -4, answer version 4.0, renewal grace 5; max -40..2; unchecked
//     max to 20, full off legacy changed -2
//
// The first line is three receipts r1 to r3: two answers of Apple's, and one that was not checked.
// `pro -40` is a month of pro.monthly, `max -40..2` a period until day 2, `unlock -9` has no end.
// The n-th purchase of an answer has the id n and a period the chain 1, unless `id 7 of 8` follows.
// The second line is two stored rows e1 and e2. `@` is the day of the cause that a test chooses.

func shown(_ text: String, cause: Double = 0) -> [ReceiptEvidence] {
    parts(of: text, apartBy: ";").enumerated().map { index, answer in
        ReceiptEvidence(inWords: answer, id: ReceiptID("r\(index + 1)"), cause: cause)
    }
}

func stored(_ text: String, cause: Double = 0) -> [StoredEntitlement] {
    parts(of: text, apartBy: ",").enumerated().map { index, part in
        var words = Words(part, cause)
        defer { words.finish() }
        let product = words.product()
        let seconds = words.day("late") ?? 0
        return StoredEntitlement(
            id: EntitlementID(words.text("id") ?? "e\(index + 1)"), user: "u", product: product,
            originalTransaction: words.text("chain").map { TransactionID($0) },
            isActive: !words.has("off"),
            expiresAt: words.day("to").map { .day($0 + seconds / 86_400) },
            autoRenew: words.first(of: ["renews": true, "ends": false]),
            ownership: words.first(of: ["family": .familyShared, "purchased": .purchased]),
            source: words.first(of: ["legacy": .legacyPaid, "gift": .other("promo")]) ?? .appStore,
            updatedAt: .day(words.day("changed") ?? -10))
    }
}

/// The rows of a table in which "/" is between alternatives of a cell, with each choice of them.
func choices(_ text: String) -> [[String]] {
    text.rows.flatMap { cells in
        cells.reduce([[]] as [[String]]) { rows, cell in
            let sides = cell.split(separator: "/", omittingEmptySubsequences: false).map(trimmed)
            return rows.flatMap { row in sides.map { row + [$0] } }
        }
    }
}

/// Scenes, with each choice of alternatives: receipts, rows, and the complete outcome in the words
/// of `Judgement.outcome`, in any order. `+refund` and `+family` are the events `refund_recorded`
/// and `family_revocation_recorded`. A line `NAME = words` abbreviates words below it.
func scenes(_ text: String) -> [[String]] {
    let events = [("+refund", "refund_recorded"), ("+family", "family_revocation_recorded")]
    var short: [(String, String)] = []
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { line in
        let pair = line.split(separator: " = ").map(String.init)
        if pair.count == 2 { short.append((pair[0], pair[1])) }
        return pair.count == 2
            ? [] : choices((short + events).reduce(String(line)) { $0.replacing($1.0, with: $1.1) })
    }
}

@discardableResult
func check(_ scene: [String], by catalog: Catalog = .acme) -> Judgement {
    let judgement = Judge(catalog).judgement(scene[0], scene[1])
    let expected = parts(of: scene[2], apartBy: ",").filter { $0 != "nothing" }
    #expect(judgement.outcome == expected.sorted())
    #expect(judgement.entitlements.isBalanced)
    return judgement
}

extension Judge {
    func judgement(
        _ receipts: String, _ rows: String = "", after history: UserHistory = UserHistory()
    ) -> Judgement {
        let user = UserEvidence(user: "u", receipts: shown(receipts), entitlements: stored(rows))
        return judgement(of: user.proven(for: self), history: history)
    }
}

extension Finding {
    /// For example `critical leak`.
    var weighed: String { "\(severity) \(direction)" }

    /// Its weight and action, and all else but its sentence and money; instants as days.
    var facts: String {
        let leftOut = ["proposedAction", "explanation", "estimate", "isUnclaimed"]
        let known = members(of: self) { "day " + $0.inDays }.dropFirst(3)
            .filter { !leftOut.contains($0.name) }.map { "\($0.name) \($0.text)" }
        return (["\(weighed) \(proposedAction)"] + known).joined(separator: ", ")
    }
}

/// The members of a value that are neither nil nor empty.
func members(of value: Any, at time: (Instant) -> String) -> [(name: String, text: String)] {
    Mirror(reflecting: value).children.compactMap { name, value in
        let held = Mirror(reflecting: value)
        let known: Any? = held.displayStyle == .optional ? held.children.first?.value : value
        let text = (known as? Instant).map(time) ?? known.map { "\($0)" } ?? ""
        return text.isEmpty ? nil : (name ?? "", text)
    }
}

extension ReceiptEvidence {
    fileprivate convenience init(inWords text: String, id: ReceiptID, cause: Double) {
        if let validation = Self.withoutAnswer[text] {
            self.init(id: id, bundle: "acme", storedAt: .day(-5), validation: validation)
            return
        }
        var lists = (inApp: [String](), latest: [String](), renewals: [String]())
        var facts = Words("", cause)
        for part in parts(of: text, apartBy: ",") {
            var words = Words(part, cause)
            if words.has("answer") {
                facts = words
                continue
            } else if words.has("renewal") {
                lists.renewals.append(words.renewal())
            } else {
                let isOld = words.has("old")
                let line = words.purchase(number: lists.inApp.count + lists.latest.count + 1)
                let isInApp = isOld || !line.contains("expires")
                lists.inApp += isInApp ? [line] : []
                lists.latest += isInApp ? [] : [line]
            }
            words.finish()
        }
        let bundle = facts.text("of") ?? "acme"
        let answer = AppleLine.answer(
            inApp: lists.inApp, latest: lists.latest, renewals: lists.renewals,
            version: facts.text("version") ?? "5.0", firstGot: facts.day("got"),
            created: facts.day("made") ?? -3, bundle: facts.text("for") ?? bundle,
            environment: facts.has("sandbox") ? .sandbox : .production)
        let read = try? VerifyReceiptAnswer.read(Array(answer.utf8), from: .production)
        guard var receipt = read?.receipt else { preconditionFailure("unreadable: \(text)") }
        receipt.change(by: &facts)
        self.init(
            id: facts.text("id").map { ReceiptID($0) } ?? id, bundle: BundleID(bundle),
            storedAt: .day(facts.day("stored") ?? -5), validation: .verified(receipt),
            contradictions: facts.has("contradicted")
                ? [.product(of: "1", signed: "a", answered: "b")] : [],
            signedKinds: facts.text("lifetime").map { [ProductID($0): .nonConsumable] } ?? [:])
        facts.finish()
    }

    private static let withoutAnswer: [String: Validation] = [
        "unchecked": .unverified(.timeout), "gone": .rejected(.accountGone),
        "refused": .rejected(.notAuthentic), "forged": .rejected(.signature),
        "malformed": .unusable(.notAReceipt), "empty": .unusable(.empty),
        "jws": .unusable(.jws), "xcode": .unusable(.xcode),
    ]
}

extension Receipt {
    fileprivate mutating func change(by facts: inout Words) {
        if facts.has("iOS6") {
            tellsPurchaseOfApp = false
            createdAt = nil
        }
        if facts.has("unversioned") { originalApplicationVersion = nil }
        if facts.has("undated") { requestedAt = nil }
        if let line = facts.text("hides") {
            anomalies.append(ParseAnomaly(key: "purchase_date", transaction: .init(line)))
        }
        if facts.has("anomaly") { anomalies.append(ParseAnomaly(key: "product_id")) }
    }
}

func parts(of text: String, apartBy separator: Character) -> [String] {
    text.split(separator: separator).map(trimmed)
}

private func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
}

/// The words of a part, each to be read once.
struct Words {
    private var words: [Substring]
    private let cause: Double

    init(_ text: String, _ cause: Double = 0) {
        words = text.split(separator: " ")
        self.cause = cause
    }

    mutating func has(_ name: String) -> Bool { take(1, from: name) != nil }

    mutating func first<Value>(of values: [String: Value]) -> Value? {
        values.first { has($0.key) }?.value
    }

    /// The word after `name`; `-` is an empty one.
    mutating func text(_ name: String) -> String? {
        take(2, from: name).map { $0 == "-" ? "" : String($0) }
    }

    mutating func day(_ name: String) -> Double? { text(name).map(dayNumber) }

    func finish() { precondition(words.isEmpty, "unread: \(words)") }

    mutating func product() -> ProductID {
        let name = String(words.removeFirst())
        let isMonthly = ["pro", "max", "lite", "plus", "solo"].contains(name)
        return ProductID(isMonthly ? name + ".monthly" : name == "yearly" ? "pro.yearly" : name)
    }

    /// An entry of `in_app` or `latest_receipt_info`.
    mutating func purchase(number: Int) -> String {
        let product = product()
        let days = words.removeFirst().split(separator: "..", omittingEmptySubsequences: false)
        let start = dayNumber(String(days[0]))
        var end = product.text.hasSuffix("ly") ? start + 30 : nil
        if days.count > 1 { end = days[1].isEmpty ? nil : dayNumber(String(days[1])) }
        let id = text("id") ?? "\(number)"
        return line([
            ("transaction_id", id),
            ("original_transaction_id", text("of") ?? (end == nil ? id : "1")),
            ("product_id", product.text), ("purchase_date_ms", AppleLine.ms(start)),
            ("expires_date_ms", end.map(AppleLine.ms)),
        ])
    }

    mutating func renewal() -> String { line([("original_transaction_id", text("of") ?? "1")]) }

    /// Words with their keys in Apple's answers, and the value if that is not the next word.
    private static let keys = """
        cancelled    | cancellation_date_ms         | day
        grace        | grace_period_expires_date_ms | day
        reason       | cancellation_reason          |
        order        | web_order_line_item_id       |
        quantity     | quantity                     |
        code         | offer_code_ref_name          |
        promotion    | promotional_offer_id         |
        intent       | expiration_intent            |
        upgraded     | is_upgraded                  | true
        trial        | is_trial_period              | true
        introductory | is_in_intro_offer_period     | true
        purchased    | in_app_ownership_type        | PURCHASED
        family       | in_app_ownership_type        | FAMILY_SHARED
        retry        | is_in_billing_retry_period   | 1
        on           | auto_renew_status            | 1
        off          | auto_renew_status            | 0
        """.triples

    private mutating func line(_ own: AppleLine.Members) -> String {
        let more = Self.keys.map { word, key, value in
            let isFixed = !["day", ""].contains(value)
            let next = isFixed ? (has(word) ? value : nil) : text(word)
            return (key, value == "day" ? next.map { AppleLine.ms(dayNumber($0)) } : next)
        }
        return AppleLine.json(own + more)
    }

    /// The last of `count` words, which begin with `name`.
    private mutating func take(_ count: Int, from name: String) -> Substring? {
        guard let index = words.firstIndex(where: { $0 == name }) else { return nil }
        defer { words.removeSubrange(index..<index + count) }
        return words[index + count - 1]
    }

    private func dayNumber(_ text: String) -> Double {
        let number = text == "@" ? 0 : Double(text.trimmingPrefix("@"))
        guard let number else { preconditionFailure("no day: \(text)") }
        return number + (text.hasPrefix("@") ? cause : 0)
    }
}
