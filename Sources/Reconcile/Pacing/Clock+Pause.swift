extension Clock where Duration == Swift.Duration {
    /// Waits for a token that is due in `wait`, or until `deadline`.
    ///
    /// A timer that wakes after some microseconds costs more than the wait, and is late: at over
    /// 20,000 tokens a second others go on meanwhile instead.
    func pause(for wait: Duration, before deadline: Instant?) async throws {
        guard wait > .microseconds(50) else {
            try Task.checkCancellation()
            return await Task.yield()
        }
        try await sleep(until: now.advanced(by: wait), orUntil: deadline)
    }

    /// Sleeps until whichever comes first.
    func sleep(until due: Instant, orUntil deadline: Instant?) async throws {
        try await sleep(until: deadline.map { min($0, due) } ?? due, tolerance: nil)
    }
}
