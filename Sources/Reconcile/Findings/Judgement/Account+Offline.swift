/// What changes when nobody is asked: a receipt knows nothing of what came after it (decision 70).
extension Account {
    var isOffline: Bool { settings.isOffline }

    /// Whether a finding is left unmade, since later facts may undo it: by its kind, or since an
    /// earlier run saw the purchase cancelled that gives the right.
    func isWithheld(_ kind: FindingKind, by grantor: Grantor?) -> Bool {
        isOffline && (!kind.isFoundOffline || isKnownToBeCancelled(grantor))
    }

    /// Whether the service has changed a row of the right so long after the receipt was made that
    /// gives it, that it may have done so by what came after the receipt: a refund, for example.
    func isOutdated(_ grantor: Grantor?, by rows: [StoredEntitlement]) -> Bool {
        guard isOffline, let madeAt = grantor?.covering.source.receipt.createdAt else {
            return false
        }
        return rows.contains { $0.updatedAt > madeAt + settings.settle }
    }

    /// Whether Apple has told an earlier run of a cancellation that the receipt is too old for.
    func isKnownToBeCancelled(_ grantor: Grantor?) -> Bool {
        guard isOffline, let id = grantor?.covering.id else { return false }
        let known = history.cancellations[id] ?? history.elsewhere[id]
        return known.map { !$0.isReversed } ?? false
    }

    /// Of tonight's findings those that may be made offline, each saying that it was.
    func limited(_ findings: [Finding]) -> [Finding] {
        guard isOffline else { return findings }
        return findings.filter(\.kind.isFoundOffline).map { finding in
            let receipt = evidence.receipts.first { $0.id == finding.receipt }
            return finding.judgedOffline(madeAt: receipt?.verified?.receipt.createdAt)
        }
    }

    /// What speaks of a receipt in a sentence: Apple's answer to it, or what Apple signed.
    func witness(_ receipt: String) -> String {
        isOffline ? "What Apple signed as \(receipt)" : "Apple's answer to \(receipt)"
    }
}
