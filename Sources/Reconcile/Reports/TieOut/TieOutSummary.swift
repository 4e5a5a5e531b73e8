/// `summary.json` of a tie-out.
extension TieOut {
    var summary: PrintedJSON {
        .object([
            ("from", .string(range.firstText)),
            ("to", .string(range.lastText)),
            ("kind", .string(reports.kind.rawValue)),
            ("within", .string(scope.tolerance.text)),
            ("days", .integer(days.count)),
            (
                "missing_days",
                .object([
                    ("apple", Self.days(missingInReports)), ("ours", Self.days(missingInRuns)),
                ])
            ),
            ("sold", sum(of: .sold).json),
            ("refunded", sum(of: .refunded).json),
            (
                "verdicts",
                .object(verdicts.map { ($0.verdict.rawValue, .integer($0.count)) })
            ),
            ("files", .array(files)),
            ("runs", .array(runs)),
        ])
    }

    private static func days(_ days: [Instant]) -> PrintedJSON {
        .array(days.map { .string($0.dayText) })
    }

    private var files: [PrintedJSON] {
        zip(reports.files, countedRows).map { file, counted in
            .object([
                ("name", .string(file.report.name)),
                ("sha256", .string(file.report.sha256)),
                ("rows", .integer(file.report.rows)),
                ("counted", .integer(counted)),
            ])
        }
    }

    private var runs: [PrintedJSON] {
        usedRuns.map { run, days in
            .object([
                ("run_id", .string(run.run.text)),
                ("as_of", .string(run.asOf.description)),
                ("status", .string(run.status.rawValue)),
                ("days", .integer(days)),
            ])
        }
    }
}

extension TieOut.Sum {
    fileprivate var json: PrintedJSON {
        .object([
            ("apple", .integer(apple)), ("ours", .integer(ours)), ("matched", .integer(matched)),
            ("share", PrintedJSON(share?.text)),
        ])
    }
}
