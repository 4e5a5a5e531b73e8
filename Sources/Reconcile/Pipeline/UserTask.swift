/// Processes one user: asks Apple about each receipt, judges, and hands the result to the recorder.
/// Nothing is stored before that; then everything is stored together.
struct UserTask: Sendable {
    let database: Database
    let validator: AppStoreValidator
    let textCheck: AnswerTextCheck
    let judging: UserJudging
    let recorder: Recorder
    let meter: RunMeter
    let outageCheck: OutageCheck
    let settings: RunSettings
    let replayOf: RunID?
    let inFlight: Semaphore

    func look(at work: UserWork) async throws {
        let batch = work.batch
        guard recorder.isHeld(batch) else { return }
        if work.isFirstOfBatch { try await recorder.begin(batch) }
        // In a batch that was put off, all others are recorded: nothing is waited for any more.
        let looks = try await ask(
            about: work.user, isSetAside: work.isSetAside, mayPutOff: !batch.isPutOff)
        if looks.isPutOff {
            await recorder.add(.putOff(looks.requestsOfNoUser), of: batch)
        } else if !looks.refusals.isEmpty {
            let refused = RefusedUser(
                user: work.user.user, refusals: looks.refusals, requests: looks.requests)
            await recorder.add(.refused(refused), of: batch)
        } else {
            try await conclude(work.user, looks, in: batch)
        }
    }

    /// Judges a user and hands the result to the recorder. `resolve` reports on a refused receipt.
    func conclude(
        _ user: StoredUser, _ looks: UserLooks, in batch: Batch,
        resolve: (Refusal, ReceiptRequest) -> ValidationReport = { refusal, _ in refusal.confirmed }
    ) async throws {
        let answers = try await textCheck.checked(looks.concluded(by: resolve))
        var judged = judging.judge(user, answers)
        if judged.mayForgetPurchase,
            let remembering = try await judging.remembering(user, in: database)
        {
            judged = judging.judge(remembering, answers)
        }
        await recorder.add(.judged(Reference(judged)), of: batch)
        meter.judged(judged)
    }

    // MARK: Asking

    /// - Parameter mayPutOff: whether a user with a receipt of a stopped or paused app is left for
    ///   later.
    func ask(
        about user: StoredUser, isSetAside: Bool = false, mayPutOff: Bool = false
    ) async throws -> UserLooks {
        var looks = UserLooks(user.receipts)
        let reason: Unverified? =
            isSetAside ? .batchSetAside : user.isTooLarge ? .userTooLarge : nil
        let kept = try await keptReceipts(of: user)
        for place in user.receipts.indices {
            let receipt = user.receipts[place]
            if user.isTooLarge {
                looks.resolve(place, with: ValidationReport(.unverified(.userTooLarge)))
                continue
            }
            switch validator.precheck(
                receipt.data, storedFor: receipt.bundle, or: kept[receipt.id]?.bytes)
            {
            case .resolved(let report): looks.resolve(place, with: report)
            case .mustRequest(let request):
                if let reason {
                    looks.resolve(place, with: ValidationReport(.unverified(reason)))
                } else {
                    looks.request(request, for: place)
                }
            }
        }
        if let replayOf {
            try await read(&looks, of: user.user, from: replayOf)
        } else if mayPutOff,
            looks.requested.contains(where: { validator.apps.isHeld($0.request) })
        {
            looks.isPutOff = true
        } else {
            try await request(&looks, ifStopped: mayPutOff ? .putOff : .leave)
            looks.isPutOff = mayPutOff && looks.answers.contains(where: \.isOfStoppedApp)
        }
        return looks
    }

    /// For an offline run: receipts from earlier answers, unless the stored receipt is newer.
    private func keptReceipts(of user: StoredUser) async throws -> [ReceiptID: KeptReceipt] {
        guard validator.isOffline else { return [:] }
        let storedAt = Dictionary(
            user.receipts.map { ($0.id, $0.storedAt) }, uniquingKeysWith: { first, _ in first })
        let kept = try await database.keptReceipts.receipts(of: user.user).filter { kept in
            storedAt[kept.receipt].map { $0 <= kept.madeAt } ?? false
        }
        return Dictionary(kept.map { ($0.receipt, $0) }) { $0.madeAt < $1.madeAt ? $1 : $0 }
    }

