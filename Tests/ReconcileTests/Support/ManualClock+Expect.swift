import Testing

extension ManualClock {
    /// Waits until a task sleeps, and expects that one sleeps, until `due`.
    func expectSleep(
        until due: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await sleepers(1)
        #expect(deadlines.map(\.sinceStart) == [due], sourceLocation: sourceLocation)
    }

    /// The same, and wakes it.
    func wake(at due: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectSleep(until: due, sourceLocation: sourceLocation)
        advanceToNext()
    }
}
