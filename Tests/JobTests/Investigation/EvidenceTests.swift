import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// A purchase in a receipt and in Apple's answer. Days count from `AppleAnswer.asOf`.
struct Purchase: Sendable {
    enum Signature: Sendable {
        case apple
        /// Of Apple, over a receipt that was changed since.
        case changedSince
        /// Under another root certificate of the same name.
        case otherRoot
        /// The receipt is no receipt.
        case none
    }

    let user: String
    let signature: Signature
    let receipt: [UInt8]
    /// The purchase in Apple's answer.
    let period: String

    /// - Parameter product: the one in the receipt. Apple's answer has `pro.monthly`.
    init(
        by user: String, id: String, bought: Double, expires: Double, cancelled: Double? = nil,
        product: String = "pro.monthly", madeAt: String = "2026-11-20T01:59:59Z",
        signed signature: Signature = .apple
    ) {
        let purchase = PayloadForge.purchase(
            product, id: id, at: Self.date(bought), expires: Self.date(expires),
            cancelled: cancelled.map(Self.date) ?? "")
        let payload = PayloadForge(createdAt: madeAt, purchases: [purchase]).encoded
        self.user = user
        self.signature = signature
        switch signature {
        case .apple: receipt = ReceiptAuthority.shared.receipt(payload)
        case .changedSince:
            var bytes = ReceiptAuthority.shared.receipt(payload)
            bytes[bytes.count - 1] ^= 1
            receipt = bytes
        case .otherRoot: receipt = ReceiptAuthority.other.receipt(payload)
        case .none: receipt = Array("no receipt".utf8)
        }
        period = AppleAnswer.period(id, from: bought, to: expires, cancelled: cancelled)
    }

    var base64: String { Data(receipt).base64EncodedString() }

    private static func date(_ days: Double) -> String {
        Date(timeIntervalSince1970: 1_795_140_000 + days * 86_400).ISO8601Format()
    }
}

extension Session {
    static let appleRoot = "AppleIncRootCertificate.cer"

    /// The root certificate of the tests' authority, in the session's folder and in `roots`.
    func makeRoots() throws {
        try makeFolder("roots")
        for name in [Self.appleRoot, "roots/" + Self.appleRoot] {
            try folder.write(ReceiptAuthority.shared.root.der, to: name)
        }
    }
}

/// Apple's signature is reported, proves what was kept, and serves offline. To add a case: copy a
/// test, and write which runs there are and what their reports say, with the
/// verbs in `Tests/README.md`.
@Suite("Evidence that Apple has signed", .hangLimit)
struct SignedEvidenceTests {
    /// What the receipts hold that Apple signed as it answered: `bob`'s is another product, a
    /// contradiction, and `cyd`'s receipt is not signed.
    private static let purchases = [
        Purchase(by: "ann", id: "1", bought: -60, expires: -30),
        Purchase(by: "bob", id: "2", bought: -60, expires: 20, product: "gems"),
        Purchase(by: "cyd", id: "3", bought: -60, expires: -30, signed: .none),
        Purchase(by: "flo", id: "4", bought: -60, expires: 20, cancelled: -5),
        Purchase(by: "gil", id: "5", bought: -60, expires: 20),
    ]

    private func with(_ body: (Session) async throws -> Void) async throws {
        let acts = Self.purchases.reduce(into: [String: LoopbackServer.Act]()) { acts, bought in
            let answer = AppleAnswer.subscribed([bought.period], latest: bought.base64)
            acts[bought.user] = .reply(answer)
        }
        try await Session.with(acts: acts) { session in
            // Everything about `gil` agrees.
            try await session.test.store(receipt: "gil", of: "gil")
            try await session.grant("gil")
            for bought in Self.purchases {
                try session.folder.write(bought.receipt, to: bought.user)
            }
            try session.makeRoots()
            try await body(session)
        }
    }

    private struct Signed: Hashable, CustomStringConvertible {
        let kind: String
        let user: String
        let isSigned: Bool

        var description: String { "\(kind) of \(user), \(isSigned ? "" : "not ")signed" }
    }

    private func signed(_ file: String, in session: Session) -> Set<Signed> {
        let lines = session.report(file).items.filter { $0["evidence_signed"] != nil }
        return Set(
            lines.map { line in
                Signed(
                    kind: line["kind"].text ?? "", user: line["user_id"].text ?? "",
                    isSigned: line["evidence_signed"] == true)
            })
    }