    private func request(
        _ looks: inout UserLooks, ifStopped: AppPace.WhenStopped
    ) async throws {
        let requests = looks.requested
        guard requests.count > 1 else {
            if let only = requests.first {
                looks.answers = [
                    try await look(at: only.request, of: only.receipt, ifStopped: ifStopped)
                ]
            }
            return
        }
        looks.answers = try await withThrowingTaskGroup(of: (Int, Look).self) { group in
            var answers: [Look?] = Array(repeating: nil, count: requests.count)
            var next = 0
            while next < min(requests.count, settings.inFlight) {
                add(requests[next], next, ifStopped, to: &group)
                next += 1
            }
            while let (index, look) = try await group.next() {
                answers[index] = look
                if next < requests.count { add(requests[next], next, ifStopped, to: &group) }
                next += 1
            }
            return answers.compactMap(\.self)
        }
    }

    private func add(
        _ requested: UserLooks.Requested, _ index: Int, _ ifStopped: AppPace.WhenStopped,
        to group: inout ThrowingTaskGroup<(Int, Look), any Error>
    ) {
        group.addTask {
            let look = try await look(
                at: requested.request, of: requested.receipt, ifStopped: ifStopped)
            return (index, look)
        }
    }

    func look(
        at request: ReceiptRequest, of receipt: ReceiptID,
        ifStopped: AppPace.WhenStopped = .leave
    ) async throws -> Look {
        try await inFlight.wait()
        meter.began()
        defer {
            meter.ended()
            inFlight.signal()
        }
        let connections = validator.connections.made
        let look = try await validator.look(
            at: request, of: receipt, before: settings.deadline, ifStopped: ifStopped)
        if look.isLeftByOutage { try await outageCheck.requireOutage() }
        if look.isWithoutAnswer, validator.connections.made == connections {
            try await outageCheck.requireAlone()
        }
        meter.answered(look)
        return look
    }

    private func read(
        _ looks: inout UserLooks, of user: UserID, from run: RunID
    ) async throws {
        let digests = looks.requested.map(\.request.digest)
        let kept = try await database.evidence.answers(to: digests, of: user, in: run)
        let byRequest = Dictionary(
            kept.map { ($0.request, $0) }, uniquingKeysWith: { first, _ in first })
        looks.answers = zip(looks.requested, digests).map { requested, digest in
            byRequest[digest].map {
                .concluded(validator.report($0, about: requested.request))
            } ?? .concluded(ValidationReport(.unverified(.noEvidence)))
        }
    }
}

extension Look {
    fileprivate var isOfStoppedApp: Bool {
        if case .concluded(let report) = self { report.isOfStoppedApp } else { false }
    }

    /// Whether the receipt has no answer because the circuit breaker of this worker gave up.
    fileprivate var isLeftByOutage: Bool {
        guard case .concluded(let report) = self, case .unverified(.outage) = report.validation
        else { return false }
        return true
    }

    /// Whether every request about the receipt failed.
    fileprivate var isWithoutAnswer: Bool {
        guard case .concluded(let report) = self, case .unverified(let cause) = report.validation
        else { return false }
        return cause == .connectionFailed || cause == .timeout
    }
}

struct UserWork: Sendable {
    let user: StoredUser
    let batch: Batch
    let isFirstOfBatch: Bool
    /// Whether the batch is skipped because too many attempts failed: no request is sent.
    let isSetAside: Bool
    let share: MemoryShare
}

/// A portion's share of the memory for receipt data, returned when its last user is done.
final class MemoryShare: Sendable {
    /// Portions of the usual size that may be in memory, with users not judged yet.
    static let all = 8

    private let budget: Semaphore
    private let permits: Int

    /// - Parameter permits: the number already taken from `budget`.
    private init(of budget: Semaphore, permits: Int) {
        self.budget = budget
        self.permits = permits
    }

    /// Takes the portion's permits; waits while earlier portions use too much memory.
    static func taken(for portion: BatchPortion, of budget: Semaphore) async throws -> MemoryShare {
        let bytes = portion.users.reduce(0) { sum, user in
            user.receipts.reduce(sum) { $0 + $1.data.text.count }
        }
        let permits = min(all, 1 + bytes / BatchReader.portionBytes)
        for _ in 0..<permits { try await budget.wait() }
        return MemoryShare(of: budget, permits: permits)
    }

    deinit { budget.signal(permits) }
}
