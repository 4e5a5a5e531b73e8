import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("A simulated world")
struct SimulatedStoreTests {
    @Test("A seed gives the same world in any order, on any thread and machine; another, another")
    func isTheSame() async {
        let store = SimulatedStore.demo(customers: 200)
        let receipts = store.receipts(of: 0..<200)
        let tasks = (0..<5).reversed().map { part in
            Task { store.receipts(of: part * 40..<part * 40 + 40) }
        }
        var parts: [SimulatedReceipt] = []
        for task in tasks.reversed() { parts += await task.value }
        #expect(parts == receipts)
        let rows = (0..<200).map(store.entitlements)
        #expect((0..<200).map(SimulatedStore.demo(customers: 9_999).entitlements) == rows)
        let other = SimulatedStore.demo(seed: 2, customers: 120)
        #expect(other.receipts(of: 0..<20) != store.receipts(of: 0..<20))
        #expect((0..<50).map(other.entitlements) != Array(rows.prefix(50)))
        // The digest of all is a known value.
        let all =
            receipts.map { "\($0.id) \($0.data) \($0.storedAt)" } + rows.joined().map { "\($0)" }
        let digest = Hash.sha256(Array(all.joined(separator: "\n").utf8)).prefix(8)
        #expect(digest == [0x55, 0xDA, 0xDC, 0x3C, 0x3E, 0xE9, 0x94, 0x93])
    }

    @Test("Every thousand customers include each card", arguments: [0, 1, 77] as [UInt64])
    func dealsEachCard(seed: UInt64) {
        let deck = Deck(seed: seed)
        #expect(Set((0..<1_000).map(deck.card)) == Deck.kinds)
        #expect(Set((5_000..<6_000).map(deck.card)) == Deck.kinds)
    }

    @Test("On further nights receipts stay, subscriptions renew, refunds come, some rows are fixed")
    func livesOn() {
        let nights = (1...3).map { SimulatedStore.demo(night: $0) }
        #expect(nights[0].receipts(of: 0..<99) == nights[2].receipts(of: 0..<99))
        let customers = nights.map { night in (0..<1_000).map { night.customer($0) } }
        let seen = zip(nights, customers).map { night, customers in
            customers.flatMap(\.accounts).flatMap { $0.seen(at: night.now) }
        }
        #expect(seen[0].count < seen[1].count)
        #expect(seen[1].count < seen[2].count)
        let refunded = zip(nights, seen).map { night, purchases in
            purchases.count { $0.cancellation(at: night.now) != nil }
        }
        #expect(refunded[0] != refunded[1])
        let wrong = (0...2).map { day in customers[day].count { $0.flaw(on: day + 1) != .none } }
        #expect(wrong[2] < wrong[0])
        #expect(wrong[2] > 0)
        let comes = customers[0].filter { $0.wrongFrom > 1 }
        #expect(comes.contains { $0.flaw(on: 1) == .none && $0.flaw(on: 2) != .none })
        // No row has a date in the future, and no entitlement is stored twice.
        for store in nights {
            let rows = (0..<1_000).flatMap { store.entitlements(of: $0) }
            #expect(rows.allSatisfy { $0.updatedAt < store.now })
            #expect(Set(rows.map(\.id)).count == rows.count)
        }
    }
}

/// To add a case: of the dates a row with seconds since 1970 and the Pacific time; else a test that
/// asks for a `Story` of the demo world and looks at the answer.
@Suite("The simulated verifyReceipt")
struct VerifierTests {
    private let store = SimulatedStore.demo()

