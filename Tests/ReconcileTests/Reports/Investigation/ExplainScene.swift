import Foundation

@testable import Reconcile

/// A customer of a run, for the output of `explain`. `text` changes each id and name, so that a
/// test can use hostile ones.
struct ExplainScene {
    private let text: (String) -> String

    static func file(_ text: @escaping (String) -> String = { $0 }) -> CustomerFile {
        ExplainScene(text: text).file
    }

    /// The result of `--live`: the subscription was renewed.
    static func live(_ text: @escaping (String) -> String = { $0 }) -> CustomerFile.Live {
        ExplainScene(text: text).live
    }

    private static let digest = String(repeating: "ab", count: 32)

    private func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? .distantPast }

    private func day(_ date: String) -> Instant { instant(date + "T02:00:00Z") }

    private var file: CustomerFile {
        let run = Run(
            id: RunID(text: "20261120T020000Z-00000a"), asOf: day("2026-11-20"),
            scope: .everything)
        let known = KnownRun(
            run: run, number: 7, state: "published", makesHistory: true, rulesVersion: 7,
            isPruned: false, account: nil, status: nil, isComplete: true, previousRun: nil,
            codeVersion: "1", currencies: [])
        let asked = instant("2026-11-20T02:00:05Z")
        var file = CustomerFile(run: known, user: UserID(text("ann")))
        file.rights = [expired, agreeing]
        file.findings = [reported]
        file.receipts = [
            CustomerFile.CheckedReceipt(
                id: ReceiptID(text("r-1")), bundle: BundleID(text("acme")), outcome: "verified",
                cause: nil, environment: .production, answeredAt: asked, lastStatus: 0,
                detail: nil)
        ]
        file.nights = [
            CustomerFile.Night(
                at: run.asOf, run: run.id, finding: reported.id, kind: .expiredStillGranted,
                what: "new"),
            CustomerFile.Night(
                at: instant("2026-11-20T09:00:00Z"), run: nil, finding: reported.id,
                kind: .expiredStillGranted, what: "accepted by \(text("ada")): \(text("known"))"),
        ]
        file.answers = [
            CustomerFile.ShownAnswer(
                run: run.id, receipt: ReceiptID(text("r-1")), answeredAt: asked,
                environment: .production, digest: Self.digest, shows: answer)
        ]
        return file
    }

    private var live: CustomerFile.Live {
        var right = expired
        (right.outcome, right.kind) = (.consistent, nil)
        right.apple = apple(.active, to: "2026-12-10")
        return CustomerFile.Live(
            at: instant("2026-11-21T08:00:00Z"), rights: [right, agreeing], findings: [],
            receipts: file.receipts)
    }

    private func row(_ id: String, to expiry: String) -> StoredEntitlement {
        StoredEntitlement(
            id: EntitlementID(text(id)), user: UserID(text("ann")),
            product: ProductID(text("pro.monthly")),
            originalTransaction: TransactionID(text("1")), isActive: true, expiresAt: day(expiry),
            autoRenew: true, ownership: .purchased, source: .other(text("promo")),
            updatedAt: instant("2026-11-01T00:00:00Z"))
    }

    private func apple(_ state: AppleState, to end: String) -> AppleSide {
        AppleSide(
            state: state, kind: .autoRenewable, product: ProductID(text("pro.monthly")),
            transaction: TransactionID(text("2")), originalTransaction: TransactionID(text("1")),
            purchasedAt: day("2026-09-21"), expiresAt: day(end), endsAt: day(end),
            goneAt: day(end), gracePeriodExpiresAt: nil, ownership: .purchased, isTrial: false,
            willRenew: false, reason: text("voluntary"), receipt: ReceiptID(text("r-1")),
            bundle: BundleID(text("acme")), environment: .production)
    }

    private var expired: JudgedRight {
        JudgedRight(
            row: row("e-1", to: "2026-12-10"), right: "group:" + text("pro"), outcome: .finding,
            kind: .expiredStillGranted, apple: apple(.expired, to: "2026-10-21"))
    }

    private var agreeing: JudgedRight {
        JudgedRight(
            row: row("e-2", to: "2026-12-21"), right: "product:" + text("maps"),
            outcome: .consistent, apple: apple(.active, to: "2026-12-21"))
    }

    private var reported: ReportedFinding {
        let kind = FindingKind.expiredStillGranted
        var finding = Finding(
            kind: kind, weight: kind.weight, user: UserID(text("ann")),
            explanation: "The row \(text("e-1")) grants \(text("pro.monthly")), which expired.",
            reference: text("e-1"))
        finding.entitlement = EntitlementID(text("e-1"))
        finding.receipt = ReceiptID(text("r-1"))
        finding.eventAt = day("2026-10-21")
        finding.evidenceSHA256 = Self.digest
        return ReportedFinding(
            id: "0123456789abcdef0123456789abcdef", finding: finding, firstSeen: day("2026-11-20"))
    }

    private var answer: Receipt {
        var transactions = [("1", "2026-08-21", "2026-09-21"), ("2", "2026-09-21", "2026-10-21")]
            .map { id, from, to in
                Transaction(
                    id: TransactionID(text(id)), originalID: TransactionID(text("1")),
                    product: ProductID(text("pro.monthly")), purchasedAt: day(from),
                    expiresAt: day(to))
            }
        transactions[0].isTrial = true
        return Receipt(
            bundle: BundleID(text("acme")), environment: .production, transactions: transactions)
    }
}
