/// Caches recent answers for retries and benchmarks.
struct AnswerCache {
    struct Key: Hashable {
        let body: [UInt8]
        let environment: SimulatedEnvironment

        /// Hashes the buffer at once; an array would be hashed byte by byte.
        func hash(into hasher: inout Hasher) {
            body.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Above this size the cache is emptied: repeated requests come soon after the first.
    private static let mostBytes = 32 << 20

    private var answers: [Key: Verifier.Answer] = [:]
    private var bytes = 0

    subscript(key: Key) -> Verifier.Answer? {
        get { answers[key] }
        set {
            guard let newValue else { return }
            bytes += key.body.count + newValue.body.count
            if bytes > Self.mostBytes {
                answers = [:]
                bytes = 0
            }
            answers[key] = newValue
        }
    }
}