    private func text(_ body: String, at server: SimulatedEnvironment = .production) -> String {
        let answer = Verifier(store: store).answer(to: Array(body.utf8), at: server)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test("The two servers, secrets, forgeries and noise get Apple's statuses")
    func refusals() throws {
        let tester = try store.body(living: .tester)
        let owner = try store.body(living: .owner)
        #expect(text(tester) == #"{"status":21007}"#)
        #expect(text(tester, at: .sandbox).contains("ProductionSandbox"))
        #expect(text(owner, at: .sandbox) == #"{"status":21008}"#)
        #expect(text(try store.body(living: .forged)) == #"{"status":21003}"#)
        // Another world made it.
        #expect(text(try SimulatedStore.demo(seed: 2).body(living: .owner)) == #"{"status":21003}"#)
        let lost = text(try store.body(living: .accountGone))
        #expect(lost == #"{"environment":"Production","status":21010,"is_retryable":false}"#)
        for noise in ["", "[]", "{\"receipt-data\":", "null", "{\"receipt-data\":\"AAAA\"} x"] {
            #expect(text(noise) == #"{"status":21000}"#, "\(noise)")
        }
        let secret = try #require(SimulatedApp.all.first).secret
        let scraps = #"{"receipt-data":"bm90IGEgcmVjZWlwdA==""#
        for body in [
            owner.replacing("MII", with: "MII\\r\\n", maxReplacements: 1),
            owner.replacing("MII", with: "M-I", maxReplacements: 1), scraps + "}",
            #"{"receipt-data":""}"#, scraps + #","password":"\#(secret)"}"#,
        ] { #expect(text(body).hasPrefix(#"{"status":21002"#)) }
        // A secret of no app counts before the receipt.
        for body in [
            owner.replacing(#/"password":"\w+"/#, with: #""password":"wrong""#),
            owner.replacing(#/,"password.*/#, with: "}"), scraps + #","password":"wrong"}"#,
        ] { #expect(text(body) == #"{"environment":"Production","status":21004}"#) }
    }

    @Test("The answer leaves out old transactions when the request asks for that")
    func excludesOld() throws {
        let whole = try store.body(living: .subscriber, periods: 4)
        let latest = try [whole, whole.dropLast() + #","exclude-old-transactions":true}"#].map {
            let json = try JSONSerialization.jsonObject(with: Data(text($0).utf8))
            return ((json as? [String: Any])?["latest_receipt_info"] as? [Any])?.count ?? 0
        }
        #expect(latest[0] > 3)
        #expect(latest[1] == 1)
    }

    @Test(
        "Pacific dates follow daylight saving time",
        arguments: [
            (seconds: 1_605_658_468, text: "2020-11-17 16:14:28"),
            (1_583_661_599, "2020-03-08 01:59:59"),
            (1_583_661_600, "2020-03-08 03:00:00"),
            (1_604_221_199, "2020-11-01 01:59:59"),
            (1_604_221_200, "2020-11-01 01:00:00"),
        ] as [(seconds: Int64, text: String)])
    func pacific(seconds: Int64, text: String) {
        let moment = Moment(milliseconds: seconds * 1_000)
        #expect(moment.pacificText == text + " America/Los_Angeles")
    }

    @Test("A minted receipt is PKCS#7 that OpenSSL and the job verify under its authority alone")
    func verifies() throws {
        let text = try store.body(living: .owner).split(separator: "\"")[3]
        var receipt = try #require(Base64Text.decoded(strictly: Array(text.utf8)))
        #expect(try openssl(receipt) == 0)
        #expect(PresentedReceipt(receipt) != .forged)
        var question = InspectionQuestion()
        #expect(try !Inspection(receipt, question).isGenuine)
        question.roots = TrustedRoots([ThrowAwayAuthority.rootCertificate])
        #expect(try Inspection(receipt, question).isGenuine)
        let index = try #require(receipt.firstRange(of: Array("com.example".utf8))?.lowerBound)
        receipt[index] ^= 1
        #expect(try openssl(receipt) != 0)
        #expect(PresentedReceipt(receipt) == .forged)
    }

    @Test("A minted receipt holds a mark that can be read back", arguments: [0, 255, 99_999_999])
    func marks(customer: Int) {
        let mark = ReceiptMark(seed: .max, customer: customer, account: 3, number: 700)
        #expect(ReceiptMark(mark.bytes) == mark)
        #expect(ReceiptMark(mark.bytes.dropLast()) == nil)
    }

    private func openssl(_ receipt: [UInt8]) throws -> Int32 {
        let folder = try TemporaryFolder()
        try folder.write(receipt, to: "receipt")
        let pem = TestCertificate.pem("CERTIFICATE", ThrowAwayAuthority.rootCertificate)
        try folder.write(pem, to: "root")
        let options = "cms -verify -inform DER -purpose any -binary -out /dev/null -in receipt"
        let words = (options + " -CAfile root").split(separator: " ").map(String.init)
        return try ChildProcess("/usr/bin/openssl", words, in: folder.path).wait()
    }
}

@Suite("A census of the customers of seed 1")
struct CensusTests {
    private static let store = SimulatedStore.demo(customers: 3_000)
    private static let customers = (0..<store.customers).map { store.customer($0) }

    @Test("Every story, flaw, receipt form, kind of damage and quirk occurs several times")
    func customers() {
        let files = Self.customers.flatMap(\.receipts)
        #expect(rare(Story.allCases, in: Self.customers.map(\.card.story)) == [])
        #expect(rare(Flaw.allCases, in: Self.customers.map { $0.flaw(on: 1) }) == [])
        #expect(rare(ReceiptFile.Form.allCases, in: files.map(\.form)) == [])
        #expect(rare(ReceiptFile.Damage.allCases, in: files.map(\.damage)) == [])
        let quirks = Self.customers.flatMap { customer in
            customer.receipts.filter { $0.form == .genuine }.flatMap { file in
                let mark = ReceiptMark(
                    seed: 1, customer: customer.number, account: file.account, number: file.number)
                return AnswerQuirk.drawn(for: mark, of: customer.accounts[file.account])
            }
        }
        #expect(rare(AnswerQuirk.allCases, in: quirks) == [])
        // Findings that need two nights, or two users, have customers.
        let reversed = Self.customers.filter { $0.card.story == .refundReversed }
        #expect(rare([Flaw.none, .notGranted], in: reversed.map { $0.flaw(on: 2) }) == [])
        #expect(Self.customers.count { $0.users.count > 1 && $0.flaw(on: 1) == .none } >= 2)
        let purchases = Self.customers.map { $0.accounts.flatMap { $0.seen(at: Self.store.now) } }
        #expect(purchases.count { $0.contains { !$0.product.isInCatalog } } >= 2)
    }

    @Test("Every other kind of finding occurs, most rows agree with Apple, no right row is accused")
    func findings() throws {
        let plain: Set<Story> = [
            .subscriber, .yearlySubscriber, .magazineReader, .trialing, .introductory,
            .notRenewing, .owner, .passHolder,
        ]
        var kinds: [FindingKind] = []
        var tally = Tally<EntitlementBucket>()
        var served = 0
        for customer in Self.customers {
            let isPlain = plain.contains(customer.card.story) && customer.flaw(on: 1) == .none
            if isPlain { served += 1 }
            for judgement in try judgements(of: customer) {
                kinds += judgement.findings.map(\.kind)
                tally += judgement.entitlements
                let leaks = judgement.findings.filter { isPlain && $0.direction == .leak }
                #expect(leaks.map(\.explanation) == [], "customer \(customer.number)")
            }
        }
        // Those that one customer in one run, with only the simulator's signatures, cannot show.
        let others: Set = [
            "refund_reversed", "refund_reversed_not_restored", "shared_original_transaction",
            "shared_receipt", "unknown_product", "receipt_contradicts_answer",
            "download_key_for_revoked_product", "download_key_orphaned", "product_not_unlocked",
            // Without the App Store Server API.
            "sources_disagree", "transaction_unknown", "refund_without_receipt",
        ]
        #expect(Set(rare(FindingKind.allCases, in: kinds).map(\.rawValue)).isSubset(of: others))
        #expect(tally.inScope > 2_500)
        #expect(served > 500)
        #expect(tally[.consistent] * 100 > tally.inScope * 80)
        #expect(tally[.consistent] < tally.inScope)
    }

    /// Those that occur less than twice.
    private func rare<Case: Hashable>(_ all: [Case], in found: [Case]) -> [Case] {
        all.filter { one in found.count { $0 == one } < 2 }
    }

    /// The job's judgement of a customer's users, without a network.
    private func judgements(of customer: Customer) throws -> [Judgement] {
        let judge = Judge(
            catalog: SimulatedCatalog.catalog, settings: .init(asOf: Instant(Self.store.now)))
        let receipts = Self.store.receipts(of: customer.number..<customer.number + 1)
            .map(StoredReceipt.init)
        let rows = Self.store.entitlements(of: customer.number).map(StoredEntitlement.init)
        return try customer.users.map { user in
            let evidence = try receipts.filter { $0.user.text == user }.map {
                ReceiptEvidence(
                    id: $0.id, bundle: $0.bundle, storedAt: $0.storedAt,
                    validation: try validation(of: LocalReceipt($0.data)))
            }
            let rows = rows.filter { $0.user.text == user }
            return judge.judgement(
                of: UserEvidence(user: UserID(user), receipts: evidence, entitlements: rows))
        }
    }

    private func validation(of receipt: LocalReceipt) throws -> Validation {
        let sendable: SendableReceipt
        switch receipt {
        case .unusable(let why): return .unusable(why)
        case .signed: return .unusable(.jws)
        case .transaction: return .unverified(.noAPIKey)
        case .sendable(let own): sendable = own
        }
        let secret = SimulatedApp.all.first { $0.bundle == sendable.bundle?.text }?.secret
        let text = String(decoding: sendable.base64, as: UTF8.self)
        let body = #"{"receipt-data":"\#(text)","password":"\#(try #require(secret))"}"#
        for (simulated, server) in zip(SimulatedEnvironment.allCases, AppleServer.allCases) {
            let bytes = Verifier(store: Self.store).answer(to: Array(body.utf8), at: simulated).body
            let answer = try VerifyReceiptAnswer.read(bytes, from: server.environment)
            switch AppleStatus.of(.answer(answer), from: server, hasSecret: true).step {
            case .verify: return .verified(try #require(answer.receipt))
            case .refuse(let why): return .rejected(why)
            case let step: try #require(step == .move(.sandbox))
            }
        }
        throw CancellationError()
    }
}
