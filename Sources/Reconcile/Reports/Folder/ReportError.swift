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
        /// The path leads to another folder than when the command opened it.
        case replaced
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
        /// A report that was written again differs from the published one.
        case otherBytes
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
    package var description: String {
        if let standing { return words(standing) }
        return switch reason {
        case .cannotCreate(let code): words(cannotCreate: code)
        case .writableByOthers(let mode): words(mode: mode)
        case .ownedByAnother(let account): words(owner: account)
        case .replaced:
            "\(path) is not the folder that was checked at the start, and is left alone: that one"
                + " was moved or replaced meanwhile. Put it back, then run again."
        case .noLinks(let code):
            "The file system of \(path) does not make symbolic links and rename them over each"
                + " other (\(Self.text(of: code))), as `latest` needs. Give a folder on another"
                + " file system with --reports."
        case .unknownGroup:
            "--reports-group: there is no group \(path.debugDescription) on this machine. Create it"
                + " (groupadd), or give another one."
        case .cannotRemove(let why):
            "Cannot remove \(path): \(why). Correct that, or remove the folder by hand."
        case .cannotGive(let group):
            "Cannot give \(path) to group \(group.debugDescription): this user is not in it, or"
                + " does not own the folder. Add the user to the group (usermod -aG), or run"
                + " `chgrp` on the folder as root, then run again."
        case .cannotGiveToOwner(let account):
            "Cannot give \(path) to user \(AccountName.of(account)), who owns the folder that it is"
                + " in and could not read it. Run this as user \(AccountName.of(account))."
        case .writeFailed(let code):
            "Writing \(path) failed: \(Self.text(of: code)). Nothing was published. "
                + "Free space or repair the disk, then run again."
        case .occupied:
            "\(path) already exists and was not created by this job. Nothing was published. "
                + "Move it away, then run again."
        case .doesNotTie(let detail):
            "The reports at \(path) do not tie out: \(detail). Nothing was published. "
                + "This is a bug in the job; please report it with this line."
        case .otherBytes:
            "The run's rows no longer produce the published bytes: another release wrote"
                + " them, or rows were removed. Nothing was written. Use the release named in"
                + " manifest.json."
        case .contentMismatch(let difference):
            "The reports at \(path) differ from what was written: \(difference). `latest` was not "
                + "updated. Check the disk, move the folder away, then run again."
        }
    }

    private func words(cannotCreate code: Int32) -> String {
        "Cannot write reports at \(path): \(Self.text(of: code)). "
            + (Self.isShortage(code)
                ? "Raise the limits of this process (ulimit -n, LimitNOFILE), then run again."
                : "Make the folder writable for this user, or give another one with --reports.")
    }

    private func words(mode: UInt32) -> String {
        "Other accounts may write in \(path) (mode 0\(String(mode, radix: 8))): they could replace"
            + " reports. Run `chmod g-w,o-w` on it, or give a folder in it with --reports;"
            + " --reports-group lets a group read."
    }

    private func words(owner account: UInt32) -> String {
        "\(path) belongs to user \(AccountName.of(account)), who could replace reports. Run this as"
            + " user \(AccountName.of(account)), or give another folder with --reports."
    }

    private func words(_ standing: String) -> String {
        let what =
            switch reason {
            case .cannotCreate(let code), .writeFailed(let code):
                "\(path): \(Self.text(of: code))."
            case .writableByOthers: "other accounts may write in \(path)."
            case .cannotGiveToOwner: "\(path) cannot be given to the folder's owner."
            case .ownedByAnother: "another account owns \(path)."
            case .replaced: "\(path) was moved or replaced."
            case .noLinks(let code): "\(path) has no links: \(Self.text(of: code))."
            case .unknownGroup: "there is no group \(path.debugDescription)."
            case .cannotRemove(let why): "\(path) cannot be removed: \(why)."
            case .cannotGive(let group): "\(path) cannot be given to \(group.debugDescription)."
            case .otherBytes: "\(path) would differ from what was published."
            case .occupied: "\(path) already exists and was not created by this job."
            case .doesNotTie(let detail), .contentMismatch(let detail): "\(path): \(detail)."
            }
        return "\(what) The folder \(standing) is published, but `latest` may not point to it yet."
            + " Fix the cause, then run again: no request is sent again."
    }
}
