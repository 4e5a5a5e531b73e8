import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Problems with the database", .timeLimit(.minutes(10)))
struct DatabaseTroubleTests {
    @Test("A missing password is reported with where it is looked for")
    func noPassword() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.test.execute(
                """
                do $$ begin create role needs_password nologin;
                exception when duplicate_object or unique_violation then null; end $$;
                grant needs_password to \(scene.test.name);
                """)
            let job = try await RunningJob(
                scene.arguments([]), environment: ["PGPASSFILE": "/nowhere/pgpass"]
            ).end()
            #expect(job.status == 77)
            #expect(job.lastLine.contains("no password supplied"))
            #expect(
                job.lastLine.hasSuffix(
                    "Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE"
                        + " names."), "\(job.lastLine)")
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var user = "who"
        var bundle = "bundle"
        let says: String
    }

    @Test(
        "A view whose query fails is named with PostgreSQL's message and no value",
        arguments: [
            Broken(
                testDescription: "a division by zero among users",
                user: "case when 1 / (length(id) - 1) > 0 then who end",
                says: "SQLSTATE 22012: division by zero"),
            Broken(
                testDescription: "a number that is none among bundles",
                bundle: "case when bundle::int > 0 then bundle end",
                says: "SQLSTATE 22P02: invalid input syntax for type integer: ‹…›"),
            Broken(
                testDescription: "two rows where one is meant",
                bundle: "(select bundle from generate_series(1, 1 + length(id)))",
                says: "SQLSTATE 21000: more than one row returned by a subquery"),
        ])
    func brokenView(broken: Broken) async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.test.store(receipt: "r", of: "ann", bundle: "hunter2")
            try await scene.test.execute(
                """
                create or replace view reconcile.stored_receipts as
                select id as receipt_id, \(broken.user) as user_id, \(broken.bundle) as bundle_id,
                    data as receipt_data, at as stored_at from team.receipts
                """)
            let job = try await scene.run()
            #expect(job.status == 65, "\(job.error)")
            #expect(job.lastLine.contains("reconcile.stored_receipts"), "\(job.lastLine)")
            #expect(job.lastLine.contains(broken.says), "\(job.lastLine)")
            #expect(
                job.lastLine.hasSuffix("Correct the views in schema reconcile, then run again."))
            #expect(!job.error.contains("hunter2"))
            #expect(scene.published == [])
        }
    }

    @Test("A role that is set to read only is named as the cause, and not the server")
    func readOnly() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.test.store(receipt: "r", of: "ann")
            try await scene.test.execute(
                "alter role \(scene.test.name) set default_transaction_read_only = on")
            let job = try await scene.run()
            #expect(job.status == 69)
            #expect(job.lastLine.contains("The session is read only"), "\(job.lastLine)")
            #expect(job.lastLine.hasSuffix("set default_transaction_read_only = off."))
        }
    }

    @Test("A command that must own its objects names the owner to ask for")
    func notTheOwner() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute("create role \(test.name) login")
            let login = test.url(user: test.name)
            let migrate = try await RunningJob(["migrate", "--database", login]).end()
            #expect(migrate.status == 77)
            #expect(migrate.lastLine.hasSuffix("Connect as the owner of the database."))

            let made = try await RunningJob(
                ["migrate", "--with-reference-app", "--database", test.url]
            ).end()
            #expect(made.status == 0, "\(made.error)")
            try await test.execute(
                """
                grant usage on schema reconcile, app to \(test.name);
                grant select on all tables in schema app to \(test.name)
                """)
            let load = try await RunningJob(["simulate", "--customers=1", "--load", login]).end()
            #expect(load.status == 77 && load.output.isEmpty, "\(load.error)")
            #expect(load.lastLine.hasSuffix("Connect as the owner of schema app."))
            for job in [migrate, load] { #expect(!job.error.contains("--roles")) }
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }
}
