/// Watches what Apple answers about the receipts that it wrote apart from what it answers about all
/// others. So no stranger's bytes stop an app for its customers, nor hide that its secret is wrong.
///
/// - An app whose own receipts are stopped is stopped for all, and tried with its own ones.
/// - Once an app's own receipts show that its secret is right, answers about others mean nothing.
/// - Nothing waits for the others of an app that has own receipts.
///
/// Questions about customers depend on another key, and no stranger's bytes are sent with them:
/// they are watched by themselves.
struct AppWatches: Sendable {
    private var ofApples: AppWatch
    private var ofOthers: AppWatch
    private var ofCustomers: AppWatch

    /// - Parameter firstWait: the time before the first probe of a pause; doubles up to 30 s.
    init(patience: Duration, firstWait: Duration) {
        ofApples = AppWatch(patience: patience, firstWait: firstWait)
        ofOthers = ofApples
        ofCustomers = ofApples
    }

    private subscript(kind: AppReceipts.Kind) -> AppWatch {
        get {
            switch kind {
            case .writtenByApple: ofApples
            case .others: ofOthers
            case .customers: ofCustomers
            }
        }
        set {
            switch kind {
            case .writtenByApple: ofApples = newValue
            case .others: ofOthers = newValue
            case .customers: ofCustomers = newValue
            }
        }
    }

    /// Whether the question may be stopped or paused. False for nearly every request, which then
    /// needs no check of its receipt's signature.
    func mayBeHeld(_ question: Question) -> Bool {
        let bundle = question.bundle
        return switch question.subject {
        case .receipt: ofApples.mayBeHeld(bundle) || ofOthers.mayBeHeld(bundle)
        case .customer, .notices: ofCustomers.mayBeHeld(bundle)
        }
    }

    /// Why the app's other receipts are stopped with its own ones; nil when they are not.
    private func causeByOwn(_ receipts: AppReceipts) -> Unverified? {
        receipts.kind == .others ? ofApples.stopCause(of: receipts.bundle) : nil
    }

    mutating func permission(of receipts: AppReceipts, at now: Duration) -> AppWatch.Permission {
        if let cause = causeByOwn(receipts) { return .stopped(cause) }
        let permission = self[receipts.kind].permission(of: receipts.bundle, at: now)
        if receipts.kind == .others, case .wait(_, let cause) = permission,
            ofApples.knows(receipts.bundle)
        {
            return .stopped(cause)
        }
        return permission
    }

    func isFree(_ receipts: AppReceipts) -> Bool {
        causeByOwn(receipts) == nil && self[receipts.kind].isFree(receipts.bundle)
    }

    /// Whether a request about a stopped app may be sent now to try it: one a minute may.
    mutating func claimTry(_ receipts: AppReceipts, at now: Duration) -> Bool {
        guard causeByOwn(receipts) == nil else { return false }
        return self[receipts.kind].claimTry(receipts.bundle, at: now)
    }

    /// The next request about these stopped receipts is a try.
    mutating func tryNow(_ receipts: AppReceipts, at now: Duration) {
        self[receipts.kind].tryNow(receipts.bundle, at: now)
    }

    /// What is stopped, each with a question to try it with.
    var stopped: [StoppedReceipts] {
        stopped(.writtenByApple) + stopped(.others) + stopped(.customers)
    }

    private func stopped(_ kind: AppReceipts.Kind) -> [StoppedReceipts] {
        self[kind].stopped.compactMap { question, cause in
            let receipts = AppReceipts(bundle: question.bundle, kind: kind)
            guard causeByOwn(receipts) == nil else { return nil }
            return StoppedReceipts(receipts: receipts, question: question, cause: cause)
        }
    }

    /// Keeps the question to try its app with, if there is none.
    mutating func isStopped(_ question: Question, as kind: AppReceipts.Kind) -> Bool {
        if causeByOwn(AppReceipts(bundle: question.bundle, kind: kind)) != nil { return true }
        return self[kind].isStopped(question)
    }

    /// Whether the question is stopped, or its app is paused and no try is due.
    mutating func isHeld(
        _ question: Question, as kind: AppReceipts.Kind, at now: Duration
    ) -> Bool {
        isStopped(question, as: kind) || self[kind].isPaused(question.bundle, at: now)
    }

    /// Stops what another worker of the run stopped.
    mutating func stop(
        _ receipts: AppReceipts, for cause: Unverified, at now: Duration
    ) -> AppWatch.Change? {
        guard receipts.kind != .others || !ofApples.hasProof(receipts.bundle) else { return nil }
        return self[receipts.kind].stop(receipts.bundle, for: cause, at: now)
    }

    /// Frees what is stopped; its answers are then counted anew.
    mutating func resume(_ receipts: AppReceipts, at now: Duration) -> AppWatch.Change? {
        self[receipts.kind].resume(receipts.bundle, at: now)
    }

    /// Whether `note` must learn of the answer. False for nearly all.
    func isInformative(_ access: Attempt.Access, about question: Question) -> Bool {
        if access.isMisconfigured { return true }
        let bundle = question.bundle
        if question.source == .serverAPI { return !ofCustomers.isWell(bundle) }
        if ofApples.isWell(bundle) { return false }
        return !(ofOthers.isWell(bundle) && ofApples.isWithoutDoubt(bundle))
    }

    /// - Returns: of which receipts something changed, and what.
    mutating func note(
        _ question: Question, as kind: AppReceipts.Kind, _ access: Attempt.Access, at now: Duration
    ) -> (AppReceipts, AppWatch.Change)? {
        let bundle = question.bundle
        let receipts = AppReceipts(bundle: bundle, kind: kind)
        if kind == .others, ofApples.hasProof(bundle) { return nil }
        if let change = self[kind].note(question, access, at: now) { return (receipts, change) }
        guard kind == .writtenByApple, ofApples.hasProof(bundle),
            let freed = ofOthers.free(bundle, at: now)
        else { return nil }
        return (AppReceipts(bundle: bundle, kind: .others), freed)
    }
}

/// Questions about an app that are stopped, and one of them.
struct StoppedReceipts: Sendable {
    let receipts: AppReceipts
    let question: Question
    let cause: Unverified
}
