internal import CPostgres

/// Why a connection or a statement failed, without anything that a parameter or a password could
/// have brought into it.
///
/// A server's message quotes values for many errors (`invalid input syntax for type integer:
/// "…"`), and its DETAIL and CONTEXT quote whole rows. So the message is kept only for the errors
/// whose text names nothing but objects, and DETAIL and CONTEXT never.
struct PostgresError: Error, Equatable {
    /// Five characters, of failed connections too. Nil where no server answered.
    var sqlState: String?
    var message: String?
    var hint: String?
    /// The violated constraint's name.
    var constraint: String?
    /// The column that it is about, with its relation; where the server says so.
    var column: String?
    /// The statement's name; `connect` for opening a connection.
    var statement: String
    /// The connection is of no further use.
    var isConnectionLost: Bool
    /// What says where the server is cannot be understood or used: no server was looked for.
    var isAddressUnusable = false
    /// Whether the server that takes no writes (25006) is a standby.
    var isStandby = false
    /// A row-level security policy would apply, and the session does not let any.
    var isRowSecurity = false

    init(
        sqlState: String?, message: String? = nil, hint: String? = nil, constraint: String? = nil,
        statement: String, isConnectionLost: Bool = false
    ) {
        self.sqlState = sqlState
        self.message = message
        self.hint = hint
        self.constraint = constraint
        self.statement = statement
        self.isConnectionLost = isConnectionLost
    }
}

extension PostgresError {
    /// What `result` says, or the connection where there is no result.
    init(_ result: OpaquePointer?, of connection: OpaquePointer?, statement: String) {
        let code = Self.field(.sqlState, of: result)
        let isQuotable = code.map(Self.namesObjectsOnly) ?? false
        let message = Self.field(.primaryMessage, of: result)
        self.init(
            sqlState: code,
            message: isQuotable ? message : message.flatMap { Self.withoutValues($0, code) },
            hint: isQuotable ? Self.field(.hint, of: result) : nil,
            constraint: Self.field(.constraint, of: result), statement: statement,
            isConnectionLost: PQstatus(connection) != CONNECTION_OK)
        if let relation = Self.field(.relation, of: result),
            let column = Self.field(.column, of: result)
        {
            self.column = "\(relation).\(column)"
        }
        // Told by the server of its own accord, from PostgreSQL 14 on.
        isStandby =
            code == "25006"
            && PQparameterStatus(connection, "in_hot_standby").map { String(cString: $0) } == "on"
        // Nothing else tells it from a missing right, in whatever language the server speaks.
        isRowSecurity =
            code == "42501" && Self.field(.sourceFunction, of: result) == "check_enable_rls"
    }

    /// A column that the result lacks, or whose value is null or of another type than expected.
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

    /// Whether the primary message of errors with this SQLSTATE quotes identifiers only.
    /// Source: PostgreSQL, Appendix A, and the ereport calls of each code.
    private static func namesObjectsOnly(_ code: String) -> Bool {
        switch code {
        case "42501", "42P01", "42703", "42883", "42704", "42601", "3F000": true
        case "23502", "23503", "23505", "23514", "25006", "40001", "40P01": true
        case "55P03", "55006", "57014": true
        // They show the bytes of the one character that is none in an encoding.
        case "22021", "22P05": true
        default: ["53", "57", "58"].contains(code.prefix(2))
        }
    }

    /// The message of an error in data, whose values PostgreSQL quotes (`"…"`, `«…»` and the like
    /// in other languages), without what is quoted; nil for an error whose message is free text.
    static func withoutValues(_ message: String, _ code: String?) -> String? {
        // 2203…: SQL/JSON, whose messages show keys unquoted.
        guard let code, ["21", "22"].contains(code.prefix(2)), !code.hasPrefix("2203") else {
            return nil
        }
        let quoted = #/["“”„«»「」『』].*["“”„«»「」『』]/#.dotMatchesNewlines()
        return message.replacing(quoted, with: "‹…›")
    }

    /// `PG_DIAG_…` of libpq, which are character constants.
    private enum Field: Unicode.Scalar {
        case sqlState = "C"
        case primaryMessage = "M"
        case hint = "H"
        case constraint = "n"
        case relation = "t"
        case column = "c"
        case sourceFunction = "R"
    }

    private static func field(_ field: Field, of result: OpaquePointer?) -> String? {
        PQresultErrorField(result, Int32(field.rawValue.value)).map { String(cString: $0) }
    }
}
