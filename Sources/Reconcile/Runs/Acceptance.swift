/// An operator's acceptance of a known finding, or its undo.
package struct Acceptance: Hashable, Sendable {
    /// A finding id, or a prefix of one.
    var finding: String
    var by: String
    var why: String
    var until: Instant?
    var isUndo: Bool

    package init(finding: String, by: String, why: String, until: Instant?, isUndo: Bool = false) {
        self.finding = finding
        self.by = by
        self.why = why
        self.until = until
        self.isUndo = isUndo
    }
}

package struct AcceptedFinding: Hashable, Sendable {
    package var id: String
    /// Nil when no published run over everything has reported it.
    package var kind: FindingKind?
    package var user: UserID?
    package var by: String
    package var why: String
    /// The end of the acceptance; nil for no end.
    package var until: Instant?
}
