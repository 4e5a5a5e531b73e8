import Foundation

@testable import Reconcile

/// A customer of a run, for the output of `explain`.
enum ExplainScene {
    static func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? .distantPast }

    /// - Parameter text: changes each id and name, so that a test can use hostile ones.
    static func file(_ text: (String) -> String = { $0 }) -> CustomerFile {
        let asOf = instant("2026-11-20T02:00:00Z")
        let run = Run(id: RunID(text: "20261120T020000Z-00000a"), asOf: asOf, scope: .everything)
        let known = KnownRun(
            run: run, number: 7, state: "published", makesHistory: true, rulesVersion: 7,
            isPruned: false, account: nil, status: nil, isComplete: true, previousRun: nil,
            codeVersion: "1", currencies: [])
        var file = CustomerFile(run: known, user: UserID(text("ann")))
        file.rights = [finding(text), consistent(text)]
        file.findings = [reported(text)]
        file.receipts = [
            CustomerFile.CheckedReceipt(
                id: ReceiptID(text("r-1")), bundle: BundleID(text("acme")), outcome: "verified",
                cause: nil, environment: .production,
                answeredAt: instant("2026-11-20T02:00:05Z"), lastStatus: 0, detail: nil)
        ]
        file.nights = [
            CustomerFile.Night(
                at: asOf, run: run.id, finding: reported(text).id,
                kind: .expiredStillGranted, what: "new"),
            CustomerFile.Night(
                at: instant("2026-11-20T09:00:00Z"), run: nil, finding: reported(text).id,
                kind: .expiredStillGranted, what: "accepted by \(text("ada")): \(text("known"))"),
        ]
        file.answers = [
            CustomerFile.ShownAnswer(
                run: run.id, receipt: ReceiptID(text("r-1")),
                answeredAt: instant("2026-11-20T02:00:05Z"), environment: .production,
                digest: String(repeating: "ab", count: 32), shows: answer(text))
        ]
        return file
    }

    private static func row(_ text: (String) -> String, _ id: String, to expiry: String)
        -> StoredEntitlement
    {
        StoredEntitlement(
            id: EntitlementID(text(id)), user: UserID(text("ann")),
            product: ProductID(text("pro.monthly")),
            originalTransaction: TransactionID(text("1")), isActive: true,
            expiresAt: instant(expiry), autoRenew: true, ownership: .purchased,
            source: .other(text("promo")), updatedAt: instant("2026-11-01T00:00:00Z"))
    }

    private static func apple(_ text: (String) -> String, _ state: AppleState, to end: String)
        -> AppleSide
    {
        AppleSide(
            state: state, kind: .autoRenewable, product: ProductID(text("pro.monthly")),
            transaction: TransactionID(text("2")), originalTransaction: TransactionID(text("1")),
            purchasedAt: instant("2026-09-21T02:00:00Z"), expiresAt: instant(end),
            endsAt: instant(end), goneAt: instant(end), gracePeriodExpiresAt: nil,
            ownership: .purchased, isTrial: false, willRenew: false, reason: text("voluntary"),
            receipt: ReceiptID(text("r-1")), bundle: BundleID(text("acme")),
            environment: .production)
    }

    private static func finding(_ text: (String) -> String) -> JudgedRight {
        JudgedRight(
            row: row(text, "e-1", to: "2026-12-10T02:00:00Z"),
            right: "group:" + text("pro"), outcome: .finding, kind: .expiredStillGranted,
            apple: apple(text, .expired, to: "2026-10-21T02:00:00Z"))
    }

    private static func consistent(_ text: (String) -> String) -> JudgedRight {
        JudgedRight(
            row: row(text, "e-2", to: "2026-12-21T02:00:00Z"),
            right: "product:" + text("maps"), outcome: .consistent,
            apple: apple(text, .active, to: "2026-12-21T02:00:00Z"))
    }

    private static func reported(_ text: (String) -> String) -> ReportedFinding {
        let kind = FindingKind.expiredStillGranted
        var finding = Finding(
            kind: kind, weight: kind.weight, user: UserID(text("ann")),
            explanation: "The row \(text("e-1")) grants \(text("pro.monthly")), which expired.",
            reference: text("e-1"))
        finding.entitlement = EntitlementID(text("e-1"))
        finding.receipt = ReceiptID(text("r-1"))
        finding.eventAt = instant("2026-10-21T02:00:00Z")
        finding.evidenceSHA256 = String(repeating: "ab", count: 32)
        return ReportedFinding(
            id: "0123456789abcdef0123456789abcdef", finding: finding,
            firstSeen: instant("2026-11-20T02:00:00Z"))
    }

    private static func answer(_ text: (String) -> String) -> Receipt {
        var first = Transaction(
            id: TransactionID(text("1")), originalID: TransactionID(text("1")),
            product: ProductID(text("pro.monthly")),
            purchasedAt: instant("2026-08-21T02:00:00Z"),
            expiresAt: instant("2026-09-21T02:00:00Z"))
        first.isTrial = true
        let second = Transaction(
            id: TransactionID(text("2")), originalID: TransactionID(text("1")),
            product: ProductID(text("pro.monthly")),
            purchasedAt: instant("2026-09-21T02:00:00Z"),
            expiresAt: instant("2026-10-21T02:00:00Z"))
        return Receipt(
            bundle: BundleID(text("acme")), environment: .production,
            transactions: [first, second])
    }

    /// The result of `--live`: the subscription was renewed.
    static func live(_ text: (String) -> String = { $0 }) -> CustomerFile.Live {
        var right = finding(text)
        right.outcome = .consistent
        right.kind = nil
        right.apple = apple(text, .active, to: "2026-12-10T02:00:00Z")
        return CustomerFile.Live(
            at: instant("2026-11-21T08:00:00Z"), rights: [right, consistent(text)], findings: [],
            receipts: file(text).receipts)
    }
}
