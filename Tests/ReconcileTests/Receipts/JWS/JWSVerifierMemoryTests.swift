import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that verifies some JWS after others, and compares the checks that fail.
@Suite("The memory of a JWS verifier")
struct JWSVerifierMemoryTests {
    private let verifier = JWSVerifier(JWSAuthority.shared.roots)

    private func failures(_ text: [UInt8]) throws -> [JWSCheck] {
        let jws = try #require(JWS(text))
        return verifier.verification(of: jws, now: .asOf).failures.map(\.check)
    }

    @Test("The next JWS of a known chain gets the same verdicts, and its own time and signature")
    func next() throws {
        let early = JWSForge().text(.transaction.with("signedDate", "1622505600000"))
        let forged = JWSForge(key: JWSAuthority.other.signer.key).text()
        for _ in 1...2 {
            #expect(try failures(JWSForge().text()) == [])
            #expect(try failures(early) == [.time])
            #expect(try failures(forged) == [.signature])
            #expect(try failures(JWSForge().text(.renewal)) == [])
        }
    }

    @Test("A known chain in another header is known, but that header's algorithm is not")
    func otherHeader() throws {
        #expect(try failures(JWSForge().text()) == [])
        let other = JWSForge(algorithm: #""none""#).text()
        #expect(try failures(other) == [.algorithm])
        #expect(try failures(other) == [.algorithm])
        #expect(try failures(JWSForge(members: #""kid":"1""#).text()) == [])
    }

    @Test("A known chain beside a damaged third certificate is refused, as an unknown one is")
    func damagedThird() throws {
        let known = JWSAuthority.shared.certificates.prefix(2).map(\.der)
        let damaged = JWSForge(x5c: JWSForge.x5c(known + [[0, 0, 0]])).text()
        #expect(try failures(damaged) == [.certificates])
        #expect(try failures(JWSForge().text()) == [])
        #expect(try failures(damaged) == [.certificates])
    }

    @Test("More headers than are remembered are all verified, also by many threads at once")
    func many() async throws {
        let key = JWSAuthority.other.signer.key
        let wrong = await withTaskGroup(of: Int.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    (0..<40).count { index in
                        let isForged = index % 5 == 0
                        let forge = JWSForge(
                            members: #""kid":"\#(thread * 20 + index)""#, key: isForged ? key : nil)
                        let expected: [JWSCheck] = isForged ? [.signature] : []
                        return (try? failures(forge.text())) != expected
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
