import Foundation
import SQL
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

@Suite("A command", .timeLimit(.minutes(10)))
struct CommandTests {
    @Test("inspect ends with 0 for a genuine receipt, in a file or stored for its app, and else 1")
    func inspect() async throws {
        let own = ReceiptAuthority.shared.receipt(PayloadForge().encoded)
        let text = String(decoding: Base64.encode(own), as: UTF8.self)
        let store = SimulatedStore(
            seed: 1, customers: 100, firstNight: Moment(milliseconds: 1_795_140_000_000))
        let texts = store.receipts(of: 0..<20).map(\.data)
        let minted = try #require(texts.first { $0.hasPrefix("MII") && $0.count > 4_000 })
        let bytes = try #require(Base64.decode(Array(minted.utf8))).bytes
        try await NightScene.with { scene in
            try await scene.test.store(receipt: "r-1", of: "ann", data: .text(text))
            for (name, bytes) in [
                ("own", Array(text.utf8)), ("own.cer", ReceiptAuthority.shared.root.der),
                ("minted", Array(minted.utf8)), ("minted.cer", ThrowAwayAuthority.rootCertificate),
                ("cut", Array(bytes.dropLast())), ("forged", bytes.dropLast() + [bytes.last! ^ 1]),
            ] { try Data(bytes).write(to: URL(fileURLWithPath: scene.folder.path + "/" + name)) }
            let own = "inspect own --roots=roots --bundle=acme"
            // The simulator's receipts are genuine under its own root alone.
            try await scene.steps(
                #"""
                mkdir roots; job inspect own --roots=roots | 78 | $ in PEM or DER.
                printf hello > roots/root.cer | 0
                job inspect own --roots=roots | 78 | root.cer holds no readable certificate.
                cp minted.cer roots/root.cer | 0
                job inspect minted --roots=roots | 0
                job inspect minted | 1 | not genuine: step
                job inspect cut --roots=roots | 65
                job inspect forged --roots=roots | 1 | : step signature failed.
                cp own.cer roots/root.cer | 0
                job \#(own) | 0 | The receipt is genuine. | > bundle           passed
                job \#(own).other | 1 | not genuine: step bundle failed. | ! bundle           passed
                job \#(own).other --output json | 1 | ~ "failed_step": ?"bundle" \#
                    | ~ "steps": ?\[([^{\]]*\{[^}]*\}){5}\s*\]
                job \#(own) --output none | 0 | ~ ^$
                job inspect --roots=roots --receipt=r-1 | 0 | The receipt is genuine.
                job inspect --roots=roots --receipt=r-1 --bundle=other | 1 | step bundle failed.
                job inspect --roots=roots --receipt=r-2 | 66 | The nearest: r-1.
                job inspect --roots=roots --receipt=r-1 --receipt=r-2 | 64 | inspect
                job inspect --roots=roots --receipt=r-1 receipt.txt | 64 | inspect
                job inspect --roots=roots | 64 | `inspect` needs either
                """#)
        }
    }

    @Test("migrate --roles prints SQL or applies it if it may; simulate fills no foreign schema")
    func roles() async throws {
        try await NightScene.with { scene in
            _ = try scene.folder.write(SQL.roles.text, to: "roles.sql")
            let apply = "job migrate --roles=apply"
            let mayUse =
                "select has_schema_privilege('reconcile_job', 'reconcile', 'usage')::text | "
            let refusal = "77 | $ the SQL of reconcile-job migrate --roles print."
            let load = "job simulate --customers=1 --load \(scene.test.url)"
            try await scene.steps(
                """
                "$0" migrate --roles print --database 'host=127.0.0.1 port=1' > printed | 0 \
                    | 2> No database was changed. Run the SQL on stdout
                cmp printed roles.sql | 0
                drop schema reconcile, team cascade
                \(apply) | 0 | ~ ^$ | $ grant reconcile_job to the account that runs the job.
                job migrate | 0 | ~ ^$
                \(apply) | 0 | ~ ^$ | $ grant reconcile_job to the account that runs the job.
                \(apply) | 0 | ~ ^$ | $ grant reconcile_job to the account that runs the job.
                \(mayUse)true
                select has_table_privilege('reconcile_job', 'reconcile.run', 'insert')::text | true
                drop owned by reconcile_job
                create role $ROLE login
                \(apply) --database $LOGIN | \(refusal) | Cannot set up role reconcile_job: \
                permission denied for schema reconcile. Nothing was
                \(mayUse)false
                grant usage, create on schema reconcile to $ROLE
                \(apply) --database $LOGIN | \(refusal) \
                    | no privilege to grant usage on schema reconcile. Nothing was
                \(mayUse)false
                grant usage, create on schema reconcile to $ROLE with grant option
                grant select on all tables in schema reconcile to $ROLE
                \(apply) --database $LOGIN | \(refusal) \
                    | no privilege to grant on reconcile.acceptance. Nothing was
                \(mayUse)false
                drop owned by $ROLE
                drop role $ROLE
                \(load) | 78 | migrate --with-reference-app | ~ ^$
                create schema app
                create table app.receipts as select 1 as id
                \(load) | 65 | schema app is not the reference service | Use a separate database \
                    | ~ ^$
                select id::text from app.receipts | 1
                """)
        }
    }

    @Test("A run against a simulator with faults has the same findings as one without faults")
    func faults() async throws {
        var findings: [String] = []
        for faults in [
            "0", "10%",
            // Fewer than half of the answers fail and few are refusals: neither an outage nor wrong
            // refusals.
            "429-ms:sandbox:30%,html:first=1:10%,21003:first=1:2%,cut-gzip:first=2:5%,reset:5%",
        ] {
            try await NightScene.with { scene in
                let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }
                _ = try scene.folder.write(secrets.joined(), to: "s")
                try await scene.steps(
                    "drop schema reconcile, team cascade\njob migrate --with-reference-app | 0")
                let apple = try SimulatorProcess([
                    "--customers=200", "--as-of", AppleAnswer.asOf, "--faults", faults, "--load",
                    scene.test.url,
                ])
                let job = try await scene.steps(
                    #"""
                    run --guards=on --shared-secrets=s --rate=10000 --in-flight=32 --output=none \#
                    --production-url=\#(apple.production) --sandbox-url=\#(apple.sandbox) \#
                    --max-attempts=12 --max-unverified=0 | 0
                    cd reports/latest; sed -E 's/"(run_id|first_seen)":"[^"]*"//g' \#
                    expirations.json refunds.json mismatches.json receipts.json unverified.json \#
                        | 0 | > refunded_still_granted | > receipt_from_xcode
                    """#)
                findings.append(job.output)
            }
        }
        #expect(findings[1] == findings[0] && findings[2] == findings[0])
    }
}
