/// Tells when so many receipts are refused that the server must be at fault (SPEC §2.7).
///
/// Answers are numbered from 1. Two refuse a receipt; the second is neither noted nor numbered, and
/// the first counts for both: when the second comes hangs on the backoff, and on a fast machine all
/// come together, at the end of the night.
///
/// Whether a refusal is believed *now* is asked of the answers so far, which may be few; whether it
/// is believed *in the end* is asked of all that stand around it, so that neither those before a
/// storm was seen are believed, nor two bad receipts among the first fifty are a storm
/// (docs/decisions/0027).
struct RejectionStorm: Sendable {
    enum Change: Hashable, Sendable { case began, ended }

    private static let window = 1_000
    /// These, and second refusals by thirteen of them, are fifty.
    private static let spell = 37
    /// Fewer answers than this prove nothing.
    private static let leastAnswers = 50
    /// Fewer refusals than this are no trouble now: of few answers they are a large share by
    /// chance, and it would hang on their order how often the receipts are asked.
    private static let leastRefusals = 6

    private struct Span {
        let first: Int
        var last: Int
    }

    private var recent = RecentAnswers(capacity: window)
    /// For a storm too short to be over a twentieth of a window.
    private var latest = RecentAnswers(capacity: spell)
    /// In which all refusals are of a storm, whatever comes.
    private var spans: [Span] = []
    /// When it was on last; nil when that has been told to have ended.
    private var lastOn: Int?
    /// How many have been noted, and the number of the last.
    private(set) var answers = 0

    /// Whether a refusal is to be taken for trouble, now.
    var isOn: Bool { isLargeShare && recent.marked * 2 >= Self.leastRefusals || isSpell }

    private var isLargeShare: Bool {
        let count = recent.count + recent.marked
        return count >= Self.leastAnswers && recent.marked * 2 * 20 > count
    }

    private var isSpell: Bool {
        let count = latest.count + latest.marked
        return count >= Self.leastAnswers && latest.marked * 2 * 2 >= count
    }

    /// Learns from an answer that is not a receipt's second refusal.
    mutating func note(isRejection: Bool) -> Change? {
        answers += 1
        recent.note(isRejection)
        latest.note(isRejection)
        if isSpell { doubt(last: latest.count) }
        if isLargeShare, recent.count == Self.window { doubt(last: Self.window) }
        if isOn {
            defer { lastOn = answers }
            return lastOn == nil ? .began : nil
        }
        // It has ended when a whole window has shown no more of it.
        guard let lastOn, lastOn + Self.window == answers else { return nil }
        self.lastOn = nil
        return .ended
    }

    private mutating func doubt(last count: Int) {
        var first = answers - count + 1
        while let span = spans.last, first <= span.last + 1 {
            first = min(first, span.first)
            spans.removeLast()
        }
        spans.append(Span(first: first, last: answers))
    }

    /// Goes on after answers of another process, `count` of which, none a refusal, came since the
    /// last that was noted.
    mutating func skip(_ count: Int) -> Change? {
        guard count > 0 else { return nil }
        // More than two windows of them leave no other trace than two do.
        let noted = min(count, 2 * Self.window)
        var change: Change?
        for _ in 0..<noted { change = note(isRejection: false) ?? change }
        answers += count - noted
        return change
    }

    /// Whether the refusal that was answer `number` is one of a storm, as far as is known now.
    func doubts(_ number: Int) -> Bool {
        recent.count < Self.window && isLargeShare || isSeen(at: number)
    }

    /// Whether answer `number` stands in a storm, whatever comes.
    func isSeen(at number: Int) -> Bool {
        spans.contains { $0.first <= number && number <= $0.last }
    }

    /// Whether nothing that comes can change what `doubts` says of answer `number`.
    func isSettled(_ number: Int) -> Bool {
        answers >= number + Self.window - 1 || isSeen(at: number)
    }
}
