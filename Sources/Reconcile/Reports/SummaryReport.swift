/// A run in numbers, for machines (`summary.json`) and for the terminal (`SummaryText`).
package enum SummaryReport {
    /// The bytes of `summary.json`: keys in the order of the report contract, counts by kind in
    /// the order of the rules, the same bytes for the same summary.
    package static func json(_ summary: RunSummary, codeVersion: String) -> [UInt8] {
        let head: [(String, PrintedJSON)] = [
            ("run_id", .string(summary.run.id.text)),
            ("as_of", .string(summary.run.asOf.description)),
            ("scope", .string(summary.run.scope.name)),
            ("status", .string(summary.status.rawValue)),
        ]
        let body: [(String, PrintedJSON)] = [
            ("rules_version", .integer(Run.rulesVersion)),
            ("code_version", .string(codeVersion)),
            (
                "controls",
                .object([
                    ("receipts", summary.receipts.json),
                    ("entitlements", summary.entitlements.json),
                ])
            ),
            ("findings", summary.findings.json),
            ("money", summary.money.json),
            ("oldest_verified_at", PrintedJSON(summary.oldestVerifiedAt?.description)),
            ("requests", summary.requests.json),
        ]
        return PrintedJSON.object(head + summary.run.offlineMark + body).bytes
    }
}

extension Run {
    /// `"offline": true`, which stands in the documents of such a run only.
    var offlineMark: [(String, PrintedJSON)] { isOffline ? [("offline", .boolean(true))] : [] }

    /// What the reader of an offline run must know, for a person.
    static let offlineNotice =
        "Judged offline, by the signatures of the stored receipts alone: renewals, refunds and"
        + " expiries since each receipt was made are not known. Nothing was sent to Apple."
}

extension RunScope {
    /// `everything`, or how the run was narrowed: a narrowed run is not the night's account.
    var name: String {
        switch self {
        case .everything: "everything"
        case .selected: "selected"
        case .limited: "limited"
        }
    }
}

extension ReceiptTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("in_scope", .integer(inScope)), ("verified", .integer(verified)),
            ("rejected", .integer(rejected)), ("unusable", .integer(unusable)),
            ("unverified", .integer(unverified)),
        ])
    }
}

extension EntitlementTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("in_scope", .integer(inScope)), ("consistent", .integer(consistent)),
            ("with_finding", .integer(withFinding)), ("settling", .integer(settling)),
            ("unverified", .integer(unverified)), ("not_judged", .integer(notJudged)),
        ])
    }
}

extension FindingTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("total", .integer(total)),
            ("by_severity", .counts(Severity.allCases.map { ($0.rawValue, bySeverity[$0] ?? 0) })),
            (
                "by_file",
                .object(FindingFile.allCases.map { ($0.rawValue, .integer(byFile[$0] ?? 0)) })
            ),
            ("by_kind", .counts(FindingKind.allCases.map { ($0.rawValue, byKind[$0] ?? 0) })),
        ])
    }
}

extension MoneyTally {
    fileprivate var json: PrintedJSON {
        .object(
            Bucket.allCases.map { bucket in
                (
                    bucket.rawValue,
                    .object(amounts(bucket).map { ($0.currency.code, .string($0.text)) })
                )
            })
    }
}

extension RequestTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("sent", .integer(sent)), ("production", .integer(production)),
            ("sandbox", .integer(sandbox)), ("retries", .integer(retries)),
            ("by_status", .counts(byStatus.sorted { $0.key < $1.key }.map { ("\($0)", $1) })),
            (
                "by_http_status",
                .counts(byHTTPStatus.sorted { $0.key < $1.key }.map { ("\($0)", $1) })
            ),
        ])
    }
}

extension PrintedJSON {
    /// An object of counts, without those that are zero.
    fileprivate static func counts(_ counts: [(String, Int)]) -> PrintedJSON {
        .object(counts.filter { $0.1 != 0 }.map { ($0.0, .integer($0.1)) })
    }
}
