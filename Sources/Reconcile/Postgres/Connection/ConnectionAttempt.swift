internal import CPostgres
internal import Glibc

/// A connection while it is opened. It watches its own deadline, because nothing else watches a
/// connection that is not open yet.
struct ConnectionAttempt {
    /// The caller must close it, also after an error.
    let handle: OpaquePointer?
    private let settings: ConnectionSettings
    private let deadline: ContinuousClock.Instant

    /// How long a cancelled task continues: it may still have results to commit.
    private static let patienceAfterCancel = Duration.seconds(2)

    /// Starts to connect.
    init(_ settings: ConnectionSettings, until deadline: ContinuousClock.Instant)
        throws(PostgresError)
    {
        self.settings = settings
        self.deadline = deadline
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

    func waitUntilConnected() throws(PostgresError) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw failure }
        // libpq starts by waiting for the socket to be writable.
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw failure }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            guard wait(for: events, until: deadline) else { throw noAnswer }
            state = PQconnectPoll(handle)
        }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    /// Runs a statement and returns its last result, which the caller clears.
    /// - Throws: with a message `no answer …` after the deadline.
    func result(
        of statement: PostgresStatement, text: String, within limit: Duration? = nil
    ) throws(PostgresError) -> OpaquePointer? {
        guard PQsendQuery(handle, text) == 1 else {
            throw PostgresError(nil, of: handle, statement: statement)
        }
        let end = limit.map { min(.now + $0, deadline) } ?? deadline
        var last: OpaquePointer?
        while true {
            while PQisBusy(handle) == 1 {
                let hasInput = wait(for: Int16(POLLIN), until: end)
                guard hasInput, PQconsumeInput(handle) == 1 else {
                    PQclear(last)
                    throw hasInput
                        ? PostgresError(nil, of: handle, statement: statement) : noAnswer
                }
            }
            guard let result = PQgetResult(handle) else { break }
            PQclear(last)
            last = result
        }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(last)) else {
            defer { PQclear(last) }
            throw PostgresError(last, of: handle, statement: statement)
        }
        return last
    }

    // MARK: Failures

    private var failure: PostgresError {
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

    private var noAnswer: PostgresError {
        PostgresError(
            sqlState: nil, message: "no answer within \(settings.timeout)", statement: "connect",
            isConnectionLost: true)
    }

    static func unusableAddress(_ why: String) -> PostgresError {
        var error = PostgresError(
            sqlState: nil, message: why, statement: "connect", isConnectionLost: true)
        error.isAddressUnusable = true
        return error
    }

    // MARK: Waiting

    /// Looks ten times a second whether the task was cancelled.
    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
        var deadline = deadline
        var isCancelled = false
        while true {
            if !isCancelled, Task.isCancelled {
                isCancelled = true
                deadline = min(deadline, .now + Self.patienceAfterCancel)
            }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let milliseconds = min(left / .milliseconds(1) + 1, 100)
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let ready = poll(&descriptor, 1, Int32(milliseconds))
            if ready > 0 { return true }
            if ready < 0 && errno != EINTR { return false }
        }
    }
}
