import Testing

@testable import Reconcile

/// What Apple and the service have about a user, and the complete outcome. A failure has the
/// scene's label.
struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private(set) var receipts: [ShownReceipt]
    let rows: [Row]
    let history: [LedgerEntry]
    let verdicts: [Verdict]
    private(set) var withoutRow: [FindingKind]

    /// - Parameter history: what earlier runs reported.
    /// - Parameter verdicts: one for each row, in their order.
    /// - Parameter withoutRow: the findings of the user that are on none of the rows.
    init(
        _ label: String, receipts: [ShownReceipt] = [], rows: [Row] = [],
        history: [LedgerEntry] = [], verdicts: [Verdict] = [], withoutRow: [FindingKind] = []
    ) {
        testDescription = label
        self.receipts = receipts
        self.rows = rows
        self.history = history
        self.verdicts = verdicts
        self.withoutRow = withoutRow
    }

    /// The same with one more receipt, and the finding about it, if there is one.
    func adding(_ receipt: ShownReceipt, finds kind: FindingKind?) -> Scene {
        var scene = self
        scene.receipts.append(receipt)
        scene.withoutRow += kind.map { [$0] } ?? []
        return scene
    }

    /// - Parameter unreadableRows: how many more rows the user has.
    func judgement(by judge: Judge = .acme, unreadableRows: Int = 0) -> Judgement {
        judge.judgement(receipts, rows: rows, after: history, unreadableRows: unreadableRows)
    }

    /// Judges the scene, and compares with all that it says.
    @discardableResult
    func check(
        by judge: Judge = .acme, unreadableRows: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Judgement {
        let judgement = judgement(by: judge, unreadableRows: unreadableRows)
        let ids = UserEvidence(receipts, rows: rows).entitlements.map(\.id)
        #expect(
            ids.map(judgement.verdict) == verdicts, "rows \(ids)", sourceLocation: sourceLocation)
        #expect(
            judgement.namesWithoutRow == withoutRow.map(\.rawValue).sorted(),
            "findings without a row", sourceLocation: sourceLocation)
        #expect(
            judgement.entitlements.named == verdicts.tally.named, "the tally",
            sourceLocation: sourceLocation)
        return judgement
    }
}

/// What becomes of one row.
enum Verdict: Hashable, Sendable, CustomStringConvertible {
    case found(FindingKind)
    case consistent, settling, unverified, notJudged

    var description: String {
        switch self {
        case .found(let kind): kind.rawValue
        case .consistent, .settling, .unverified, .notJudged: bucket.name
        }
    }

    var bucket: EntitlementBucket {
        switch self {
        case .found: .withFinding
        case .consistent: .consistent
        case .settling: .settling
        case .unverified: .unverified
        case .notJudged: .notJudged
        }
    }
}

extension Tally<EntitlementBucket> {
    /// The buckets that are not empty, and how many rows are in scope.
    fileprivate var named: [String: Int] {
        EntitlementBucket.allCases.reduce(into: ["in scope": inScope]) { counts, bucket in
            if self[bucket] != 0 { counts[bucket.name] = self[bucket] }
        }
    }
}

extension [Verdict] {
    fileprivate var tally: Tally<EntitlementBucket> {
        reduce(into: Tally()) { tally, verdict in tally.add(to: verdict.bucket) }
    }
}

extension Judgement {
    func verdict(on row: EntitlementID) -> Verdict {
        if let finding = findings.first(where: { $0.entitlement == row }) {
            return .found(finding.kind)
        }
        switch notReported.first(where: { $0.entitlement == row })?.bucket {
        case .settling: return .settling
        case .unverified: return .unverified
        case .notJudged: return .notJudged
        case nil: return .consistent
        }
    }

    /// The kinds of the findings that are on no row, sorted.
    var namesWithoutRow: [String] {
        findings.filter { $0.entitlement == nil }.map(\.kind.rawValue).sorted()
    }
}
