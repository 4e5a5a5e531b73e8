/// A large result of the job's own tables as arrays of some hundred values. Holds one array in
/// memory. May be iterated repeatedly and abandoned early.
package struct DatabaseRows<Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = DatabaseError

    let rows: PostgresStream<Element>

    package func makeAsyncIterator() -> Iterator { Iterator(rows: rows.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        var rows: PostgresStream<Element>.Iterator

        package mutating func next() async throws(DatabaseError) -> [Element]? {
            do {
                return try await rows.next()
            } catch {
                throw DatabaseError(error)
            }
        }
    }
}
