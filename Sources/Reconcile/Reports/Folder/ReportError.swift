internal import Glibc

/// Why reports could not be published or removed. Nothing is visible under the final name, except
/// after `contentMismatch` or where `standing` is set.
package struct ReportError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// The folder or a file in it cannot be created. The number is `errno`.
        case cannotCreate(Int32)
        /// Group or others may write in the reports folder.
        case writableByOthers(mode: UInt32)
        /// The reports folder belongs to the account with this number, neither this one nor root,
        /// and this one is not root.
        case ownedByAnother(UInt32)
        /// The path leads to another folder than when the command opened it, or to none: the
        /// folder was moved.
        case replaced
        /// The folder was removed after the command opened it.
        case removed
        /// The file system has no symbolic links, or does not rename one over another. The number
        /// is `errno`.
        case noLinks(Int32)
        /// The group of `--reports-group` does not exist on this machine; `path` holds its name.
        case unknownGroup
        /// An old folder stays, for this reason.
        case cannotRemove(String)
        /// This process may not change the folder's group to this one.
        case cannotGive(group: String)
        /// Root may not give what it makes to the account with this number, who owns the folder.
        case cannotGiveToOwner(UInt32)
        /// A write or fsync failed: the disk is full or broken. The number is `errno`.
        case writeFailed(Int32)
        case occupied
        /// A table's row count differs from the summary's, or a control does not balance.
        case doesNotTie(String)
        /// A report that was written again differs from the one that this release published.
        case otherBytes(release: String)
        /// The published folder differs from what was written; gives the first difference.
        case contentMismatch(String)
    }

    package let reason: Reason
    let path: String
    /// Path of the reports folder, if it already has its final name.
    var standing: String?

    init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    static func text(of code: Int32) -> String { String(cString: strerror(code)) }

    /// The error for the `errno` of creating, renaming or removing something at `path`.
    static func making(_ path: String, _ code: Int32) -> ReportError {
        let isDisk = [EIO, ENOSPC, EDQUOT].contains(code)
        return ReportError(isDisk ? .writeFailed(code) : .cannotCreate(code), path: path)
    }

    /// Whether an `errno` of a link or rename is about the file system, not about a disk or limit.
    static func isFileSystem(_ code: Int32) -> Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EEXIST, EINVAL].contains(code)
    }

    package static func isShortage(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM].contains(code)
    }
}

extension ReportError: CustomStringConvertible {
    /// Says nothing of what the command had done by then, nor of what it should do next: that
    /// differs.
    package var description: String {
        let state = standing.map { " The folder \($0) is published nevertheless." } ?? ""
        return "\(what)\(state) \(remedy)"
    }

    /// Whether the run's reports are under their final name, although not as they should be.
    package var isVisible: Bool {
        if case .contentMismatch = reason { return true }
        return standing != nil
    }

    private var what: String {
        switch reason {
        case .cannotCreate(let code): "Cannot write reports at \(path): \(Self.text(of: code))."
        case .writableByOthers(let mode):
            "Other accounts may write in \(path) (mode 0\(String(mode, radix: 8))): they could"
                + " replace reports."
        case .ownedByAnother(let account):
            "\(path) belongs to user \(AccountName.of(account)), who could replace reports."
        case .replaced:
            "\(path) no longer leads to the folder that was checked at the start: that one was"
                + " moved, and what is there now is left alone."
        case .removed: "\(path) was removed while it was in use."
        case .noLinks(let code):
            "The file system of \(path) does not make symbolic links and rename them over each"
                + " other (\(Self.text(of: code))), as `latest` needs."
        case .unknownGroup:
            "--reports-group: there is no group \(path.debugDescription) on this machine."
        case .cannotRemove(let why): "Cannot remove \(path): \(why)."
        case .cannotGive(let group):
            "Cannot give \(path) to group \(group.debugDescription): this user is not in it, or"
                + " does not own the folder."
        case .cannotGiveToOwner(let account):
            "Cannot give \(path) to user \(AccountName.of(account)), who owns the folder that it"
                + " is in and could not read it."
        case .writeFailed(let code): "Writing \(path) failed: \(Self.text(of: code))."
        case .occupied:
            "\(path) is in the way: this job did not make it, or somebody has changed it."
        case .doesNotTie(let detail): "The reports at \(path) do not tie out: \(detail)."
        case .otherBytes:
            "The run's rows no longer produce the published bytes: another release wrote them, or"
                + " rows were removed. Nothing was written."
        case .contentMismatch(let difference):
            "The reports at \(path) differ from what was written: \(difference)."
        }
    }

    private var remedy: String {
        switch reason {
        case .cannotCreate(let code): Self.remedy(code)
        case .writableByOthers:
            "Run `chmod g-w,o-w` on it, or give a folder in it with --reports; --reports-group lets"
                + " a group read."
        case .ownedByAnother(let account):
            "Run this as user \(AccountName.of(account)), or give another folder with --reports."
        case .replaced: "Put it back."
        case .removed:
            "Make it again, unless there is one: reconcile-job report writes the folder of an"
                + " earlier run again."
        case .noLinks: "Give a folder on another file system with --reports."
        case .unknownGroup: "Create it (groupadd), or give another one."
        case .cannotRemove: "Correct that, or remove the folder by hand."
        case .cannotGive:
            "Add the user to the group (usermod -aG), or run `chgrp` on the folder as root."
        case .cannotGiveToOwner(let account): "Run this as user \(AccountName.of(account))."
        case .writeFailed: "Free space or repair the disk."
        case .occupied: "Move it away."
        case .doesNotTie: "This is a bug in the job; please report it with this line."
        case .otherBytes(let release):
            "If this is not release \(release), which published the run, use that one; else restore"
                + " the folder from a backup."
        case .contentMismatch:
            "Check the disk, and move the folder away if it is still there."
        }
    }

    private static func remedy(_ code: Int32) -> String {
        switch code {
        case _ where isShortage(code):
            "Raise the limits of this process (ulimit -n, LimitNOFILE)."
        case ENOENT: "Give the right --reports, or make the missing folder (mkdir -p)."
        case ENOTDIR, ELOOP, ENAMETOOLONG: "Give a folder with --reports."
        case EROFS: "Mount it for writing, or give another folder with --reports."
        default: "Make the folder writable for this user, or give another one with --reports."
        }
    }
}
