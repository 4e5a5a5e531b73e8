import Testing

@testable import Reconcile

@Suite("The burst of a token bucket")
struct ValidationSettingsTests {
    @Test(
        "The burst leaves room for late requests, more for shared buckets, and is never 0",
        arguments: [
            (burst: 10, rate: 10, local: 9, shared: 9),
            (burst: 20, rate: 100, local: 19, shared: 14),
            (burst: 1_000, rate: 1_000, local: 990, shared: 940),
            (burst: 50, rate: 1_000, local: 40, shared: 1),
            (burst: 2, rate: 0.5, local: 1, shared: 1),
            (burst: 1, rate: 0.1, local: 1, shared: 1),
            (burst: 1_000, rate: 1e12, local: 1, shared: 1),
        ] as [(burst: Int, rate: Double, local: Int, shared: Int)])
    func reserve(burst: Int, rate: Double, local: Int, shared: Int) {
        var settings = ValidationSettings()
        settings.burst = burst
        #expect(settings.localBurst(rate: rate) == local)
        #expect(settings.sharedBurst(rate: rate) == shared)
    }
}
