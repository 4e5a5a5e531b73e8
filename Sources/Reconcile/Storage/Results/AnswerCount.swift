/// How many of Apple's answers had a status.
struct AnswerCount: Hashable, Sendable {
    let status: Int
    let isHTTP: Bool
    let answers: Int

    /// A flush has few statuses, so counting them here saves two arrays for each user.
    static func counts(of requests: [RequestRecord]) -> [AnswerCount] {
        counts(requests.lazy.map(\.statuses), isHTTP: false)
            + counts(requests.lazy.map(\.httpStatuses), isHTTP: true)
    }

    private static func counts(_ lists: some Sequence<[Int]>, isHTTP: Bool) -> [AnswerCount] {
        var counts: [Int: Int] = [:]
        for list in lists {
            for status in list { counts[status, default: 0] += 1 }
        }
        return counts.sorted { $0.key < $1.key }.map {
            AnswerCount(status: $0.key, isHTTP: isHTTP, answers: $0.value)
        }
    }
}
