/// Limits requests about receipts that Apple did not write as they are. Anyone can make any number
/// of them, so they wait here for each other, before they compete with others for a request.
///
/// Few are asked about at once, so that they leave connections free, and they have a bucket of
/// tokens of their own, so that they take a small part of the tokens that are shared with the run.
final class UnwrittenLimit: Sendable {
    /// The part of the rate that they may use for long. More would be felt: the nightly run is so
    /// much slower. With less, honest ones would wait too long for each other.
    static let share = 0.1
    /// After a quiet time as many may be asked about as in so many seconds at that rate: honest
    /// ones that come together need not wait, and a flood delays the run by six seconds, once.
    static let seconds = 60.0
    static let mostAtOnce = 8

    private let permits = Semaphore(permits: mostAtOnce)
    private let tokens: RateLimiter<AnyClock>
    private let clock: AnyClock

    /// - Parameter rate: of all requests to Apple, in requests a second.
    init(rate: Double, clock: some Clock<Duration> = ContinuousClock()) {
        self.clock = AnyClock(clock)
        let rate = rate * Self.share
        let burst = Int(min(max(1, rate * Self.seconds), 1_000_000))
        tokens = RateLimiter(rate: rate, burst: burst, clock: self.clock)
    }

    /// Waits for a permit and a token. The caller returns the permit by `leave`.
    /// - Returns: false, without a permit, when there is none before `deadline`.
    /// - Throws: `CancellationError`, without a permit.
    func enter(before deadline: Deadline) async throws -> Bool {
        let end = clock.now.advanced(by: deadline.remaining)
        if !permits.tryTake() {
            guard try await wait(before: end) else { return false }
        }
        do {
            if try await tokens.acquire(before: end) { return true }
        } catch {
            permits.signal()
            throw error
        }
        permits.signal()
        return false
    }

    func leave() { permits.signal() }

    /// Takes a permit. Those who have one may wait for Apple for longer than this caller can.
    private func wait(before end: AnyClock.Instant) async throws -> Bool {
        try await withThrowingTaskGroup { group in
            group.addTask { [permits] in
                try await permits.wait()
                return true
            }
            group.addTask { [clock] in
                try await clock.sleep(until: end, tolerance: nil)
                return false
            }
            let first = await group.nextResult()
            group.cancelAll()
            // A permit that came at the same moment is passed on.
            let second = await group.nextResult()
            guard case .success(true) = first else {
                if case .success(true) = second { permits.signal() }
                return try first?.get() ?? false
            }
            return true
        }
    }
}
