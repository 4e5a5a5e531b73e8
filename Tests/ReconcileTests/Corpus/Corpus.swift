import Foundation
import Testing

@testable import Reconcile

/// A folder of answers and receipts: `Tests/Fixtures`, or the one that `RECONCILE_CORPUS` names,
/// with real ones, which contain people's purchase history. `EXPECT.csv` has the expected reading:
/// a row `response` or `receipt` for a file, one `response-item` for each chain and product of an
/// answer, and one `receipt-item` for each purchase in a receipt.
struct Corpus: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let folder: String
    /// The authority of genuine receipts, and its name in the column `chain`.
    let roots: TrustedRoots
    let authority: String
    private let rows: [Expectation]

    static let all = {
        let folder = SourceTree.root + "/Tests/Fixtures"
        let root = try? Data(contentsOf: URL(filePath: folder + "/certs/root.pem"))
        let roots = TrustedRoots.certificates(inFile: [UInt8](root ?? Data())) ?? []
        let fixtures = Corpus("fixtures", folder, TrustedRoots(roots), "FixtureRoot")
        let real = ProcessInfo.processInfo.environment["RECONCILE_CORPUS"] ?? ""
        return [fixtures] + (real.isEmpty ? [] : [Corpus("real", real, .apple, "AppleRootCA")])
    }()

    private init(_ name: String, _ folder: String, _ roots: TrustedRoots, _ authority: String) {
        testDescription = name
        self.folder = folder
        self.roots = roots
        self.authority = authority
        let table = try? String(contentsOfFile: folder + "/EXPECT.csv", encoding: .utf8)
        let lines = (table ?? "").split(whereSeparator: \.isNewline).map(Self.cells)
        rows = lines.dropFirst().map { line in
            Expectation(cells: Dictionary(uniqueKeysWithValues: zip(lines[0], line)))
        }
    }

    func rows(_ kind: String) -> [Expectation] { rows.filter { $0["row"] == kind } }

    func bytes(of file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    /// A receipt as a service stores it: base64, where the file is not text already.
    func storedText(of file: String) throws -> [UInt8] {
        let bytes = try bytes(of: file)
        return file.hasSuffix(".base64") || file.hasSuffix(".jws") ? bytes : Base64.encode(bytes)
    }

    func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)
            .map { name + "/" + $0 }.sorted()
    }

    struct Expectation {
        let cells: [String: String]
        subscript(column: String) -> String { cells[column] ?? "" }
        var file: String { self["file"] }

        /// Nothing in the file can be read as a receipt.
        var isBroken: Bool { self["environment"].isEmpty && self["bundle_id"].isEmpty }

        func cells(_ columns: String) -> String {
            columns.split(separator: " ").map { self[String($0)] }.joined(separator: " ")
        }
    }

    private static func cells(of line: Substring) -> [String] {
        (line + ",").matches(of: #/(?:"((?:[^"]|"")*)"|([^,]*)),/#).map { match in
            String(match.1 ?? match.2 ?? "").replacing("\"\"", with: "\"")
        }
    }
}

struct ComparedAnswer {
    /// Why the expected reading and ours may differ.
    enum ExceptionRule {
        /// The status has no valid receipt, so none is read, whatever else the answer holds.
        case statusOfNoReceipt
        /// One list has a transaction twice, which Apple does not send: we ignore unequal ones.
        case transactionTwice
        /// The answer was made anonymous: zeros as milliseconds, which we prefer, but not as text.
        case zeroMilliseconds
        /// iOS 6: renewal keys are for the whole answer; we apply them to every chain.
        case renewalOfNoChain
    }

    private let answer: VerifyReceiptAnswer
    private(set) var rules: Set<ExceptionRule> = []
    private var row = Corpus.Expectation(cells: [:])
    /// Each difference as the column, the expected value, and ours.
    private(set) var found: [String] = []

    init(_ bytes: [UInt8]) throws {
        answer = try VerifyReceiptAnswer.read(bytes, from: .production)
        guard let receipt = answer.receipt else {
            rules = [.statusOfNoReceipt]
            return
        }
        let text = Data(bytes.drop { $0 != UInt8(ascii: "{") })
        let whole = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
        let own = whole["receipt"] as? [String: Any]
        for list in [own?["in_app"], whole["latest_receipt_info"]] {
            let lines = list as? [[String: Any]] ?? []
            let ids = lines.compactMap { $0["transaction_id"].map { "\($0)" } }
            if Set(ids).count < ids.count { rules.insert(.transactionTwice) }
        }
        if bytes.firstRange(of: Array("_ms\": \"0000000000000\"".utf8)) != nil {
            rules.insert(.zeroMilliseconds)
        }
        if receipt.style == .iOS6, receipt.renewals.count > 1 { rules.insert(.renewalOfNoChain) }
    }

