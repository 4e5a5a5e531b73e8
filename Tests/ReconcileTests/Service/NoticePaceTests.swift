import Testing

@testable import Reconcile

/// To add a case: a test that notes sentences at some seconds and compares the lines that are
/// logged.
@Suite("Notices of the service")
struct NoticePaceTests {
    private static let start = ContinuousClock.now

    private static func instant(_ seconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .seconds(seconds))
    }

    @Test("The first of a kind is logged at once, and the next one ten seconds later")
    func first() {
        var pace = NoticePace()
        let lines = [0, 1, 9, 10, 11].map {
            pace.line(.unanswered, "Apple is silent.", at: Self.instant($0)) != nil
        }
        #expect(lines == [true, false, false, true, false])
    }

    @Test("What was not logged is counted in the next line of its kind")
    func counted() {
        var pace = NoticePace()
        for _ in 0..<1_000 { _ = pace.line(.crowd, "Too many.", at: Self.instant(0)) }
        let next = pace.line(.crowd, "Too many.", at: Self.instant(60))
        #expect(next == "Too many. Before it, 999 more of this kind were not logged.")
        let last = pace.line(.crowd, "Too many.", at: Self.instant(120))
        #expect(last == "Too many.")
    }

    @Test("One kind does not hide another")
    func kinds() {
        var pace = NoticePace()
        let kinds: [NoticePace.Kind] = [
            .unanswered, .unopened, .crowd, .otherUser, .uncatalogued("a"), .uncatalogued("b"),
        ]
        for kind in kinds {
            let line = pace.line(kind, "Look.", at: Self.instant(0))
            #expect(line == "Look.")
        }
    }

    @Test("At the end the rest is counted, with the last sentence of each kind")
    func rest() {
        var pace = NoticePace()
        for number in 1...4 {
            _ = pace.line(.unanswered, "Request \(number) failed.", at: Self.instant(0))
        }
        _ = pace.line(.crowd, "Too many.", at: Self.instant(0))
        #expect(
            pace.rest() == ["3 more of this kind were not logged; the last: Request 4 failed."])
        #expect(pace.rest().isEmpty)
    }

    @Test("A thousand kinds are kept at most")
    func bounded() {
        var pace = NoticePace()
        let lines = (0..<1_100).count { number in
            pace.line(.uncatalogued(ProductID("p\(number)")), "?", at: Self.instant(0)) != nil
        }
        #expect(lines == 1_000)
    }
}
