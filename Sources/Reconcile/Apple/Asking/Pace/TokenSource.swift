/// Takes tokens from the bucket of one server, which all workers share.
package typealias TokenSource =
    @Sendable (_ server: AppleServer, TokenRequest) async throws -> TokenSlice

// The rate limit: in every window of w seconds at most `burst + rate * w` requests start.
extension ValidationSettings {
    /// The longest time from the use of a token to the start of its request on the wire.
    private static let fromTokenToWire = Duration.milliseconds(10)

    /// The burst of the shared bucket in PostgreSQL. Workers take tokens in advance and use each up
    /// to `TokenLedger.slack` after it fell due.
    package func sharedBurst(of server: AppleServer) -> Int {
        burst(of: server, startingWithin: TokenLedger.slack + Self.fromTokenToWire)
    }

    /// The burst of a bucket in memory, which counts a token at its use.
    func localBurst(of server: AppleServer) -> Int {
        burst(of: server, startingWithin: Self.fromTokenToWire)
    }

    /// For a bucket whose tokens start a request up to `delay` after the bucket counted them:
    /// requests that start within w seconds were counted within w + `delay`, so the burst is
    /// reduced by the tokens that the rate adds in `delay`, rounded up. At least 1 remains, or no
    /// request would start; where `burst` is too small, `burst + rate * (w + delay)` is the limit.
    private func burst(of server: AppleServer, startingWithin delay: Duration) -> Int {
        let reserve = (rate(of: server) * (delay / .seconds(1))).rounded(.up)
        return max(1, burst(of: server) - Int(min(reserve, 1_000_000_000)))
    }

    /// - Parameter tokens: nil for buckets in memory, which no other process shares.
    func limiters(
        _ tokens: TokenSource?, clock: AnyClock
    ) -> PerServer<RateLimiter<AnyClock>> {
        PerServer { server in
            let rate = rate(of: server)
            guard let tokens else {
                return RateLimiter(rate: rate, burst: localBurst(of: server), clock: clock)
            }
            return RateLimiter(rate: rate, clock: clock) { request in
                try await tokens(server, request)
            }
        }
    }
}
