@testable import Reconcile
@testable import TestSupport

/// A stored receipt and what Apple says of it: `.answer(.pro(bought: -10))`, or `.refused`.
struct ShownReceipt: Sendable {
    enum Reply: Sendable {
        case answer(ShownAnswer)
        case none(Validation)
    }

    var id: ReceiptID?
    var app: BundleID = "acme"
    var stored: Double = -5
    var reply: Reply
    var contradictions: [Contradiction] = []
    var signedKinds: [ProductID: ProductKind] = [:]
    /// What the App Store Server API tells of its customers.
    var customers: [ShownCustomer] = []

    static let unchecked = ShownReceipt(reply: .none(.unverified(.timeout)))
    static let accountGone = ShownReceipt(reply: .none(.rejected(.accountGone)))
    static let refused = ShownReceipt(reply: .none(.rejected(.notAuthentic)))
    static let forged = ShownReceipt(reply: .none(.rejected(.signature)))
    static let malformed = ShownReceipt(reply: .none(.unusable(.notAReceipt)))
    static let empty = ShownReceipt(reply: .none(.unusable(.empty)))
    static let jws = ShownReceipt(reply: .none(.unusable(.jws)))
    static let xcode = ShownReceipt(reply: .none(.unusable(.xcode)))

    /// A transaction that the App Store Server API does not know.
    static func unknown(stored: Double) -> ShownReceipt {
        ShownReceipt(stored: stored, reply: .none(.unverified(.unknownTransaction)))
    }

    /// An answer of today's. A service that stores an app's receipt with another one's has them
    /// as `stored(for: "acme")`; `isOf` is the app that Apple names.
    ///
    /// - Parameter version: that in which the customer first got the app.
    static func answer(
        _ lines: ShownLine..., id: ReceiptID? = nil, app: BundleID = "acme",
        saysApp: BundleID? = nil, version: String? = "5.0", firstGot: Double? = nil,
        made: Double = -3, stored: Double = -5, environment: StoreEnvironment = .production,
        isIOS6: Bool = false, isUndated: Bool = false, setAside: [ParseAnomaly] = [],
        contradictions: [Contradiction] = [], signedKinds: [ProductID: ProductKind] = [:]
    ) -> ShownReceipt {
        let answer = ShownAnswer(
            lines: lines, app: saysApp ?? app, version: version, firstGot: firstGot, made: made,
            environment: environment, isIOS6: isIOS6, isUndated: isUndated, setAside: setAside)
        return ShownReceipt(
            id: id, app: app, stored: stored, reply: .answer(answer),
            contradictions: contradictions, signedKinds: signedKinds)
    }

    /// - Parameter number: of the user's receipts; the id is `r1`, `r2`…, if it has none.
    func evidence(number: Int) -> ReceiptEvidence {
        let validation =
            switch reply {
            case .answer(let answer): Validation.verified(answer.receipt)
            case .none(let validation): validation
            }
        let id = id ?? ReceiptID("r\(number)")
        return ReceiptEvidence(
            id: id, bundle: app, storedAt: .day(stored), validation: validation,
            source: source, answers: answers(of: id), contradictions: contradictions,
            signedKinds: signedKinds)
    }

    /// Nil where nobody was asked.
    private var source: AnswerSource? {
        switch reply {
        case .none(.unusable): nil
        case .none(.unverified(.unknownTransaction)): .serverAPI
        case .answer, .none: customers.isEmpty ? .verifyReceipt : .serverAPI
        }
    }

    /// Nil where only verifyReceipt was asked.
    private func answers(of id: ReceiptID) -> [VerifiedReceipt]? {
        guard !customers.isEmpty else { return nil }
        var answers = customers.map { customer in
            VerifiedReceipt(
                id: id, storedBundle: app, receipt: customer.receipt, proof: .serverAPI,
                question: 0)
        }
        if case .answer(let answer) = reply {
            answers.append(
                VerifiedReceipt(id: id, storedBundle: app, receipt: answer.receipt, question: 1))
        }
        return answers
    }
}

struct ShownAnswer: Sendable {
    var lines: [ShownLine]
    var app: BundleID = "acme"
    var version: String? = "5.0"
    var firstGot: Double?
    var made: Double = -3
    var environment = StoreEnvironment.production
    var isIOS6 = false
    /// Whether it lacks Apple's clock.
    var isUndated = false
    /// Lines that the reader set aside as no transactions.
    var setAside: [ParseAnomaly] = []

    /// What the parser reads from the JSON that Apple would send.
    var receipt: Receipt {
        let read = try? VerifyReceiptAnswer.read(Array(json.utf8), from: .production)
        guard var receipt = read?.receipt else { preconditionFailure("unreadable: \(json)") }
        if isIOS6 {
            receipt.tellsPurchaseOfApp = false
            receipt.createdAt = nil
        }
        if version == nil { receipt.originalApplicationVersion = nil }
        if isUndated { receipt.requestedAt = nil }
        receipt.anomalies += setAside
        return receipt
    }

    private var json: String {
        var inApp: [String] = []
        var latest: [String] = []
        var renewals: [String] = []
        for line in lines {
            switch line {
            case .purchase(let purchase):
                let text = purchase.json(number: inApp.count + latest.count + 1)
                if purchase.isInApp { inApp.append(text) } else { latest.append(text) }
            case .renewal(let facts, let original):
                let chain: AppleLine.Members = [("original_transaction_id", original.text)]
                renewals.append(AppleLine.json(chain + facts.map(\.member)))
            }
        }
        return AppleLine.answer(
            inApp: inApp, latest: latest, renewals: renewals, version: version ?? "",
            firstGot: firstGot, created: made, bundle: app.text, environment: environment)
    }
}

extension ParseAnomaly {
    /// A line without a product.
    static let withoutProduct = ParseAnomaly(key: "product_id")

    /// A line of that transaction, without a date.
    static func undated(_ transaction: TransactionID) -> ParseAnomaly {
        ParseAnomaly(key: "purchase_date", transaction: transaction)
    }
}

extension Contradiction {
    /// Of a receipt and its answer about the product of a transaction.
    static let ofProduct = Contradiction.product(of: "1", signed: "a", answered: "b")
}
