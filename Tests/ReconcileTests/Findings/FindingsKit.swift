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
// The second line is two stored rows e1 and e2, of which the second is not active. `@` is the day
// of the cause that a test chooses.

func shown(_ text: String, cause: Double = 0) -> [ReceiptEvidence] {
    parts(of: text, apartBy: ";").enumerated().map { place, answer in
        ReceiptEvidence(inWords: answer, number: place + 1, cause: cause)
    }
}

func stored(_ text: String, cause: Double = 0) -> [StoredEntitlement] {
    parts(of: text, apartBy: ",").enumerated().map { place, part in
        var words = Words(part, cause: cause)
        let product = words.product()
        let seconds = words.day("late") ?? 0
        let row = StoredEntitlement.row(
            EntitlementID(words.text("id") ?? "e\(place + 1)"), product,
            chain: words.text("chain").map { TransactionID($0) }, isActive: !words.has("off"),
            expires: words.day("to").map { $0 + seconds / 86_400 },
            autoRenew: words.has("renews") ? true : words.has("ends") ? false : nil,
            ownership: words.has("family") ? .familyShared : nil,
            source: words.has("legacy")
                ? .legacyPaid : words.has("gift") ? .other("promo") : .appStore,
            updated: words.day("changed") ?? -10)
        words.finish()
        return row
    }
}

/// Cases in text: receipts, rows, the complete outcome in the words of `Judgement.outcome`, in any
/// order, and for some what they are. `+refund` and `+family` are the events `refund_recorded` and
/// `family_revocation_recorded`.
/// - Parameter short: what a word of the text is short for.
func scenes(_ text: String, where short: KeyValuePairs<String, String> = [:]) -> [AnsweredCase] {
    textTable(text).map { cells in
        let full = cells.prefix(2).map { cell in
            short.reduce(cell) { $0.replacing($1.key, with: $1.value) }
        }
        return AnsweredCase(
            cells.joined(separator: " | "), shown(full[0]), stored(full[1]),
            expected: parts(of: cells[2], apartBy: ",").filter { $0 != "nothing" }.map { word in
                word == "+refund"
                    ? "refund_recorded" : word == "+family" ? "family_revocation_recorded" : word
            })
    }
}

let anomaly = ParseAnomaly(key: "product_id")

extension Judge {
    /// The judgement of a user in words, as `shown` and `stored` read them.
    func judgement(
        _ receipts: String, _ rows: String = "", after history: UserHistory = UserHistory()
    ) -> Judgement {
        judgement(
            of: UserEvidence(user: "u", receipts: shown(receipts), entitlements: stored(rows)),
            history: history)
    }
}

extension Finding {
    /// For example `critical leak`.
    var weighed: String { "\(severity) \(direction)" }
}

extension Judgement {
    func only(_ kind: FindingKind) throws -> Finding {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1)
        return try #require(found.first)
    }
}

private func parts(of text: String, apartBy separator: Character) -> [String] {
    text.split(separator: separator).map { part in
        part.split(separator: " ").joined(separator: " ")
    }
}

/// The words of a part, each to be read once.
private struct Words {
    private var words: [Substring]
    private let cause: Double

    init(_ text: String, cause: Double) {
        words = text.split(separator: " ")
        self.cause = cause
    }

    mutating func has(_ name: String) -> Bool {
        guard let place = words.firstIndex(where: { $0 == name }) else { return false }
        words.remove(at: place)
        return true
    }

    /// The word after `name`; `-` is an empty one.
    mutating func text(_ name: String) -> String? {
        guard let place = words.firstIndex(where: { $0 == name }) else { return nil }
        defer { words.removeSubrange(place...place + 1) }
        return words[place + 1] == "-" ? "" : String(words[place + 1])
    }

    mutating func day(_ name: String) -> Double? { text(name).map { day(of: $0[...]) } }

    mutating func product() -> ProductID {
        let name = String(words.removeFirst())
        let isMonthly = ["pro", "max", "lite", "plus", "solo"].contains(name)
        return ProductID(isMonthly ? name + ".monthly" : name == "yearly" ? "pro.yearly" : name)
    }

    mutating func span(of product: ProductID) -> (start: Double, end: Double?) {
        let days = words.removeFirst().split(separator: "..", omittingEmptySubsequences: false)
        let start = day(of: days[0])
        guard days.count == 1 else { return (start, days[1].isEmpty ? nil : day(of: days[1])) }
        return (start, product.text.hasSuffix("ly") ? start + 30 : nil)
    }

    func finish() { precondition(words.isEmpty, "unread: \(words)") }

    private func day(of text: Substring) -> Double {
        let isFromCause = text.hasPrefix("@")
        if text == "@" { return cause }
        guard let number = Double(isFromCause ? text.dropFirst() : text) else {
            preconditionFailure("no day: \(text)")
        }
        return isFromCause ? cause + number : number
    }
}

