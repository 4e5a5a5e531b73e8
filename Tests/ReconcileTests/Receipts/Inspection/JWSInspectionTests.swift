import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a text of `JWSForge`, the app that is asked for, and the step that fails.
@Suite("The inspection of a JWS")
struct JWSInspectionTests {
    private static func inspection(
        _ text: [UInt8], bundle: BundleID? = nil, storedFor stored: BundleID? = nil,
        version: String? = nil
    ) throws -> JWSInspection {
        var question = InspectionQuestion.asking(
            bundle, version: version, trusting: JWSAuthority.shared.roots)
        question.storedBundle = stored
        let file = try InspectedFile(text, question, now: .asOf)
        guard case .jws(let inspection) = file else {
            Issue.record("a receipt")
            throw CancellationError()
        }
        #expect(file.isGenuine == inspection.isGenuine)
        #expect(file.failedStep == inspection.failedStep)
        return inspection
    }

    private static let forged = JWSForge(certificates: JWSAuthority.other.certificates).text()

    @Test("A genuine JWS passes each step of its signature")
    func genuine() throws {
        let text = JWSForge().text()
        let inspection = try Self.inspection(text)
        #expect(inspection.isGenuine)
        #expect(inspection.failedStep == nil)
        #expect(inspection.digest == Digest.sha256(text))
        #expect(
            inspection.steps.map(\.name) == [
                .located, .algorithm, .certificates, .leafMarker, .chain, .intermediateMarker,
                .root, .time, .signature, .bundle, .version, .device,
            ])
        #expect(inspection.steps.prefix(9).allSatisfy { $0.result == .passed })
        #expect(inspection.steps.suffix(3).allSatisfy { $0.result == .notChecked })
        #expect(inspection.steps[7].detail == "valid at 2026-09-21T14:13:20Z")
    }

    @Test("A step that needs a failed one is not checked, and never passed")
    func dependentSteps() throws {
        let inspection = try Self.inspection(Self.forged)
        #expect(!inspection.isGenuine)
        #expect(inspection.failedStep?.name == .root)
        let others = inspection.steps.filter { [.time, .signature].contains($0.name) }
        #expect(others.map(\.result) == [.notChecked, .notChecked])
        #expect(inspection.certificates.isEmpty)
        let lists = JWSForge(x5c: "").text()
        let results = try Self.inspection(lists).steps[3...8].map(\.result)
        #expect(results.allSatisfy { $0 == .notChecked })
    }

    @Test("Its app and version are compared where it names them")
    func comparisons() throws {
        let text = JWSForge().text(.appTransaction)
        let right = try Self.inspection(text, bundle: "acme", version: "7")
        #expect(right.steps.suffix(3).map(\.result) == [.passed, .passed, .notChecked])
        let wrong = try Self.inspection(text, bundle: "acme.other", version: "8")
        #expect(wrong.failedStep?.name == .bundle)
        #expect(wrong.failedStep?.detail == "it is of acme, not acme.other")
        #expect(!wrong.isGenuine)
        let stored = try Self.inspection(text, storedFor: "acme.other")
        #expect(stored.failedStep?.name == .bundle)
    }

    @Test("A renewal info names no app: only a request for one says that it is not of that")
    func withoutApp() throws {
        let text = JWSForge().text(.renewal)
        #expect(try Self.inspection(text, storedFor: "acme").isGenuine)
        #expect(try Self.inspection(text, bundle: "acme").failedStep?.name == .bundle)
    }

    @Test("What is signed inside a notification must be genuine, too")
    func notification() throws {
        let whole = JWSForge().text(.notification(of: JWSForge().text()))
        let inspection = try Self.inspection(whole)
        #expect(inspection.isGenuine)
        #expect(inspection.bundle == "acme")
        #expect(inspection.contents.map(\.name) == ["signedTransactionInfo"])
        #expect(inspection.contents[0].inspection?.kind == .transaction)
        #expect(inspection.contents[0].inspection?.isGenuine == true)
        #expect(inspection.steps.first { $0.name == .contents }?.result == .passed)
        let forged = try Self.inspection(JWSForge().text(.notification(of: Self.forged)))
        #expect(forged.failedStep?.name == .contents)
        #expect(!forged.isGenuine)
        let other = try Self.inspection(JWSForge().text(.notification(of: Array("hello".utf8))))
        #expect(other.failedStep?.detail == "signedTransactionInfo: not a JWS")
    }

    @Test("The text says of which parts nothing is proven, and when each date is")
    func text() throws {
        let genuine = JWSText(try Self.inspection(JWSForge().text())).text
        #expect(genuine.contains("\nGenuine, as of its signing."))
        #expect(genuine.contains("\nTransaction\n  transactionId"))
        #expect(genuine.contains("1789136000000 (2026-09-11T14:13:20Z)"))
        let forged = JWSText(try Self.inspection(Self.forged)).text
        #expect(forged.contains("\nNot genuine: its certificates do not lead to a trusted root"))
        #expect(forged.contains("\nTransaction, not verified: proof of nothing\n"))
        #expect(!forged.contains("signed by Apple      passed"))
    }

    @Test("The text shows control characters escaped, and a JWS inside by its size")
    func shownFields() throws {
        let inner = JWSForge().text(.transaction.with("productId", #""a\u001b[2Jb""#))
        let text = JWSText(try Self.inspection(JWSForge().text(.notification(of: inner)))).text
        #expect(text.contains(#"a\u001b[2Jb"#))
        #expect(text.contains("data.signedTransactionInfo        a JWS of \(inner.count) bytes"))
        #expect(text.contains("\nsignedTransactionInfo, signed by itself\nlocated"))
    }

    @Test("The JSON has the verdict, the kind, and the value of each member with its type")
    func json() throws {
        let payload = PayloadJSON.transaction
            .with("price", "null").with("isUpgraded", "true").with("future", #"{"x": [null]}"#)
        let inspection = try Self.inspection(JWSForge().text(payload))
        let json = String(decoding: JWSJSON(inspection).bytes, as: UTF8.self)
        #expect(json.contains(#""genuine": true"#))
        #expect(json.contains(#""form": "jws""#))
        #expect(json.contains(#""kind": "transaction""#))
        #expect(json.contains(#""environment": "Production""#))
        #expect(json.contains(#""bundle_id": "acme""#))
        let fields = Dictionary(uniqueKeysWithValues: inspection.fields.map { ($0.name, $0) })
        #expect(fields["price"]?.encoding == .null)
        #expect(fields["isUpgraded"]?.encoding == .boolean)
        #expect(fields["future"]?.value == #"{"x": [null]}"#)
        #expect(fields["quantity"]?.encoding == .number)
        #expect(inspection.fields.first?.name == "transactionId")
    }
}
