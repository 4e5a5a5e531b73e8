internal import Synchronization

final class CatalogCache: Sendable {
    private let read: @Sendable () async throws -> Catalog
    private let cached = Mutex<(catalog: Catalog, readAt: ContinuousClock.Instant)?>(nil)
    private let flight = SingleFlight<Int, Result<Catalog, any Error>>()

    /// How long a read catalogue is used.
    private static let age = Duration.seconds(10)

    init(_ read: @escaping @Sendable () async throws -> Catalog) { self.read = read }

    func current() async throws -> Catalog {
        if let cached = cached.withLock(\.self), cached.readAt.duration(to: .now) < Self.age {
            return cached.catalog
        }
        return try await flight.value(for: 0) {
            do {
                let catalog = try await read()
                cached.withLock { $0 = (catalog, .now) }
                return .success(catalog)
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
