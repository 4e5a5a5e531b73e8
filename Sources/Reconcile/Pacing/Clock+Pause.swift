extension Clock where Duration == Swift.Duration {
    /// Waits for a token that is due in `wait`, or until `deadline`.
    ///
    /// A timer of a few microseconds costs more than it waits, and fires late. So a short wait
    /// (over 20,000 tokens a second) only yields to other tasks.
    func pause(for wait: Duration, before deadline: Self.Instant?) async throws {
        guard wait > .microseconds(50) else {
            try Task.checkCancellation()
            return await Task.yield()
        }
        try await sleep(until: now.advanced(by: wait), orUntil: deadline)
    }

    func sleep(until due: Self.Instant, orUntil deadline: Self.Instant?) async throws {
        try await sleep(until: deadline.map { min($0, due) } ?? due, tolerance: nil)
    }
}
