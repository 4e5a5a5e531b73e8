/// Watches what Apple answers about the receipts that it wrote apart from what it answers about all
/// others. So no stranger's bytes stop an app for its customers, nor hide that its secret is wrong.
///
/// - An app whose own receipts are stopped is stopped for all, and tried with its own ones.
/// - Once an app's own receipts show that its secret is right, answers about others mean nothing.
/// - Nothing waits for the others of an app that has own receipts.
struct AppWatches: Sendable {
    private var ofApples: AppWatch
    private var ofOthers: AppWatch

    /// - Parameter firstWait: the time before the first probe of a pause; doubles up to 30 s.
    init(patience: Duration, firstWait: Duration) {
        ofApples = AppWatch(patience: patience, firstWait: firstWait)
        ofOthers = ofApples
    }

    private subscript(areApples: Bool) -> AppWatch {
        get { areApples ? ofApples : ofOthers }
        set { if areApples { ofApples = newValue } else { ofOthers = newValue } }
    }

    /// Whether receipts of the app may be stopped or paused. False for nearly every request, which
    /// then needs no check of its receipt's signature.
    func mayBeHeld(_ bundle: BundleID) -> Bool {
        ofApples.mayBeHeld(bundle) || ofOthers.mayBeHeld(bundle)
    }

    mutating func permission(of receipts: AppReceipts, at now: Duration) -> AppWatch.Permission {
        if !receipts.areApples, let cause = ofApples.stopCause(of: receipts.bundle) {
            return .stopped(cause)
        }
        let permission = self[receipts.areApples].permission(of: receipts.bundle, at: now)
        if !receipts.areApples, case .wait(_, let cause) = permission,
            ofApples.knows(receipts.bundle)
        {
            return .stopped(cause)
        }
        return permission
    }

    func isFree(_ receipts: AppReceipts) -> Bool {
        guard receipts.areApples || ofApples.stopCause(of: receipts.bundle) == nil else {
            return false
        }
        return self[receipts.areApples].isFree(receipts.bundle)
    }

    /// Whether a request about a stopped app may be sent now to try it: one a minute may.
    mutating func claimTry(_ receipts: AppReceipts, at now: Duration) -> Bool {
        guard receipts.areApples || ofApples.stopCause(of: receipts.bundle) == nil else {
            return false
        }
        return self[receipts.areApples].claimTry(receipts.bundle, at: now)
    }

    /// The next request about these stopped receipts is a try.
    mutating func tryNow(_ receipts: AppReceipts, at now: Duration) {
        self[receipts.areApples].tryNow(receipts.bundle, at: now)
    }

    /// What is stopped, each with a receipt to try it with.
    var stopped: [StoppedReceipts] {
        let apples = ofApples.stopped.map { question, cause in
            StoppedReceipts(question: question, areApples: true, cause: cause)
        }
        let others = ofOthers.stopped.compactMap { question, cause -> StoppedReceipts? in
            guard ofApples.stopCause(of: question.bundle) == nil else { return nil }
            return StoppedReceipts(question: question, areApples: false, cause: cause)
        }
        return apples + others
    }

    /// Keeps the question to try its app with, if there is none.
    mutating func isStopped(_ question: Question, areApples: Bool) -> Bool {
        if !areApples, ofApples.stopCause(of: question.bundle) != nil { return true }
        return self[areApples].isStopped(question)
    }

    /// Whether the question's receipts are stopped, or paused and no try is due.
    mutating func isHeld(_ question: Question, areApples: Bool, at now: Duration) -> Bool {
        isStopped(question, areApples: areApples)
            || self[areApples].isPaused(question.bundle, at: now)
    }

    /// Stops what another worker of the run stopped.
    mutating func stop(
        _ receipts: AppReceipts, for cause: Unverified, at now: Duration
    ) -> AppWatch.Change? {
        guard receipts.areApples || !ofApples.hasProof(receipts.bundle) else { return nil }
        return self[receipts.areApples].stop(receipts.bundle, for: cause, at: now)
    }

    /// Frees what is stopped; its answers are then counted anew.
    mutating func resume(_ receipts: AppReceipts, at now: Duration) -> AppWatch.Change? {
        self[receipts.areApples].resume(receipts.bundle, at: now)
    }

    /// Whether `note` must learn of the answer. False for nearly all.
    func isInformative(_ access: Attempt.Access, about bundle: BundleID) -> Bool {
        if access.isMisconfigured { return true }
        if ofApples.isWell(bundle) { return false }
        return !(ofOthers.isWell(bundle) && ofApples.isWithoutDoubt(bundle))
    }

    /// - Returns: of which receipts something changed, and what.
    mutating func note(
        _ question: Question, areApples: Bool, _ access: Attempt.Access, at now: Duration
    ) -> (AppReceipts, AppWatch.Change)? {
        let bundle = question.bundle
        let receipts = AppReceipts(bundle: bundle, areApples: areApples)
        guard areApples else {
            if ofApples.hasProof(bundle) { return nil }
            return ofOthers.note(question, access, at: now).map { (receipts, $0) }
        }
        if let change = ofApples.note(question, access, at: now) { return (receipts, change) }
        guard ofApples.hasProof(bundle), let freed = ofOthers.free(bundle, at: now) else {
            return nil
        }
        return (AppReceipts(bundle: bundle, areApples: false), freed)
    }
}

/// Receipts of an app that are stopped, and one of them.
struct StoppedReceipts: Sendable {
    let question: Question
    let areApples: Bool
    let cause: Unverified

    var receipts: AppReceipts { AppReceipts(bundle: question.bundle, areApples: areApples) }
}
