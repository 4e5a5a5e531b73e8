internal import SQL

/// A run that is opened.
struct NewRun: Sendable {
    let run: Run
    let codeVersion: String
    /// JSON, without secrets.
    let settings: String
    let evidence: Evidence

    /// Its row in `reconcile.run`.
    static let table = InsertTable<NewRun>(
        SQL.openRun,
        [
            TextColumn("run_id") { $0.run.id.text },
            TextColumn("as_of") { $0.run.asOf.timestamptz },
            TextColumn("is_everything") { new in
                new.run.scope.isEverything && new.run.replayOf == nil ? "t" : "f"
            },
            TextColumn("makes_history") { $0.run.makesHistory ? "t" : "f" },
            TextColumn("settings") { $0.settings },
            TextColumn("rules_version") { _ in String(Run.rulesVersion) },
            TextColumn("code_version") { $0.codeVersion },
            TextColumn("replay_of") { $0.run.replayOf?.text },
            TextColumn("evidence") { $0.evidence.rawValue },
            TextColumn("is_trial") { $0.run.isTrial ? "t" : "f" },
            TextColumn("units_from") { $0.run.units?.first.dayText },
            TextColumn("units_to") { $0.run.units?.last.dayText },
        ],
        others: [
            TextColumn("limit") { $0.run.scope.limit },
            TextColumn("users") { $0.run.scope.users },
            TextColumn("receipts") { $0.run.scope.receipts },
        ])
}

extension Run.Scope {
    /// The most users.
    fileprivate var limit: String? {
        if case .limited(let count) = self { String(count) } else { nil }
    }

    fileprivate var users: String? {
        if case .selected(let users, _) = self { Self.array(users.map(\.text)) } else { nil }
    }

    fileprivate var receipts: String? {
        if case .selected(_, let receipts) = self { Self.array(receipts.map(\.text)) } else { nil }
    }

    /// For `find_open_run`.
    var parameters: [String?] { [limit, users, receipts] }

    /// Sorted and each id once: their order on the command line makes no other scope.
    private static func array(_ ids: [String]) -> String {
        var sorted: [String] = []
        for id in ids.sorted(by: { $0.bytesPrecede($1) })
        where sorted.last.map({ !$0.hasSameBytes(as: id) }) ?? true {
            sorted.append(id)
        }
        return PostgresArray.text(sorted)
    }
}
