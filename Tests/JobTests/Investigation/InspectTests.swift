import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: write a file into a session, inspect it, and expect the exit status and the text.
@Suite("inspect", .hangLimit)
struct InspectTests {
    @Test("inspect ends with 0 for a genuine receipt, in a file or stored for its app, and else 1")
    func inspect() async throws {
        let own = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(own), as: UTF8.self)
        try await Session.with { session in
            try await session.test.store(receipt: "r-1", of: "ann", data: .text(text))
            try session.write(text, to: "own")
            try session.folder.write(Array(own.dropLast()), to: "cut")
            try session.folder.write(own.dropLast() + [own.last! ^ 1], to: "forged")

            try session.makeFolder("roots")
            try await session.job("inspect", "own", "--roots=roots").exits(78)
                .advises("in PEM or DER.")
            try session.write("hello", to: "roots/root.cer")
            try await session.job("inspect", "own", "--roots=roots").exits(78)
                .says("root.cer holds no readable certificate.")
            try session.folder.write(ReceiptAuthority.shared.root.der, to: "roots/root.cer")

            try await session.job("inspect", "own").exits(1).says("not genuine: step")
            try await session.job("inspect", "cut", "--roots=roots").exits(65)
            try await session.job("inspect", "forged", "--roots=roots").exits(1)
                .says(": step signature failed.")
            let command = ["inspect", "own", "--roots=roots"]
            try await session.job(command + ["--bundle=acme"]).exits(0)
                .says("The receipt is genuine.").prints("bundle           passed")
            try await session.job(command + ["--bundle=acme.other"]).exits(1)
                .says("not genuine: step bundle failed.").omits("bundle           passed")
            let json = try await session.job(command + ["--bundle=acme.other", "--output", "json"])
                .exits(1).json()
            #expect(json["failed_step"] == "bundle")
            #expect(json["steps"].items.count == 5)
            try await session.job(command + ["--bundle=acme", "--output", "none"]).exits(0)
                .printsNothing()
        }
    }

    @Test("inspect --receipt inspects a stored receipt, and takes no file")
    func stored() async throws {
        let own = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(own), as: UTF8.self)
        try await Session.with { session in
            try await session.test.store(receipt: "r-1", of: "ann", data: .text(text))
            try session.makeFolder("roots")
            try session.folder.write(ReceiptAuthority.shared.root.der, to: "roots/root.cer")
            let command = ["inspect", "--roots=roots"]
            try await session.job(command + ["--receipt=r-1"]).exits(0)
                .says("The receipt is genuine.")
            try await session.job(command + ["--receipt=r-1", "--bundle=other"]).exits(1)
                .says("step bundle failed.")
            try await session.job(command + ["--receipt=r-2"]).exits(66)
                .says("The nearest: r-1.")
            try await session.job(command + ["--receipt=r-1", "--receipt=r-2"]).exits(64)
                .says("inspect")
            try await session.job(command + ["--receipt=r-1", "receipt.txt"]).exits(64)
                .says("inspect")
        }
    }

    @Test("inspect judges a JWS in a file, or stored for its app, as it judges a receipt")
    func signedTransaction() async throws {
        let genuine = JWSForge().text()
        let forged = JWSForge(certificates: JWSAuthority.other.certificates).text()
        let stored = String(decoding: genuine, as: UTF8.self)
        try await Session.with { session in
            try await session.test.store(receipt: "r-1", of: "ann", data: .text(stored))
            try session.folder.write(genuine, to: "own")
            try session.folder.write(forged, to: "forged")
            try session.folder.write(Array(genuine.prefix(2_000)), to: "cut")
            try session.makeFolder("roots")
            try session.folder.write(JWSAuthority.shared.root.der, to: "roots/root.der")

            let command = ["inspect", "own", "--roots=roots"]
            try await session.job(command + ["--bundle=acme"]).exits(0)
                .says("The JWS is genuine.").prints("bundle               passed")
            let json = try await session.job(command + ["--bundle=acme", "--output", "json"])
                .exits(0).json()
            #expect(json["kind"] == "transaction")
            try await session.job(command + ["--bundle=acme.other"]).exits(1)
                .says("not genuine: step bundle failed.")
            try await session.job("inspect", "own").exits(1)
                .says("The JWS is not genuine: step root failed.")
            try await session.job("inspect", "forged", "--roots=roots").exits(1)
                .says(": step root failed.").prints("not verified: proof of nothing")
            try await session.job("inspect", "cut", "--roots=roots").exits(65)
            try await session.job("inspect", "--roots=roots", "--receipt=r-1").exits(0)
                .says("The JWS is genuine.")
        }
    }
}
