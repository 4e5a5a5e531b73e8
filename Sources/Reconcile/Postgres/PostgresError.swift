internal import CPostgres

/// Why a connection or statement failed, without text that may come from a parameter or password.
///
/// For many errors the server's message quotes values (`invalid input syntax for type integer:
/// "…"`), and DETAIL and CONTEXT quote whole rows. So the message is kept only for errors whose
/// text names only objects, and DETAIL and CONTEXT are never kept.
struct PostgresError: Error, Equatable {
    /// Five characters, also for failed connections. Nil when no server answered.
    var sqlState: String?
    var message: String?
    var constraint: String?
    /// The column with its relation, where the server gives it.
    var column: String?
    /// Name of the statement; `connect` for opening a connection.
    var statement: String
    /// The statement's text, without parameters. Nil for a connection that could not be opened.
    var sql: String?
    /// Whether the job's own session has ended, or never began.
    var isConnectionLost = false
    /// Whether the address is malformed or unusable, so that no server was contacted.
    var isAddressUnusable = false
    var isStandby = false
    /// Whether a row-level security policy would apply, which the session forbids.
    var isRowSecurity = false
    /// Whether the error comes from another server, through a foreign table or a function.
    var isForeign = false
    /// How the pooler between the job and PostgreSQL shares its connections, where that is the
    /// error.
    var poolMode: PoolMode?
}

extension PostgresError {
    init(
        _ result: OpaquePointer?, of connection: OpaquePointer?, statement: PostgresStatement
    ) {
        let code = Self.field(.sqlState, of: result)
        let isQuotable = code.map(Self.namesObjectsOnly) ?? false
        let message = Self.field(.primaryMessage, of: result)
        // A foreign server that ends its session is an ordinary error of this one.
        let severity = Self.field(.severity, of: result)
        self.init(
            sqlState: code,
            message: isQuotable ? message : message.flatMap { Self.withoutValues($0, code) },
            constraint: Self.field(.constraint, of: result), statement: statement.name,
            isConnectionLost: PQstatus(connection) != CONNECTION_OK || severity == "FATAL"
                || severity == "PANIC")
        sql = statement.text
        if let relation = Self.field(.relation, of: result),
            let column = Self.field(.column, of: result)
        {
            self.column = "\(relation).\(column)"
        }
        // Servers report this from PostgreSQL 14 on.
        isStandby =
            code == "25006"
            && PQparameterStatus(connection, "in_hot_standby").map { String(cString: $0) } == "on"
        // Only the source function tells it from a missing privilege in every server language.
        isRowSecurity =
            code == "42501" && Self.field(.sourceFunction, of: result) == "check_enable_rls"
        isForeign =
            code?.hasPrefix("HV") == true
            || Self.field(.sourceFile, of: result).map(Self.foreignSources.contains) == true
        if isForeign { self.message = Self.foreignMessage(message, code, of: result) }
    }

    /// Source files of `postgres_fdw` (and other wrappers) and `dblink` that pass on the errors of
    /// other servers.
    private static let foreignSources: Set = ["connection.c", "dblink.c"]

    /// The first line, since libpq's text of a lost connection has several. DETAIL of a connection
    /// that failed (08001) or needs a password (2F003) is the reason, which has no values of rows.
    private static func foreignMessage(
        _ message: String?, _ code: String?, of result: OpaquePointer?
    ) -> String? {
        func firstLine(_ text: String?) -> String? {
            text?.split(separator: "\n").first.map(String.init)
        }
        guard let code, code.hasPrefix("08") || code == "2F003" else {
            return code.map(namesObjectsOnly) == true
                ? firstLine(message) : message.flatMap { withoutValues($0, code) }
        }
        let why = ["08001", "2F003"].contains(code) ? firstLine(field(.detail, of: result)) : nil
        return [firstLine(message), why].compactMap(\.self).joined(separator: ": ")
    }

    /// A column that is missing in the result, null, or of another type than expected.
    static func undecodable(column: StaticString, statement: String) -> PostgresError {
        PostgresError(
            sqlState: nil, message: "column \(column) is missing or not of the expected type",
            statement: statement)
    }

    static func nulInParameter(statement: String) -> PostgresError {
        PostgresError(
            sqlState: "22021", message: "a parameter holds a NUL, which PostgreSQL cannot store",
            statement: statement)
    }

    static func cancelled(statement: String) -> PostgresError {
        PostgresError(sqlState: "57014", message: "cancelled", statement: statement)
    }

    /// Whether the primary message of errors with this SQLSTATE quotes only identifiers. Source:
    /// PostgreSQL, Appendix A, and the ereport calls of each code.
    private static func namesObjectsOnly(_ code: String) -> Bool {
        switch code {
        case "42501", "42P01", "42703", "42883", "42704", "42601", "3F000": true
        case "23502", "23503", "23505", "23514", "25006", "40001", "40P01": true
        case "55P03", "55006", "57014": true
        // These show the bytes of one character that is invalid in an encoding.
        case "22021", "22P05": true
        default: ["53", "57", "58"].contains(code.prefix(2))
        }
    }

    /// The message of a data error without the quoted values (`"…"`, or `«…»` and others by
    /// language); nil for an error whose message is free text.
    static func withoutValues(_ message: String, _ code: String?) -> String? {
        // 2203…: SQL/JSON errors, whose messages show keys unquoted.
        guard let code, ["21", "22"].contains(code.prefix(2)), !code.hasPrefix("2203") else {
            return nil
        }
        let quoted = #/["“”„«»「」『』].*["“”„«»「」『』]/#.dotMatchesNewlines()
        return message.replacing(quoted, with: "‹…›")
    }

    private enum Field: Unicode.Scalar {
        case sqlState = "C"
        /// Not localized, unlike the field S.
        case severity = "V"
        case primaryMessage = "M"
        case constraint = "n"
        case relation = "t"
        case column = "c"
        case sourceFunction = "R"
        case sourceFile = "F"
        case detail = "D"
    }

    private static func field(_ field: Field, of result: OpaquePointer?) -> String? {
        PQresultErrorField(result, Int32(field.rawValue.value)).map { String(cString: $0) }
    }
}
