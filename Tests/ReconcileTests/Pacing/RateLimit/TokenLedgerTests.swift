import Testing

@testable import Reconcile

@Suite("The tokens in hand")
struct TokenLedgerTests {
    /// Times are in milliseconds of the worker's clock, but for `takenAt`, which is the bucket's.
    enum Step: Sendable {
        case slice(
            due: Int = 0, apart: Int = 10, count: Int, takenAt: Int, askedAt: Int, arrivedAt: Int)
        case goes(at: Int)
        case waits(Int, at: Int)
        /// The next slice is requested, with this lead and this share of the rate.
        case asks(lead: Int = 0, share: Double = 1, at: Int)
        /// HTTP 429, which halves the rate.
        case throttled(at: Int)
        case pause(until: Int)
    }

    /// At each time one caller goes, waits, or asks for the next slice, at a rate of 10. An empty
    /// slice says when to request again. A token is forfeited 50 ms after it was due, at every
    /// possible difference of the clocks, which the fastest response fixes until a clock is set,
    /// unless it takes longer; slow ones increase the lead. To add a case, copy a course.
    private static let dueTokens: [Course<Step>] = [
        Course(
            "the tokens of a slice are due one after the other",
            .slice(due: 5, count: 3, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .waits(5, at: 1_000), .goes(at: 1_005), .waits(10, at: 1_005), .goes(at: 1_015),
            .goes(at: 1_025), .asks(at: 1_025)),
        Course(
            "tokens that are long due are used at once",
            .slice(due: -9_000, count: 3, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .goes(at: 1_000), .goes(at: 1_000), .goes(at: 1_000), .asks(at: 1_000)),
        Course(
            "a token is due at the latest possible time if the response took a while",
            .slice(due: 10, count: 3, takenAt: 1_000, askedAt: 960, arrivedAt: 1_000),
            .waits(10, at: 1_000), .goes(at: 1_010)),
        Course(
            "an empty slice says when to request again",
            .slice(due: 80, apart: 0, count: 0, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .waits(80, at: 1_000), .waits(1, at: 1_079), .asks(at: 1_080)),
    ]

    private static let forfeitedTokens: [Course<Step>] = [
        Course(
            "a token is good for 50 ms",
            .slice(count: 1, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000), .goes(at: 1_050)),
        Course(
            "of many tokens those that are due for more than 50 ms are forfeited",
            .slice(count: 99, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .goes(at: 1_500), .goes(at: 1_500), .goes(at: 1_500), .goes(at: 1_500),
            .goes(at: 1_500), .goes(at: 1_500), .waits(10, at: 1_500), .goes(at: 1_510),
            .waits(10, at: 1_510), .asks(at: 3_000)),
        Course(
            "a token is forfeited after 51 ms",
            .slice(count: 1, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000), .asks(at: 1_051)),
        Course(
            "a token is forfeited earlier by what the response took, which becomes the lead",
            .slice(count: 1, takenAt: 1_000, askedAt: 960, arrivedAt: 1_000),
            .asks(lead: 40, at: 1_021)),
        Course(
            "a token of a response that took longer is used at once",
            .slice(count: 1, takenAt: 7_000, askedAt: 0, arrivedAt: 300), .goes(at: 300)),
    ]

    private static let clocks: [Course<Step>] = [
        Course(
            "slow responses increase the lead, fast ones fix the difference of the clocks",
            .slice(count: 1, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000), .goes(at: 1_000),
            .asks(at: 1_000),
            .slice(apart: 0, count: 1, takenAt: 2_000, askedAt: 2_000, arrivedAt: 2_200),
            .asks(lead: 200, at: 2_200),
            .slice(apart: 0, count: 1, takenAt: 3_000, askedAt: 3_000, arrivedAt: 3_200),
            .goes(at: 3_201),
            .slice(apart: 0, count: 1, takenAt: 4_000, askedAt: 4_000, arrivedAt: 4_001),
            .goes(at: 4_202), .asks(at: 4_202)),
        Course(
            "a clock that is set changes the difference of the clocks",
            .slice(count: 1, takenAt: 100_000, askedAt: 1_000, arrivedAt: 3_000),
            .slice(count: 1, takenAt: 102_000, askedAt: 3_000, arrivedAt: 3_500),
            .waits(1, at: 5_499), .goes(at: 5_500),
            .slice(count: 1, takenAt: 105_000, askedAt: 5_520, arrivedAt: 7_500),
            .goes(at: 7_001),
            .slice(count: 1, takenAt: 50_000, askedAt: 8_980, arrivedAt: 9_000),
            .waits(1, at: 10_979), .goes(at: 11_010)),
    ]

    private static let interruptions: [Course<Step>] = [
        Course(
            "a 429 forfeits all tokens",
            .slice(apart: 100, count: 3, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .goes(at: 1_000), .waits(100, at: 1_000), .throttled(at: 1_001),
            .asks(share: 0.5, at: 1_001)),
        Course(
            "a 429 forfeits the tokens that are on their way",
            .asks(at: 1_000), .throttled(at: 1_010),
            .slice(count: 9, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_010),
            .asks(share: 0.5, at: 1_010), .asks(share: 0.55, at: 2_010)),
        Course(
            "no token is used in a pause, which an earlier end does not shorten",
            .slice(apart: 100, count: 3, takenAt: 1_000, askedAt: 1_000, arrivedAt: 1_000),
            .goes(at: 1_000), .pause(until: 9_000), .pause(until: 1_500),
            .waits(7_900, at: 1_100), .asks(at: 9_000)),
        Course(
            "no tokens are requested in a pause",
            .pause(until: 9_000), .waits(1, at: 8_999), .asks(at: 9_000)),
    ]

    @Test(
        "Tokens are used in turn, each when it is due, and then the next slice is requested",
        arguments: dueTokens + forfeitedTokens + clocks + interruptions)
    func inTurn(course: Course<Step>) {
        var limit = RateLimit(rate: 10)
        var asked = TokenRequest(count: 1)
        for step in course.steps {
            switch step {
            case .slice(let due, let apart, let count, let takenAt, let askedAt, let arrivedAt):
                let slice = TokenSlice(
                    takenAt: .milliseconds(takenAt), firstDue: .milliseconds(due),
                    apart: .milliseconds(apart), count: count)
                limit.add(
                    slice, for: asked, askedAt: .milliseconds(askedAt),
                    arrivedAt: .milliseconds(arrivedAt))
            case .goes(let time):
                #expect(limit.step(at: .milliseconds(time), callers: 1) == .go, "\(step)")
            case .waits(let wait, let time):
                let next = limit.step(at: .milliseconds(time), callers: 1)
                #expect(next == .wait(.milliseconds(wait)), "\(step)")
            case .asks(let lead, let share, let time):
                let next = limit.step(at: .milliseconds(time), callers: 1)
                if case .ask(let request) = next { asked = request }
                let expected = TokenRequest(
                    count: asked.count, lead: .milliseconds(lead), share: share)
                #expect(next == .ask(expected), "\(step)")
            case .throttled(let time):
                let change = limit.note(.throttled, at: .milliseconds(time))
                #expect(change == .halved(5), "\(step)")
            case .pause(let end): limit.pause(until: .milliseconds(end))
            }
        }
    }
}
