extension RateStore {
    /// Takes tokens for a validator from the buckets in the database.
    /// - Parameter isFirst: whether the caller has priority: while it waits, others get tokens one
    ///   time in ten. The receipt validation service has priority.
    package func tokenSource(isFirst: Bool = false) -> TokenSource {
        { environment, request in
            let taken = try await take(
                request.count, for: environment, lead: request.lead, share: request.share,
                isFirst: isFirst)
            return TokenSlice(
                takenAt: taken.takenAt, firstDue: taken.firstDue, apart: taken.apart,
                count: taken.count)
        }
    }
}
