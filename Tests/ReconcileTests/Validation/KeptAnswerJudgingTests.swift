import Testing

@testable import Reconcile
@testable import TestSupport

/// Kept evidence must be enough to judge again without a request.
@Suite("Judging a kept answer", .timeLimit(.minutes(10)))
struct KeptAnswerJudgingTests {
    private struct Scene {
        let validator: AppStoreValidator
        let request: ReceiptRequest
        let look: Look
        /// Keeps the simulated Apple alive.
        let apple: ScriptedApple
    }

    private func scene(_ body: String) async throws -> Scene {
        let apple = try ScriptedApple { _ in [.reply(body)] }
        let validator = try AppStoreValidator.asking(
            apple, roots: TrustedRoots([ReceiptAuthority.shared.root.der]))
        let payload = PayloadForge(bundle: "acme.other", purchases: [PayloadForge.purchase()])
        let bytes = ReceiptAuthority.shared.receipt(payload.encoded)
        let request = try validator.question(
            String(decoding: Base64.encode(bytes), as: UTF8.self))
        let look = try await validator.look(at: request, of: "r1")
        return Scene(validator: validator, request: request, look: look, apple: apple)
    }

    @Test(
        "A kept answer gives the same report again, with the same contradictions",
        arguments: [
            (AppleAnswer.verified(), 1), (AppleAnswer.status(21005), 0), ("<html>", 0),
            (AppleAnswer.status(0), 0),
        ])
    func again(body: String, contradictions: Int) async throws {
        let scene = try await scene(body)
        guard case .concluded(let report) = scene.look else {
            Issue.record("\(scene.look.words)")
            return
        }
        #expect(report.contradictions.count == contradictions)
        let kept = try #require(report.kept(for: scene.request, of: "r1"))
        #expect(kept.receipt == "r1")
        #expect(kept.request == scene.request.digest)
        #expect(kept.bodyDigest == Digest.sha256(Array(body.utf8)).bytes)
        let again = scene.validator.report(kept, about: scene.request)
        #expect(again.validation == report.validation)
        #expect(again.attempts == report.attempts)
        #expect(again.requests == report.requests)
        #expect(again.body == report.body)
        #expect(again.contradictions == report.contradictions)
        #expect(again.signedKinds == report.signedKinds)
    }

    @Test("A refusal is read back as confirmed or as doubted")
    func refusal() async throws {
        let scene = try await scene(AppleAnswer.status(21003))
        guard case .refused(let refusal) = scene.look else {
            Issue.record("\(scene.look.words)")
            return
        }
        for report in [refusal.confirmed, refusal.doubted(.refusalContradictsSignature)] {
            let kept = try #require(report.kept(for: scene.request, of: "r1"))
            let again = scene.validator.report(kept, about: scene.request)
            #expect(again.validation == report.validation)
            #expect(again.attempts == report.attempts)
            #expect(again.body == report.body)
        }
    }

    @Test("An answer proves nothing if its body is missing or has no receipt")
    func damaged() async throws {
        let scene = try await scene(AppleAnswer.verified())
        guard case .concluded(let report) = scene.look else { return }
        var kept = try #require(report.kept(for: scene.request, of: "r1"))
        for body in [nil, "{", AppleAnswer.status(0)] {
            kept.body = body.map { AnswerBody(bytes: Array($0.utf8), server: .production) }
            let again = scene.validator.report(kept, about: scene.request)
            #expect(again.validation == .unverified(.incompleteAnswer))
            #expect(again.contradictions.isEmpty)
        }
    }

    @Test("A receipt that was not sent has no kept answer")
    func unusable() async throws {
        let scene = try await scene(AppleAnswer.verified())
        let report = ValidationReport(.unusable(.xcode))
        #expect(report.kept(for: scene.request, of: "r1") == nil)
    }
}
