extension RateStore {
    /// Tokens from the database's buckets. The receipt validation service has priority (`isFirst`).
    package func tokenSource(isFirst: Bool = false) -> TokenSource {
        { server, request in
            let taken = try await take(
                request.count, for: server, lead: request.lead, share: request.share,
                isFirst: isFirst)
            return TokenSlice(
                takenAt: taken.takenAt, firstDue: taken.firstDue, apart: taken.apart,
                count: taken.count)
        }
    }
}
