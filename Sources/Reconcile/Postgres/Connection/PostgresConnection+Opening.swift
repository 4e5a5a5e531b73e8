internal import CPostgres
internal import Glibc

extension PostgresConnection {
    /// Connects as libpq does: `conninfo` may be a URI, `key=value` pairs, a database name or
    /// empty; `PG…` variables, service files and `.pgpass` apply. Then runs `session`.
    func open(_ conninfo: String, session: PostgresStatement? = nil) throws(PostgresError) {
        let settings = ConnectionSettings(conninfo)
        if let why = settings.malformation { throw Self.unusableAddress(why) }
        try start(settings)
        let deadline = ContinuousClock.now + settings.timeout
        try waitUntilConnected(deadline, settings)
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        recordEncoding()
        if let handle { canceller.attach(to: handle) }
        if let session { try prepare(session, until: deadline, settings) }
    }

    /// Runs `session` under the connect time-out, because nothing else watches the connection
    /// before it is open.
    private func prepare(
        _ session: PostgresStatement, until deadline: ContinuousClock.Instant,
        _ settings: ConnectionSettings
    ) throws(PostgresError) {
        guard PQsendQuery(handle, text(of: session)) == 1 else {
            throw PostgresError(nil, of: handle, statement: session.name)
        }
        while true {
            while PQisBusy(handle) == 1 {
                guard Self.wait(for: PQsocket(handle), Int16(POLLIN), until: deadline) else {
                    throw Self.noAnswer(settings)
                }
                guard PQconsumeInput(handle) == 1 else {
                    throw PostgresError(nil, of: handle, statement: session.name)
                }
            }
            guard let result = PQgetResult(handle) else { return }
            defer { PQclear(result) }
            try expect(result, [PGRES_TUPLES_OK, PGRES_COMMAND_OK], session)
        }
    }

    private func start(_ settings: ConnectionSettings) throws(PostgresError) {
        let connect = PostgresStatement(name: "connect", text: "")
        let keywords = settings.options.map(\.keyword)
        let values = settings.options.map(\.value)
        handle = try connect.withCStrings(keywords + [nil] + values + [nil]) { strings in
            strings.withUnsafeBufferPointer { strings in
                // Two arrays in one, each ended by a null pointer.
                PQconnectStartParams(
                    strings.baseAddress, strings.baseAddress?.advanced(by: keywords.count + 1), 1)
            }
        }
        // A failed connection has no result: its SQLSTATE is read from the verbose text.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    }

    private func waitUntilConnected(
        _ deadline: ContinuousClock.Instant, _ settings: ConnectionSettings
    ) throws(PostgresError) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw connectionError(settings) }
        // libpq starts by waiting for the socket to be writable.
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw connectionError(settings) }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            guard Self.wait(for: PQsocket(handle), events, until: deadline) else {
                throw Self.noAnswer(settings)
            }
            state = PQconnectPoll(handle)
        }
    }

    private func connectionError(_ settings: ConnectionSettings) -> PostgresError {
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        if ConnectionSettings.isMisuse(text) {
            return Self.unusableAddress(settings.describedMisuse(text))
        }
        // libpq gives up without contacting the server when it finds no password.
        let isPasswordMissing = PQconnectionNeedsPassword(handle) == 1
        return PostgresError(
            sqlState: settings.sqlState(in: text) ?? (isPasswordMissing ? "28P01" : nil),
            message: settings.withoutSecrets(text), statement: "connect", isConnectionLost: true)
    }

    private static func noAnswer(_ settings: ConnectionSettings) -> PostgresError {
        PostgresError(
            sqlState: nil, message: "no answer within \(settings.timeout)", statement: "connect",
            isConnectionLost: true)
    }

    private static func unusableAddress(_ why: String) -> PostgresError {
        var error = PostgresError(
            sqlState: nil, message: why, statement: "connect", isConnectionLost: true)
        error.isAddressUnusable = true
        return error
    }

    /// Unexpected input usually means that the server closed the connection.
    static func hasInput(_ socket: Int32) -> Bool {
        guard socket >= 0 else { return false }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    private static func wait(
        for socket: Int32, _ events: Int16, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let (seconds, attoseconds) = left.components
            let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            let ready = poll(&descriptor, 1, Int32(clamping: milliseconds + 1))
            if ready > 0 { return true }
            if ready < 0 && errno != EINTR { return false }
        }
    }
}