extension Receipt {
    /// Apple's only answer in `text`.
    static func inWords(_ text: String) -> Receipt {
        guard let receipt = shown(text)[0].verified?.receipt else {
            preconditionFailure("unreadable: \(text)")
        }
        return receipt
    }
}

extension ReceiptEvidence {
    fileprivate init(inWords text: String, number: Int, cause: Double) {
        let id = ReceiptID("r\(number)")
        if let validation = Self.withoutAnswer[text] {
            self = .stored(id, validation)
            return
        }
        var inApp: [String] = []
        var latest: [String] = []
        var renewals: [String] = []
        var facts = Words("", cause: cause)
        for part in parts(of: text, apartBy: ",") {
            var words = Words(part, cause: cause)
            if words.has("answer") {
                facts = words
                continue
            }
            let isOld = words.has("old")
            if words.has("renewal") {
                renewals.append(words.renewal())
            } else {
                let line = words.purchase(number: inApp.count + latest.count + 1)
                let isInApp = isOld || !line.contains("expires")
                if isInApp { inApp.append(line) } else { latest.append(line) }
            }
            words.finish()
        }
        let bundle = facts.text("of") ?? "acme"
        let answer = AppleLine.answer(
            inApp: inApp, latest: latest, renewals: renewals,
            version: facts.text("version") ?? "5.0", firstGot: facts.day("got"),
            created: facts.day("made") ?? -3, bundle: facts.text("for") ?? bundle,
            environment: facts.has("sandbox") ? .sandbox : .production)
        self = .answered(
            facts.text("id").map { ReceiptID($0) } ?? id, answer,
            stored: facts.day("stored") ?? -5, bundle: BundleID(bundle))
        change(by: &facts)
        facts.finish()
    }

    private mutating func change(by facts: inout Words) {
        guard case .verified(var receipt) = validation else { preconditionFailure("unreadable") }
        if facts.has("iOS6") {
            receipt.style = .iOS6
            receipt.createdAt = nil
        }
        if facts.has("unversioned") { receipt.originalApplicationVersion = nil }
        if facts.has("undated") { receipt.requestedAt = nil }
        if let line = facts.text("hides").map({ TransactionID($0) }) {
            receipt.anomalies.append(ParseAnomaly(key: "purchase_date", transaction: line))
        }
        if facts.has("anomaly") { receipt.anomalies.append(anomaly) }
        validation = .verified(receipt)
        if facts.has("contradicted") {
            contradictions = [.product(of: "1", signed: "a", answered: "b")]
        }
        if let product = facts.text("lifetime").map({ ProductID($0) }) {
            signedKinds = [product: .nonConsumable]
        }
    }

    private static let withoutAnswer: [String: Validation] = [
        "unchecked": .unverified(.timeout), "gone": .rejected(.accountGone),
        "refused": .rejected(.notAuthentic), "forged": .rejected(.signature),
        "malformed": .unusable(.notAReceipt), "empty": .unusable(.empty),
        "jws": .unusable(.jws), "xcode": .unusable(.xcode),
    ]
}

/// Members of Apple's JSON.
extension Words {
    /// An entry of `in_app` or `latest_receipt_info`.
    fileprivate mutating func purchase(number: Int) -> String {
        let product = product()
        let (start, end) = span(of: product)
        let id = text("id") ?? "\(number)"
        let chain = text("of") ?? (end == nil ? id : "1")
        var members = [
            "transaction_id": id, "original_transaction_id": chain, "product_id": product.text,
            "purchase_date_ms": milliseconds(start),
        ]
        members["expires_date_ms"] = end.map(milliseconds)
        members["cancellation_date_ms"] = day("cancelled").map(milliseconds)
        for (name, key) in [
            ("reason", "cancellation_reason"), ("order", "web_order_line_item_id"),
            ("quantity", "quantity"), ("code", "offer_code_ref_name"),
            ("promotion", "promotional_offer_id"),
        ] { members[key] = text(name) }
        for (name, key, value) in [
            ("upgraded", "is_upgraded", "true"), ("trial", "is_trial_period", "true"),
            ("introductory", "is_in_intro_offer_period", "true"),
            ("purchased", "in_app_ownership_type", "PURCHASED"),
            ("family", "in_app_ownership_type", "FAMILY_SHARED"),
        ] where has(name) { members[key] = value }
        return object(members)
    }

    /// An entry of `pending_renewal_info`.
    fileprivate mutating func renewal() -> String {
        var members = ["original_transaction_id": text("of") ?? "1"]
        if has("retry") { members["is_in_billing_retry_period"] = "1" }
        if has("on") { members["auto_renew_status"] = "1" }
        if has("off") { members["auto_renew_status"] = "0" }
        members["expiration_intent"] = text("intent")
        members["grace_period_expires_date_ms"] = day("grace").map(milliseconds)
        return object(members)
    }

    private func milliseconds(_ day: Double) -> String { "\(Instant.day(day).milliseconds)" }

    private func object(_ members: [String: String]) -> String {
        "{" + members.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",") + "}"
    }
}
