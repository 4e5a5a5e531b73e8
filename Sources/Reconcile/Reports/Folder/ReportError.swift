internal import Glibc

/// Why reports could not be published. Nothing is visible under a final name then, unless it is a
/// `contentMismatch`.
package struct ReportError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// The folder or a file in it cannot be made. The number is `errno`.
        case cannotCreate(Int32)
        /// The group of `--reports-group` is not known to this machine; the path is its name.
        case unknownGroup
        /// This process may not give the folder to that group.
        case cannotGive(group: String)
        /// A write or a sync failed: a full or a broken disk. The number is `errno`.
        case writeFailed(Int32)
        /// Something else stands where the reports must go.
        case occupied
        /// A table has not as many rows as the summary counts, or a control does not balance.
        case doesNotTie(String)
        /// Written again, the files are not those that were published.
        case otherBytes
        /// The folder under its final name does not hold what was written: the first difference.
        case contentMismatch(String)
    }

    package let reason: Reason
    /// The path of the file or folder in question.
    package let path: String
    /// The folder of the reports has its final name already: this one.
    var standing: String?

    package init(_ reason: Reason, path: String) {
        (self.reason, self.path) = (reason, path)
    }

    /// What the system calls an `errno`.
    static func text(of code: Int32) -> String { String(cString: strerror(code)) }

    /// `code` from making, renaming or removing something at `path`: a disk that is full or
    /// broken is that also when only a name was to be written.
    static func making(_ path: String, _ code: Int32) -> ReportError {
        let isDisk = [EIO, ENOSPC, EDQUOT].contains(code)
        return ReportError(isDisk ? .writeFailed(code) : .cannotCreate(code), path: path)
    }

    /// Whether this machine has no descriptor or memory left.
    package static func isShortage(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM].contains(code)
    }
}

extension ReportError: CustomStringConvertible {
    package var description: String {
        if let standing { return words(standing) }
        return switch reason {
        case .cannotCreate(let code) where Self.isShortage(code):
            "Cannot write reports at \(path): \(Self.text(of: code)). Raise the limits of this"
                + " process (ulimit -n, LimitNOFILE), then run again."
        case .cannotCreate(let code):
            "Cannot write reports at \(path): \(Self.text(of: code)). "
                + "Make it a folder that this user may write, or name another with --reports."
        case .unknownGroup:
            "--reports-group: this machine knows no group \(path.debugDescription). Make it"
                + " (groupadd), or name another."
        case .cannotGive(let group):
            "Cannot give \(path) to group \(group.debugDescription): this user is not in it, or"
                + " does not own the folder. Add the user to the group (usermod -aG), or run"
                + " `chgrp` on the folder as root, then run again."
        case .writeFailed(let code):
            "Writing \(path) failed: \(Self.text(of: code)). Nothing was published. "
                + "Free or mend the disk, then run again."
        case .occupied:
            "\(path) is there already and is not ours to replace. Nothing was published over it. "
                + "Move it away, then run again."
        case .doesNotTie(let detail):
            "The reports at \(path) do not tie out: \(detail). Nothing was published. "
                + "This is a defect of the job; please report it with this line."
        case .otherBytes:
            "The run's rows no longer give the bytes that were published: another release wrote"
                + " them, or rows were removed. Nothing was written. Use the release that"
                + " manifest.json names."
        case .contentMismatch(let difference):
            "The reports at \(path) are not what was written: \(difference). `latest` was not "
                + "moved there. Check the disk, move the folder away, then run again."
        }
    }

    private func words(_ standing: String) -> String {
        let what =
            switch reason {
            case .cannotCreate(let code), .writeFailed(let code):
                "\(path): \(Self.text(of: code))."
            case .unknownGroup: "there is no group \(path.debugDescription)."
            case .cannotGive(let group): "\(path) cannot be given to \(group.debugDescription)."
            case .otherBytes: "\(path) would have other bytes than were published."
            case .occupied: "\(path) is there already and is not ours to replace."
            case .doesNotTie(let detail), .contentMismatch(let detail): "\(path): \(detail)."
            }
        return "\(what) The folder \(standing) stands, and `latest` may not lead there yet."
            + " Correct the cause, then run again: nothing is asked again."
    }
}
