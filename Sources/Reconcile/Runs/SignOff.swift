/// One person's word on the bytes of a published folder, by the digest of its manifest.
package struct SignOff: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable { case preparer, reviewer }

    let folder: SignedFolder
    /// SHA-256 of `manifest.json`, in hexadecimal.
    package let manifestSHA256: String
    package let role: Role
    package let by: String
    package let note: String
    /// A whole second, as printed: so what is read of a file equals what the database has.
    package let at: Instant

    package init(
        _ folder: SignedFolder, manifestSHA256: String, as role: Role, by: String, note: String,
        at: Instant
    ) {
        self.folder = folder
        self.manifestSHA256 = manifestSHA256
        self.role = role
        self.by = by
        self.note = note
        self.at = at.wholeSecond
    }

    /// Whether two names are one person's: case and blanks do not make another one.
    package static func isSamePerson(_ one: String, _ other: String) -> Bool {
        person(one) == person(other)
    }

    /// Whether a name says anything.
    package static func isPerson(_ name: String) -> Bool { !person(name).isEmpty }

    private static func person(_ name: String) -> String {
        String(name.lowercased().filter { !$0.isWhitespace && !$0.isInvisible })
    }
}

/// A folder that may be signed.
package struct SignedFolder: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case run, period
        case tieOut = "tie-out"
    }

    package let kind: Kind
    /// For example the run's id.
    package let name: String

    package init(_ kind: Kind, named name: String) {
        self.kind = kind
        self.name = name
    }
}

extension SignOff {
    package enum Verdict: Equatable, Sendable {
        case isNew
        /// The same person has said the same of the same bytes.
        case isKnown(SignOff)
        case isRefused(String)
    }

    /// - Parameter earlier: what the database has of the folder, whatever its bytes were.
    package func verdict(after earlier: [SignOff]) -> Verdict {
        let same = earlier.filter { $0.manifestSHA256 == manifestSHA256 }
        let own = same.filter { Self.isSamePerson($0.by, by) }
        if let known = own.first(where: { $0.role == role }) { return .isKnown(known) }
        if let other = own.first {
            return .isRefused(
                "\(other.by) signed it as \(other.role.rawValue) at \(other.at). The reviewer must"
                    + " be another person than the preparer.")
        }
        guard role == .preparer || same.contains(where: { $0.role == .preparer }) else {
            let changed = earlier.isEmpty ? "" : " since its files were changed"
            return .isRefused(
                "Nobody has signed it as preparer\(changed). The preparer signs first, then the"
                    + " reviewer.")
        }
        return .isNew
    }

    /// `Ann Lee as preparer at 2026-11-30T10:00:00Z (October is closed)`.
    package var sentence: String { "\(by) as \(role.rawValue) at \(at) (\(note))" }
}

extension Character {
    /// Characters that take no place: zero-width ones, and controls.
    fileprivate var isInvisible: Bool {
        unicodeScalars.allSatisfy { scalar in
            let category = scalar.properties.generalCategory
            return category == .format || category == .control
        }
    }
}
