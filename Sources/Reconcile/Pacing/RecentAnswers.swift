/// A ring buffer of the last answers, some of them marked.
struct RecentAnswers: Sendable {
    private var ring: [Bool]
    private var next = 0
    private(set) var count = 0
    private(set) var marked = 0

    init(capacity: Int) { ring = Array(repeating: false, count: max(1, capacity)) }

    /// Adds an answer; replaces the oldest when full.
    mutating func note(_ isMarked: Bool) {
        if count < ring.count {
            count += 1
        } else if ring[next] {
            marked -= 1
        }
        ring[next] = isMarked
        if isMarked { marked += 1 }
        next = next + 1 == ring.count ? 0 : next + 1
    }

    mutating func forget() {
        next = 0
        count = 0
        marked = 0
    }
}
