/// A large result as arrays of values, read from the server on demand.
///
/// Each iteration runs the statement again on a connection of its own, which returns to the pool at
/// the end, on an error, and when the reader stops early. Memory holds one array.
struct PostgresStream<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = any Error

    let pool: PostgresPool
    let statement: PostgresStatement
    let parameters: [String?]
    let rowsAtOnce: Int
    let decode: @Sendable (borrowing PostgresRow) throws -> Element

    func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let stream: PostgresStream
        private var lease: Lease?
        private var hasEnded = false

        init(stream: PostgresStream) { self.stream = stream }

        mutating func next() async throws -> [Element]? {
            guard !hasEnded else { return nil }
            do {
                let connection = try await start()
                let stream = stream
                let values = try await connection.cancellable {
                    try await connection.nextRows(
                        of: stream.statement, limit: stream.rowsAtOnce, decode: stream.decode)
                }
                if values.isEmpty { end() }
                return values.isEmpty ? nil : values
            } catch {
                end()
                throw error
            }
        }

        private mutating func start() async throws(PostgresError) -> PostgresConnection {
            if let lease { return lease.connection }
            let lease = Lease(connection: try await stream.pool.lend(), pool: stream.pool)
            self.lease = lease
            try await lease.connection.startStream(stream.statement, stream.parameters)
            return lease.connection
        }

        private mutating func end() {
            hasEnded = true
            lease = nil
        }
    }

    /// Returns the connection to the pool when the iterator is released.
    private final class Lease: Sendable {
        let connection: PostgresConnection
        private let pool: PostgresPool

        init(connection: PostgresConnection, pool: PostgresPool) {
            self.connection = connection
            self.pool = pool
        }

        deinit { pool.putBack(connection) }
    }
}
