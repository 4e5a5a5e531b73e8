/// Tells when so many receipts are refused that the server must be at fault (SPEC §2.7).
///
/// Answers are numbered from 1. A storm is seen only after many of its refusals have come, and
/// those are no more worth than the later ones: so all are in doubt that stand in the window at
/// its beginning.
struct RejectionStorm: Sendable {
    enum Change: Hashable, Sendable { case began, ended }

    private static let window = 1_000
    /// As many refusals make a storm if they are over a twentieth of the answers. Of fewer, one
    /// bad receipt in thirty would be enough.
    private static let leastRejections = 50

    private struct Span {
        let first: Int
        /// Nil while it lasts.
        var last: Int?
    }

    private var recent = RecentAnswers(capacity: window)
    private var spans: [Span] = []
    /// How many have been noted, and the number of the last.
    private(set) var answers = 0

    /// Whether a refusal is to be taken for trouble, now.
    var isOn: Bool { spans.last.map { $0.last == nil } ?? false }

    mutating func note(isRejection: Bool) -> Change? {
        answers += 1
        recent.note(isRejection)
        let isStorm =
            recent.marked >= Self.leastRejections && recent.marked * 20 > recent.count
        if isStorm != isOn { return isStorm ? begin() : interrupt() }
        // It has ended when a whole window has shown no more of it.
        return spans.last?.last.map { $0 + Self.window } == answers ? .ended : nil
    }

    private mutating func begin() -> Change? {
        let first = answers - recent.count + 1
        if let last = spans.last?.last, first <= last {
            spans[spans.count - 1].last = nil
            return nil
        }
        spans.append(Span(first: first))
        return .began
    }

    private mutating func interrupt() -> Change? {
        spans[spans.count - 1].last = answers
        return nil
    }

    /// Whether the refusal that was answer `number` is one of a storm, as far as is known now.
    func doubts(_ number: Int) -> Bool {
        spans.contains { $0.first <= number && number <= $0.last ?? .max }
    }

    /// Whether nothing that comes can change what `doubts` says of answer `number`.
    func isSettled(_ number: Int) -> Bool {
        answers >= number + Self.window - 1 || doubts(number)
    }
}
