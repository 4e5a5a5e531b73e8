extension Database {
    /// The bucket in the database as what a validator takes its tokens from.
    package var tokenSource: TokenSource {
        { environment, count, lead in
            let taken = try await takeTokens(count, for: environment, lead: lead)
            return TokenSlice(firstDue: taken.firstDue, apart: taken.apart, count: count)
        }
    }
}
