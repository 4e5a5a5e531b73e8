import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

@Suite("The command inspect")
struct InspectTests {
    private let folder: TemporaryFolder
    private let roots: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        roots = try TemporaryFolder()
    }

    private func trust(_ certificate: [UInt8]) throws {
        try Data(certificate).write(to: URL(fileURLWithPath: roots.path + "/root.cer"))
    }

    private func inspect(_ receipt: [UInt8], _ flags: String...) throws -> JobProcess {
        let file = folder.path + "/receipt"
        try Data(receipt).write(to: URL(fileURLWithPath: file))
        return try JobProcess(["inspect", file, "--roots", roots.path] + flags)
    }

    @Test("inspect ends with 0 for a genuine receipt, and else with 1 and the failed step")
    func statuses() throws {
        try trust(ReceiptAuthority.shared.root.der)
        let receipt = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let genuine = try inspect(receipt, "--bundle", "acme")
        #expect(genuine.status == 0)
        #expect(genuine.output.contains("bundle           passed"))
        #expect(genuine.lastLine.contains("The receipt is genuine."))
        let other = try inspect(receipt, "--bundle", "acme.other", "--output", "json")
        #expect(other.status == 1)
        #expect(other.lastLine.contains("not genuine: step bundle failed. "))
        let json = try JSONSerialization.jsonObject(with: Data(other.output.utf8))
        let document = try #require(json as? [String: Any])
        #expect(document["failed_step"] as? String == "bundle")
        #expect((document["steps"] as? [[String: String]])?.count == 5)
        let silent = try inspect(receipt, "--output", "none")
        #expect(silent.status == 0 && silent.output.isEmpty)
    }

    @Test("inspect reads a stored receipt by its id, and checks the app that it is stored for")
    func stored() async throws {
        try trust(ReceiptAuthority.shared.root.der)
        let bytes = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
        try await TestDatabase.with(.views) { test in
            try await test.store(receipt: "r-1", of: "ann", data: .text(text))
            func inspect(_ flags: String...) throws -> JobProcess {
                try JobProcess(
                    ["inspect", "--database=\(test.url)", "--roots=\(roots.path)"] + flags)
            }
            let genuine = try inspect("--receipt=r-1")
            #expect(genuine.status == 0, "\(genuine.error)")
            #expect(genuine.output.contains("bundle           passed"))
            #expect(try inspect("--receipt=r-1", "--bundle=other").status == 1)
            let unknown = try inspect("--receipt=r-2")
            #expect(unknown.status == 66)
            #expect(unknown.lastLine.contains("The nearest: r-1."))
            #expect(try inspect("--receipt=r-1", "--receipt=r-2").status == 64)
            #expect(try inspect("--receipt=r-1", "receipt.txt").status == 64)
            #expect(try inspect().status == 64)
        }
    }

    @Test("inspect accepts the simulator's receipts under its root, and refuses changed ones")
    func minted() throws {
        try trust(ThrowAwayAuthority.rootCertificate)
        let store = SimulatedStore(
            seed: 1, customers: 100, firstNight: Moment(milliseconds: 1_795_140_000_000))
        let text = try #require(
            store.receipts(of: 0..<20).map(\.data).first { $0.hasPrefix("MII") && $0.count > 4_000 }
        )
        #expect(try inspect(Array(text.utf8)).status == 0)
        let bytes = try #require(Base64.decode(Array(text.utf8))).bytes
        let signed = try SignedData(bytes)
        let signature = try #require(try signed.signers().first).signature
        let certificate = try #require(try signed.certificates().first)
        for place in [
            signed.content.startIndex + 40, signature.startIndex, certificate.startIndex + 200,
        ] {
            var forged = bytes
            forged[place] ^= 1
            let process = try inspect(forged)
            #expect(process.status == 1)
            #expect(process.lastLine.contains(": step signature failed. "))
        }
        #expect(try inspect(Array(bytes.dropLast())).status == 65)
        let underApple = try JobProcess(["inspect", folder.path + "/receipt"])
        #expect(underApple.status == 65)
    }

    @Test("inspect says what is wrong with its input files and what to do")
    func files() throws {
        let none = try JobProcess(["inspect", folder.path + "/none"])
        #expect(none.status == 74)
        #expect(none.lastLine.hasSuffix("Check the path and its permissions."))
        let empty = try JobProcess(["inspect", "-"])
        #expect(empty.status == 65)
        #expect(empty.lastLine.hasSuffix("Ask the app to send its receipt again."))
        let noRoots = try inspect([0x30])
        #expect(noRoots.status == 78)
        #expect(noRoots.lastLine.hasSuffix("in PEM or DER."))
        try trust(Array("hello".utf8))
        let badRoots = try inspect([0x30])
        #expect(badRoots.status == 78)
        #expect(badRoots.lastLine.contains("root.cer holds no readable certificate."))
        let noFolder = try JobProcess(["inspect", "-", "--roots", folder.path + "/none"])
        #expect(noFolder.status == 78)
        #expect(noFolder.lastLine.hasSuffix("Give a folder of certificates."))
    }
}
