import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a `Row` with the reason and the whole message.
@Suite("The message about a reports folder")
struct ReportErrorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let reason: ReportError.Reason
        let text: String

        var testDescription: String { text }

        init(_ reason: ReportError.Reason, _ text: String) {
            self.reason = reason
            self.text = text
        }
    }

    /// Each command says itself what it had done by then.
    @Test(
        "It says what is so, whichever command met it, and what to do",
        arguments: [
            Row(
                .cannotCreate(ENOENT),
                """
                Cannot write reports at /r: No such file or directory. Give the right --reports, \
                or make the missing folder (mkdir -p).
                """),
            Row(
                .cannotCreate(ENOTDIR),
                "Cannot write reports at /r: Not a directory. Give a folder with --reports."),
            Row(
                .cannotCreate(EACCES),
                """
                Cannot write reports at /r: Permission denied. Make the folder writable for this \
                user, or give another one with --reports.
                """),
            Row(
                .cannotCreate(EROFS),
                """
                Cannot write reports at /r: Read-only file system. Mount it for writing, or give \
                another folder with --reports.
                """),
            Row(
                .cannotCreate(EMFILE),
                """
                Cannot write reports at /r: Too many open files. Raise the limits of this process \
                (ulimit -n, LimitNOFILE).
                """),
            Row(
                .writeFailed(ENOSPC),
                """
                Writing /r failed: No space left on device. Free space or repair the disk.
                """),
            Row(
                .occupied,
                """
                /r is in the way: this job did not make it, or somebody has changed it. Move it \
                away.
                """),
            Row(
                .replaced,
                """
                /r no longer leads to the folder that was checked at the start: that one was \
                moved, and what is there now is left alone. Put it back.
                """),
            Row(
                .cannotGive(group: "finance"),
                """
                Cannot give /r to group "finance": this user is not in it, or does not own the \
                folder. Add the user to the group (usermod -aG), or run `chgrp` on the folder as \
                root.
                """),
            Row(
                .doesNotTie("1 row"),
                """
                The reports at /r do not tie out: 1 row. This is a bug in the job; please report \
                it with this line.
                """),
            Row(
                .contentMismatch("refunds.csv is missing"),
                """
                The reports at /r differ from what was written: refunds.csv is missing. Check the \
                disk, and move the folder away if it is still there.
                """),
        ])
    func text(row: Row) {
        #expect(ReportError(row.reason, path: "/r").description == row.text)
    }

    @Test("A folder that was removed in use is not to be put back")
    func removed() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/reports"
        let reports = try ReportFolder.check(path)
        try temporary.folder().remove("reports")
        let error = #expect(throws: ReportError.self) { try reports.locked {} }
        #expect(
            error?.description == """
                \(path) was removed while it was in use. Make it again, unless there is one: \
                reconcile-job report writes the folder of an earlier run again.
                """)
    }

    @Test("A folder that was moved in use is to be put back, also if nothing has its name")
    func moved() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/reports"
        let reports = try ReportFolder.check(path)
        try temporary.folder().move("reports", to: "taken")
        let error = #expect(throws: ReportError.self) { try reports.locked {} }
        #expect(error == ReportError(.replaced, path: path))
    }

    @Test("Sums that do not add up say nothing of publishing: `report` meets them, too")
    func unsummable() {
        #expect(
            MoneyTally.Unsummable(what: "1 of it").description == """
                The money does not add up: 1 of it. This is a defect of the job: report it with \
                this line.
                """)
    }
}
