import Testing

@testable import Reconcile

@Suite("The outage circuit breaker")
struct OutageBreakerTests {
    /// Times are in seconds. A step that names no change causes none.
    enum Step: Sendable {
        /// Equal answers to requests that are no probes.
        case answers(Int, AnswerClass, at: Double, OutageBreaker.Change? = nil)
        case probe(
            AnswerClass, at: Double, retryAfter: Int? = nil, change: OutageBreaker.Change? = nil)
        /// Whether a request is admitted.
        case admits(OutageBreaker.Admission, at: Double)
        /// Whether patience is over.
        case overdue(at: Double, OutageBreaker.Change? = nil)
    }

    /// To add a case, copy a course. The patience is 600 seconds, the first wait one second.
    private static let beginnings: [Course<Step>] = [
        Course(
            "half of the first 50 or last 200",
            .answers(49, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .troubled, at: 0, .began)),
        Course(
            "the last one may be sound",
            .answers(49, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .sound, at: 0, .began)),
        Course(
            "half of 50",
            .answers(25, .sound, at: 0), .answers(24, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .troubled, at: 0, .began)),
        Course(
            "half of 52",
            .answers(26, .sound, at: 0), .answers(25, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .troubled, at: 0, .began)),
        Course(
            "half of 200",
            .answers(100, .sound, at: 0), .answers(99, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .troubled, at: 0, .began)),
        Course(
            "half of the last 200",
            .answers(1_000, .sound, at: 0), .answers(99, .throttled, at: 0), .admits(.free, at: 0),
            .answers(1, .troubled, at: 0, .began)),
        Course(
            "just less than half; closed, it never gives up and ignores probes",
            Array(
                repeating: [.answers(12, .sound, at: 0), .answers(10, .troubled, at: 0)],
                count: 1_000
            ).joined() + [.overdue(at: 9e18), .probe(.troubled, at: 0), .admits(.free, at: 0)]),
    ]

    private static let ends: [Course<Step>] = [
        Course(
            "waits grow while probes fail, and none is less than Retry-After",
            .answers(50, .troubled, at: 100, .began),
            .admits(.wait(until: .seconds(101)), at: 100),
            .admits(.probe, at: 101), .probe(.troubled, at: 101),
            .admits(.wait(until: .seconds(103)), at: 102),
            .admits(.probe, at: 103), .probe(.troubled, at: 103, retryAfter: 3),
            .admits(.wait(until: .seconds(107)), at: 106),
            .admits(.probe, at: 107), .probe(.troubled, at: 107, retryAfter: 9),
            .admits(.wait(until: .seconds(116)), at: 115),
            .admits(.probe, at: 116), .probe(.troubled, at: 116),
            .admits(.wait(until: .seconds(132)), at: 131),
            .admits(.probe, at: 132), .probe(.troubled, at: 132),
            .admits(.wait(until: .seconds(162)), at: 161),
            .admits(.probe, at: 162), .probe(.troubled, at: 162),
            .admits(.wait(until: .seconds(192)), at: 191),
            .admits(.probe, at: 192), .probe(.troubled, at: 192, retryAfter: 45),
            .admits(.wait(until: .seconds(237)), at: 236)),
        Course(
            "three good probes in a row close it; answers from before and to others do not count",
            .answers(50, .troubled, at: 0, .began), .answers(500, .sound, at: 0),
            .admits(.wait(until: .seconds(1)), at: 0),
            .probe(.sound, at: 1), .admits(.probe, at: 1), .probe(.sound, at: 2),
            .probe(.troubled, at: 3), .admits(.wait(until: .seconds(5)), at: 3),
            .probe(.sound, at: 5), .probe(.sound, at: 6),
            .probe(.sound, at: 7, retryAfter: 0, change: .ended(after: .seconds(7))),
            .admits(.free, at: 7),
            .answers(49, .troubled, at: 8), .answers(1, .troubled, at: 8, .began)),
        Course(
            "it gives up for good after the patience, which each outage gets anew",
            .answers(50, .troubled, at: 0, .began), .overdue(at: 599.999),
            .probe(.sound, at: 599.999), .probe(.sound, at: 599.999),
            .probe(.sound, at: 599.999, retryAfter: 0, change: .ended(after: .seconds(599.999))),
            .answers(50, .troubled, at: 600, .began), .overdue(at: 1_199.999),
            .probe(.troubled, at: 1_190, retryAfter: 3_600),
            .admits(.wait(until: .seconds(1_200)), at: 1_190),
            .overdue(at: 1_200, .gaveUp(.seconds(600))), .overdue(at: 1_200),
            .probe(.sound, at: 1_201), .admits(.never, at: 1_200), .admits(.never, at: 9_999)),
    ]

    @Test(
        "The breaker opens when half of the answers fail, probes for the end, and may give up",
        arguments: beginnings + ends)
    func follows(course: Course<Step>) {
        var breaker = OutageBreaker(patience: .seconds(600), firstWait: .seconds(1))
        for step in course.steps {
            switch step {
            case .answers(let count, let answer, let time, let expected):
                let changes = (0..<count).compactMap { _ in
                    breaker.note(answer, at: .seconds(time))
                }
                #expect(changes == [expected].compactMap(\.self), "\(step)")
            case .probe(let answer, let time, let retryAfter, let expected):
                let wait = retryAfter.map { Duration.seconds($0) }
                let change = breaker.recordProbe(answer, retryAfter: wait, at: .seconds(time))
                #expect(change == expected, "\(step)")
            case .admits(let expected, let time):
                #expect(breaker.admission(at: .seconds(time)) == expected, "\(step)")
                #expect(breaker.isClosed == (expected == .free), "\(step)")
            case .overdue(let time, let expected):
                #expect(breaker.giveUpIfOverdue(at: .seconds(time)) == expected, "\(step)")
            }
        }
    }
}
