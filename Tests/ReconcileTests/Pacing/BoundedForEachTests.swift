import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A bounded for-each", .timeLimit(.minutes(5)))
struct BoundedForEachTests {
    private struct Failure: Error, Equatable { let number: Int }

    /// Counts up to `end`, and how far it was asked.
    private struct Numbers: AsyncSequence, Sendable {
        let end: Int
        let asked = Shared(0)

        struct Iterator: AsyncIteratorProtocol {
            let numbers: Numbers
            mutating func next() async throws -> Int? {
                let next = numbers.asked.update { $0 += 1 }
                return next <= numbers.end ? next : nil
            }
        }
        func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
    }

    @Test(
        "handles every element once", arguments: [(0, 4), (1, 4), (1_000, 1), (1_000, 16), (9, 0)])
    func all(count: Int, limit: Int) async throws {
        let seen = Shared<[Int]>([])
        try await forEach(in: Numbers(end: count), atMost: limit) { number in
            seen.update { $0.append(number) }
        }
        #expect(seen.current.sorted() == Array(0..<count).map { $0 + 1 })
    }

    @Test("has at most so many under way, and takes the next element only for a free place")
    func bound() async throws {
        let numbers = Numbers(end: 20)
        let clock = ManualClock()
        let most = Shared(0)
        let underWay = Shared(0)
        async let done: Void = forEach(in: numbers, atMost: 3) { _ in
            let now = underWay.update { $0 += 1 }
            most.update { $0 = max($0, now) }
            try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
            underWay.update { $0 -= 1 }
        }
        for round in 1...6 {
            await clock.sleepers(3)
            #expect(numbers.asked.current == 3 * round)
            clock.advance(by: .seconds(1))
        }
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        try await done
        #expect(most.current == 3)
    }

    @Test("cancels the rest at the first error, a wait for the next element too, and throws it")
    func error() async {
        let (stuck, _) = AsyncStream<Int>.makeStream()
        let never = ManualClock()
        await #expect(throws: Failure(number: 2)) {
            try await forEach(in: Chain(first: [1, 2], rest: stuck), atMost: 3) { number in
                if number == 1 {
                    try await never.sleep(until: .init(sinceStart: .seconds(1)), tolerance: nil)
                }
                await never.sleepers(1)
                throw Failure(number: number)
            }
        }
    }

    @Test("throws the sequence's own error")
    func sequenceError() async {
        let stream = AsyncThrowingStream<Int, any Error> { throw Failure(number: 7) }
        await #expect(throws: Failure(number: 7)) {
            try await forEach(in: stream, atMost: 2) { _ in }
        }
    }

    @Test("ends with CancellationError when cancelled, though the sequence merely stops")
    func cancelled() async {
        let (stuck, _) = AsyncStream<Int>.makeStream()
        let task = Task { try await forEach(in: stuck, atMost: 2) { _ in } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private struct Chain: AsyncSequence, Sendable {
        let first: [Int]
        let rest: AsyncStream<Int>

        struct Iterator: AsyncIteratorProtocol {
            var first: ArraySlice<Int>
            var rest: AsyncStream<Int>.AsyncIterator
            mutating func next() async -> Int? {
                if let number = first.popFirst() { return number }
                return await rest.next(isolation: nil)
            }
        }
        func makeAsyncIterator() -> Iterator {
            Iterator(first: first[...], rest: rest.makeAsyncIterator())
        }
    }
}
