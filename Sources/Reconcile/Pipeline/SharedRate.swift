extension RateStore {
    /// The buckets in the database as what a validator takes its tokens from.
    package var tokenSource: TokenSource {
        { environment, request in
            let taken = try await take(
                request.count, for: environment, lead: request.lead, share: request.share)
            return TokenSlice(
                takenAt: taken.takenAt, firstDue: taken.firstDue, apart: taken.apart,
                count: request.count)
        }
    }
}
