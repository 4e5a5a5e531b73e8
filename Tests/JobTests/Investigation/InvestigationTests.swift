import Testing

@testable import TestSupport

@Suite("A session of an operator", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test(
        "Each command ends and shows what an operator, a cron job or an investigator needs",
        arguments: databaseSessions + fileSessions + roleSessions)
    func night(session: TextSession) async throws {
        try await Session.with { try await $0.steps(session.steps) }
    }
}
