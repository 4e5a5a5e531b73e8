extension RateStore {
    /// The buckets in the database as what a validator takes its tokens from.
    /// - Parameter isFirst: others wait for it, but for one in ten: the receipt validation service.
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
