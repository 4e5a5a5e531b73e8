internal import SQL
internal import Synchronization

/// The statements that lock the views before a batch is read. A view that PostgreSQL cannot lock is
/// left out: a materialized view, or one whose owner may read only some columns of its table.
final class ViewLocks: Sendable {
    private let known = Mutex<PostgresStatement?>(nil)

    /// The script that precedes the snapshot.
    /// - Parameter views: those that a batch reads.
    func statement(of views: [String], in pool: PostgresPool) async throws -> PostgresStatement {
        if let known = known.withLock({ $0 }) { return known }
        var names: [String] = []
        for view in views where try await isLockable(view, in: pool) { names.append(view) }
        let statement = Self.script(names)
        known.withLock { $0 = statement }
        return statement
    }

    /// Forgets what was found out, because a view was replaced since. False if nothing was known.
    func forget() -> Bool {
        known.withLock { known in
            defer { known = nil }
            return known != nil
        }
    }

    private func isLockable(_ view: String, in pool: PostgresPool) async throws -> Bool {
        do {
            try await pool.snapshot(under: Self.script([view])) { _ in }
            return true
        } catch let error as PostgresError {
            switch error.sqlState {
            // Another kind of relation; a missing privilege, although reading may be allowed.
            case "42809", "42501": return false
            case PostgresError.lockNotAvailable: return true
            default: throw error
            }
        }
    }

    private static func script(_ views: [String]) -> PostgresStatement {
        let names = views.map { "reconcile." + $0 }.joined(separator: ", ")
        let lock = SQL.lockViews.text.replacing("{views}", with: names)
        return PostgresStatement(
            SQL.lockViews,
            filledIn: SQL.limitLockWait.text + ";\n" + (views.isEmpty ? "" : lock))
    }
}

extension PostgresError {
    static let lockNotAvailable = "55P03"

    /// Whether a view is not what it was when its locks were found out.
    var isAboutOtherViews: Bool {
        statement == SQL.lockViews.name
            && ["42809", "42501", "42P01"].contains(sqlState ?? "")
    }
}
