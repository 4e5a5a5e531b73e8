import Foundation
import Testing

@testable import TestSupport

@Suite("A stranger at the receipt validation service", .timeLimit(.minutes(10)))
struct StrangerTests {
    @Test(
        "A receipt that Apple did not sign is answered without asking Apple",
        arguments: [NightScene.Seal.altered, .otherRoot, .unsigned])
    func notSigned(seal: NightScene.Seal) async throws {
        try await NightScene.serving { scene in
            let answer = try await scene.post("map", seal)
            #expect(answer.status == 200)
            #expect(answer.body == NightScene.fail)
            #expect(scene.apple.asks.count == 0)
        }
    }
}
