/// What each connection runs to get a session of its own, and to leave it.
struct PostgresSession: Sendable {
    /// Returns the number of the server process. It runs first, and changes nothing.
    let findProcess: PostgresStatement
    /// Runs before all other statements, unless a pooler shares the session.
    let preparation: PostgresStatement
    /// Runs at the end, where a pooler keeps the session for its next client.
    let discard: PostgresStatement
}
