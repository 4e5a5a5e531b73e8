@testable import Reconcile
@testable import TestSupport

extension DatabaseSuite {
    /// The outcomes of all runs, or of one, by receipt.
    func outcomes(of run: RunID? = nil) async throws -> [StoredOutcome] {
        let ofRun = run.map { "where run_id = '\($0)'" } ?? ""
        return try await test.rows(
            """
            select receipt_id, outcome, cause, attempts
            from reconcile.outcome inner join reconcile.run using (run_no) \(ofRun)
            order by receipt_id, run_no
            """)
    }

    /// The number of receipts with each outcome.
    func tally(of run: RunID? = nil) async throws -> [ReceiptOutcome: Int] {
        try await outcomes(of: run).reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    }

    /// The findings of all runs, or of one, by kind and user.
    func findings(
        of run: RunID? = nil, among kinds: [FindingKind] = FindingKind.allCases
    ) async throws -> [StoredFinding] {
        let ofRun = run.map { "where run_id = '\($0)'" } ?? ""
        let all: [StoredFinding] = try await test.rows(
            """
            select kind, user_id, entitlement_id from reconcile.finding \(ofRun)
            order by kind, user_id, entitlement_id
            """)
        return all.filter { kinds.contains($0.kind) }
    }
}

/// A row of the table `outcome`.
struct StoredOutcome: Equatable, Sendable {
    let receiptID: String?
    let outcome: ReceiptOutcome
    let attempts: Int

    init(_ receipt: String?, _ outcome: ReceiptOutcome, attempts: Int) {
        receiptID = receipt
        self.outcome = outcome
        self.attempts = attempts
    }
}

extension StoredOutcome: Decodable {
    private enum Column: String, CodingKey { case receiptID, attempts }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Column.self)
        receiptID = try row.decode(String?.self, forKey: .receiptID)
        attempts = try row.decode(Int.self, forKey: .attempts)
        outcome = try ReceiptOutcome(from: decoder)
    }
}

/// A row of the table `finding`.
struct StoredFinding: Equatable, Decodable, Sendable {
    let kind: FindingKind
    let userID: String?
    let entitlementID: String?

    init(_ kind: FindingKind, of user: String?, about entitlement: String? = nil) {
        self.kind = kind
        userID = user
        entitlementID = entitlement
    }
}

extension [FindingKind] {
    /// The kinds of findings about a receipt itself.
    static let ofReceipts = FindingKind.allCases.filter { $0.rawValue.hasPrefix("receipt_") }
}

extension FindingKind: Decodable {}
extension Direction: Decodable {}
extension AppleServer: Decodable {}
