/// A fixed number of places, handed out in the order in which they were asked for.
actor Places {
    /// For tests with a database: their processes and connections share the machine's cores.
    static let shared = Places(12)

    /// Whether the task has a place already: a second one could never become free.
    @TaskLocal private static var isOccupied = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func occupied<T>(_ body: () async throws -> T) async throws -> T {
        guard !Self.isOccupied else { return try await body() }
        await take()
        let outcome: Result<T, any Error>
        do {
            outcome = .success(try await Self.$isOccupied.withValue(true) { try await body() })
        } catch {
            outcome = .failure(error)
        }
        await leave()
        return try outcome.get()
    }

    private func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The place goes to the test that has waited longest.
    private func leave() {
        guard !waiting.isEmpty else {
            free += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