    private func night(_ more: String..., in session: Session) async throws {
        try await session.run(["--roots=roots"] + more).exits()
    }

    @Test("The reports say whether Apple signed the evidence, and a contradiction is a finding")
    func reported() async throws {
        try await with { session in
            try await night(in: session)
            #expect(
                signed("expirations", in: session) == [
                    Signed(kind: "expired_still_granted", user: "ann", isSigned: true),
                    Signed(kind: "expired_still_granted", user: "cyd", isSigned: false),
                ])
            #expect(
                signed("refunds", in: session) == [
                    Signed(kind: "refund_recorded", user: "flo", isSigned: true),
                    Signed(kind: "refunded_still_granted", user: "flo", isSigned: true),
                ])
            let contradiction = Signed(
                kind: "receipt_contradicts_answer", user: "bob", isSigned: false)
            let before = session.reported("receipts")
            #expect(!before.contains { $0.kind == contradiction.kind })
            try await night("--as-of=2026-11-21T02:00:00Z", "--evidence=all", in: session)
            let second = session.latestRun()
            #expect(signed("receipts", in: session).contains(contradiction))
            let receipts = session.read("reports/latest/receipts.json")
            for text in [
                "has gems in transaction 2, and Apple's answer pro.monthly",
                "\"By Apple's own signature the latest_receipt in the answer to receipt bob,",
            ] { #expect(receipts.contains(text)) }
            try await night("--as-of=2026-11-22T02:00:00Z", in: session)
            #expect(session.reported("cleared") == [])
            try await night("--replay=\(second)", in: session)
        }
    }

    @Test("The signed evidence is printed as received, and openssl verifies it as documented")
    func printed() async throws {
        let page = try String(contentsOf: DisputesTests.page, encoding: .utf8)
        let blocks = page.components(separatedBy: "```\n")
        let proof = try #require(blocks.first { $0.contains("openssl cms") })
            .split(separator: "\n")
        #expect(proof.count == 2)
        try await with { session in
            try await night(in: session)
            let file = Launch(output: .file("signed.der"))
            try await session.job("evidence", "--signed", "--receipt=flo", with: file).exits()
            #expect(session.bytes("signed.der") == session.bytes("flo"))
            // A shell, because the page's commands are a shell's.
            let shell = try ChildProcess(
                "/bin/sh", ["-c", proof.joined(separator: " && ")],
                environment: ["PATH": "/usr/bin:/bin"], in: session.folder.path, stderr: .output)
            await shell.finish().exits().prints("Verification successful")
            try await session.job("evidence", "--signed", "--receipt=bob").exits(66)
            try await session.job("evidence", "--signed", "--receipt=cyd").exits()
                .printsOnly("no receipt")
        }
    }

    @Test("Evidence is kept as configured, exported, used offline, and erased by user")
    func kept() async throws {
        try await with { session in
            let users = "select user_id from reconcile.kept_receipt order by 1"
            let offline = ["--offline", "--max-unverified=100%"]
            try await night("--keep-receipts=none", "--as-of=2026-11-19T02:00:00Z", in: session)
            try await session.query(users).returnsNothing()
            try await night(in: session)
            try await session.query(users).returns("ann", "flo")
            try await night("--keep-receipts=all", "--as-of=2026-11-21T02:00:00Z", in: session)
            try await session.query(users).returns("ann", "flo", "gil")
            let exported = try await session.job("export-receipts").exits()
            #expect(exported.lines.count == 3)
            let rows = try exported.lines.map { try JSONDocument($0) }
            let gil = try #require(rows.first { $0["user_id"] == "gil" })
            #expect(gil["made_at"] == "2026-11-20T01:59:59Z")
            #expect(gil["receipt_data"].text == Self.purchases[4].base64)

            try await session.run(offline + ["--roots=roots", "--as-of=2026-11-22T02:00:00Z"])
                .exits()
            let offlineReports = try await session.latestReports()
            #expect(offlineReports.receipts.verified == 3)
            try await session.job("export-receipts", "--user=bob").exits(66)
            try await session.job("prune", "--user=gil", "--by=ada").exits()
            try await session.query(users).returns("ann", "flo")
            try await session.sql("delete from reconcile.kept_receipt")
            try await session.run(offline + ["--roots=roots", "--as-of=2026-11-23T02:00:00Z"])
                .exits()
            let erasedReports = try await session.latestReports()
            #expect(erasedReports.receipts.verified == 0)
        }
    }
}
