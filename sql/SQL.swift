/// A statement from a file in `sql/`. In `sql/queries` each begins with its line
/// `-- name: lease_batch`, or `-- name: cut_batches, long`, and its header.
public struct Statement: Sendable, Hashable {
    /// For example `batch_receipts`. Used in errors and logs.
    public let name: String
    public let text: String
    /// Whether it reads or writes a whole view or run, and so may take long.
    public let isLong: Bool

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
        isLong = true
    }

    /// - Parameter section: of a file in `sql/queries`, from `-- name: ` up to the next. The line
    ///   stays a part of the text, so that PostgreSQL's views of statements show the name.
    private init(section: ArraySlice<UInt8>) {
        let title = section.prefix { $0 != UInt8(ascii: "\n") }.dropFirst(Self.mark.count)
        name = String(decoding: title.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        isLong = title.count > name.utf8.count
        text = String(decoding: section, as: UTF8.self)
    }

    private static let mark = Array("-- name: ".utf8)

    static func all(in file: [UInt8]) -> [Statement] {
        let lines = file.split(separator: UInt8(ascii: "\n"))
        let starts = lines.filter { $0.starts(with: mark) }.map(\.startIndex)
        return zip(starts, starts.dropFirst() + [file.endIndex]).map { start, end in
            Statement(section: file[start..<end])
        }
    }

    /// `lease_batch` is `leaseBatch`.
    var swiftName: String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words[0])) { name, word in
            name + (word == "id" ? "ID" : word.prefix(1).uppercased() + word.dropFirst())
        }
    }
}

/// A numbered file in `sql/migrations`. Forward only; an applied migration must never be edited.
public struct Migration: Sendable, Hashable {
    public let version: Int
    public let statement: Statement

    init(_ version: Int, _ name: String, _ bytes: [UInt8]) {
        self.version = version
        statement = Statement(name, bytes)
    }
}

/// All SQL statements of the program. `SQL.leaseBatch` is the statement `lease_batch` of a file in
/// `sql/queries`; a test compares the names in the sources with those of the files.
@dynamicMemberLookup
public enum SQL {
    /// In the order of application.
    public static let migrations = [
        Migration(1, "0001_create_runs", PackageResources._001_create_runs_sql),
        Migration(2, "0002_create_ledger", PackageResources._002_create_ledger_sql),
        Migration(3, "0003_create_sightings", PackageResources._003_create_sightings_sql),
        Migration(4, "0004_create_refund_sweeps", PackageResources._004_create_refund_sweeps_sql),
        Migration(5, "0005_create_units", PackageResources._005_create_units_sql),
        Migration(6, "0006_create_sign_offs", PackageResources._006_create_sign_offs_sql),
        Migration(7, "0007_read_ledger_changes", PackageResources._007_read_ledger_changes_sql),
    ]

    /// Creates the roles and grants their minimal privileges. Several statements, the last of which
    /// is also one of `statements`.
    public static let roles = Statement("roles", PackageResources.roles_sql)

    /// Creates the tables and views of the reference app. Several statements.
    public static let referenceApp = Statement("reference_app", PackageResources.reference_app_sql)

    /// Those of `sql/queries`, and the part of `roles.sql` that has a name.
    public static let statements = [
        PackageResources.batches_sql, PackageResources.guards_sql,
        PackageResources.investigation_sql, PackageResources.leases_sql,
        PackageResources.ledger_sql, PackageResources.periods_sql, PackageResources.pruning_sql,
        PackageResources.receipts_sql,
        PackageResources.reference_sql, PackageResources.reports_sql, PackageResources.results_sql,
        PackageResources.roles_sql, PackageResources.runs_sql, PackageResources.schema_sql,
        PackageResources.service_sql, PackageResources.sessions_sql, PackageResources.sign_offs_sql,
        PackageResources.sweeps_sql, PackageResources.tie_out_sql, PackageResources.units_sql,
        PackageResources.views_sql, PackageResources.workers_sql,
    ].flatMap(Statement.all)

    private static let byName = Dictionary(
        uniqueKeysWithValues: statements.map { ($0.swiftName, $0) })

    public static subscript(dynamicMember name: String) -> Statement {
        guard let statement = byName[name] else {
            preconditionFailure("no file in sql/queries has the statement of SQL.\(name)")
        }
        return statement
    }
}