    /// - Parameter rows: all rows `response-item` of the answer.
    mutating func compare(with row: Corpus.Expectation, of rows: [Corpus.Expectation]) {
        self.row = row
        compare("status", answer.status.rawValue)
        guard let receipt = answer.receipt else { return }
        compare("bundle_id", receipt.bundle.text)
        compareIfNamed("environment", receipt.environment.rawValue)
        guard row["row"] == "response-item" else { return compareWhole(receipt) }
        let chain = TransactionID(row["original_transaction_id"])
        let own = receipt.transactions.filter {
            $0.originalID == chain && $0.product.text == row["product_id"]
        }
        if !rules.contains(.transactionTwice) { compareTransactions(own) }
        let renewalRow = rows.first {
            $0["original_transaction_id"] == chain.text && !$0["auto_renew_status"].isEmpty
        }
        guard let renewalRow, !rules.contains(.renewalOfNoChain) else { return }
        self.row = renewalRow
        compareRenewal(receipt.renewals.first { $0.originalID == chain })
    }

    private mutating func compareWhole(_ receipt: Receipt) {
        compare("original_app_version", receipt.originalApplicationVersion)
        compare("n_transactions", receipt.transactions.count, unless: .transactionTwice)
        // Only the fixtures have this column.
        if row.cells["malformed"] != nil {
            compare("malformed", receipt.anomalies.map(\.key).sorted().joined(separator: " "))
        }
        compare("request_date_ms", receipt.requestedAt?.milliseconds, unless: .zeroMilliseconds)
        let created = AppleTimestamp.instant(text: row["creation_date"].utf8)
        let expected = created.map { String($0.milliseconds) } ?? row["creation_date"]
        let own = receipt.createdAt?.milliseconds
        compare("creation_date", is: expected, own, unless: .zeroMilliseconds)
    }

    private mutating func compareTransactions(_ own: [Transaction]) {
        compare("n_transactions", own.count)
        func period(_ line: Transaction) -> (Instant, Instant) {
            (line.expiresAt ?? .distantPast, line.purchasedAt)
        }
        let order = own.sorted { period($0) > period($1) }
        // Of several transactions with the same start and end, one is expected.
        let latest = order.prefix { period($0) == period(order[0]) }
        guard let one = latest.first(where: { $0.id.text == row["latest_transaction_id"] }) else {
            return compare("latest_transaction_id", latest.first?.id.text)
        }
        compare("last_purchase_date_ms", one.purchasedAt.milliseconds, unless: .zeroMilliseconds)
        compare("last_expires_date_ms", one.expiresAt?.milliseconds)
        // The column has every cancellation; that of an upgraded line is no refund.
        compare("refunded", one.cancelledAt == nil ? "no" : "yes")
        compare("n_refunded_tx", own.count { $0.cancelledAt != nil })
        compare("cancellation_date_ms", own.compactMap(\.cancelledAt).max()?.milliseconds)
        compareIfNamed("cancellation_reason", one.cancellationReason)
        compareIfNamed("is_trial", one.isTrial)
        compareIfNamed("is_intro", one.isIntroductoryOffer)
        compare("ever_trial", own.contains(where: \.isTrial) ? "yes" : "no")
        compare("upgraded", own.contains(where: \.isUpgraded) ? "yes" : "no")
        compare("promo_offer_id", one.promotionalOffer)
        compare("offer_code", one.offerCode)
        compare("ownership", one.ownership?.rawValue)
        let ends = own.filter { $0.cancelledAt == nil && !$0.isUpgraded }.compactMap(\.expiresAt)
        if row["entitled_until_ms"].isEmpty || row["entitled_until_ms"] != row["grace_expires_ms"] {
            compare("entitled_until_ms", ends.max()?.milliseconds)
        }
    }

    private mutating func compareRenewal(_ renewal: Renewal?) {
        compare("auto_renew_status", renewal?.willRenew.map { $0 ? 1 : 0 })
        compareIfNamed("auto_renew_product_id", renewal?.renewsAs?.text)
        compareIfNamed("billing_retry", renewal?.isInBillingRetry == true ? 1 : 0)
        compareIfNamed("grace_expires_ms", renewal?.gracePeriodExpiresAt?.milliseconds)
        if let code = Int(row["expiration_intent"]) {
            let expected = ExpirationIntent(code: code).rawValue
            compare("expiration_intent", is: expected, renewal?.expirationIntent?.rawValue)
        }
    }

    /// An empty cell for a flag or an environment means only that the key is missing.
    private mutating func compareIfNamed(_ column: String, _ own: (some CustomStringConvertible)?) {
        if !row[column].isEmpty { compare(column, own) }
    }

    private mutating func compare(
        _ column: String, is told: String? = nil, _ own: (some CustomStringConvertible)?,
        unless rule: ExceptionRule? = nil
    ) {
        let expected = told ?? row[column]
        let read = own.map { "\($0)" } ?? ""
        guard expected != read, rule.map(rules.contains) != true else { return }
        found.append("\(column) is `\(expected)`, read `\(read)`")
    }
}
