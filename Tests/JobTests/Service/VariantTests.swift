import Foundation
import Testing

@testable import TestSupport

@Suite("Variants of a receipt at the receipt validation service", .timeLimit(.minutes(10)))
struct VariantTests {
    /// A service as a team sets it up, except that a test's authority signs for Apple.
    private static let service = "$SIGNED --roots=roots"

    @Test("What Apple did not write takes few of the requests that --rate allows")
    func share() async throws {
        // All sixty could be sent at once.
        let flags = "$KEYS $APPLE --roots=roots --rate=1 --burst=100 --outage-patience=5s"
        try await NightScene.serving(flags) { scene in
            let statuses = try await scene.statuses(60) { number in
                try await scene.post(variant: UInt8(number), of: "21002")
            }
            #expect(statuses == [503])
            #expect(scene.apple.asks.count < 20)
        }
    }
}
