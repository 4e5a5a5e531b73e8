/// The second look at a group of users with refused receipts.
///
/// A refusal is confirmed only when Apple repeats it while it still verifies *controls*: receipts
/// that it verified earlier in the run, sent among the refused ones. A refused control postpones
/// the group for `outagePatience`. If only answers changed, the remaining refusals get a third look
/// at once. A receipt whose own signature does not fit its bytes needs no control. See
/// docs/decisions/0073 and 0105.
struct SecondLook: Sendable {
    /// For a third look, when few refusals are usually left. It is reached when Apple refuses at
    /// random. At one refusal in ten requests, ten controls all pass in about every third group.
    private static let fewestControlsOfThirdLook = 100

    let batch: Batch
    let run: Run
    let database: Database
    let task: UserTask
    let asking: Asking
    let settings: RunWorker.Settings
    let observe: @Sendable (RunEvent) -> Void

    func examine() async throws {
        let recorder = task.recorder
        try await recorder.begin(batch)
        let users = try await database.secondLook.refusedUsers(of: batch, in: run.id)
        // One extra record counts the requests of the controls.
        recorder.expect(users.count + 1, of: batch, isLast: true)
        let group = GroupResult()
        let wanted = count(for: users.map(\.refusals.count).reduce(0, +))
        var controls: [Control] = []
        for server in AppleServer.allCases where controls.count < wanted {
            controls += try await draw(wanted - controls.count, from: server)
        }
        var rest = users
        while !rest.isEmpty {
            guard let (portion, left) = try await database.batches.group(rest, of: batch, in: run)
            else {
                // After the first portion, answers are held that a later reader would not have.
                if rest.count < users.count { continue }
                guard try await recorder.release(batch) else { return }
                return try await database.leases.putBack(batch, of: run.id)
            }
            // Each portion takes its proportional share of the controls; the last takes the rest.
            let included = rest.count - left.count
            let share = (controls.count * included + rest.count - 1) / rest.count
            try await ask(about: portion, among: Array(controls.prefix(share)), group)
            controls.removeFirst(share)
            rest = left
        }
        try await askOtherControls(group)
        guard recorder.isHeld(batch) else { return }
        try await conclude(group)
    }

    // MARK: Asking

    /// A receipt that a server verified.
    private struct Control: Sendable {
        let receipt: StoredReceipt
        let server: AppleServer
    }

    /// What is asked about in a group.
    private enum Subject: Sendable {
        case user(StoredUser)
        case control(Control)
    }

    /// Sends the portion's receipts and the controls, evenly interleaved.
    private func ask(
        about portion: BatchPortion, among controls: [Control], _ group: GroupResult
    ) async throws {
        var subjects = portion.users.map(Subject.user)
        // The first control goes before all users, the last after them.
        let users = subjects.count
        for (number, control) in controls.enumerated() {
            let index = number * users / max(1, controls.count - 1)
            subjects.insert(.control(control), at: index + number)
        }
        try await forEach(in: subjects, atMost: settings.inFlight) { subject in
            switch subject {
            case .user(let user): try await ask(about: user, group)
            case .control(let control): try await ask(control, group)
            }
        }
    }

    private func ask(about user: StoredUser, _ group: GroupResult) async throws {
        guard task.recorder.isHeld(batch) else { return }
        var inquiry = try await task.lookAgain(at: user)
        let before = user.firstPass?.refusals ?? []
        if !inquiry.repeats(before) { group.recordChange() }
        if inquiry.refusedQuestions.allSatisfy({ asking.origin(of: $0) == .altered }) {
            try await task.conclude(user, inquiry, in: batch) { refusal, _ in
                refusal.rejected(for: .signature)
            }
        } else {
            // Frees the receipt data, which no further request needs.
            var user = user
            user.receipts = user.receipts.map(\.withoutData)
            inquiry.forgetData()
            group.add(UserRefusedAgain(user: user, inquiry: inquiry))
        }
    }

    private func ask(_ control: Control, _ group: GroupResult) async throws {
        guard task.recorder.isHeld(batch) else { return }
        guard
            let look = try await task.look(at: control.receipt, verifiedBy: control.server)
        else { return }
        group.note(look, ofControl: control.receipt.id)
        if case .refused = look { observe(.controlRefused(control.receipt.id)) }
    }

    // MARK: Controls

    private func count(for refused: Int) -> Int {
        // A quarter more: some controls may be stored for several users, or changed since.
        let fewest = batch.look < 3 ? GroupAnswers.fewestControls : Self.fewestControlsOfThirdLook
        let count = max(fewest, refused)
        return count + count / 4
    }

    /// Replaces controls without an answer. Receipts that a server refused need controls that it
    /// verified.
    private func askOtherControls(_ group: GroupResult) async throws {
        for (round, server) in AppleServer.allCases.enumerated() {
            let answers = group.answers
            guard let refused = answers.refusals[server] else { continue }
            let wanted = count(for: refused)
            let known = answers.controlsVerified(by: server)
            guard known < wanted else { continue }
            let others = try await draw(
                wanted + answers.controls.count, from: server, round: round + 1)
            let fresh = others.filter { answers.controls[$0.receipt.id] == nil }
                .prefix(wanted - known)
            try await forEach(in: Array(fresh), atMost: settings.inFlight) { control in
                try await ask(control, group)
            }
        }
    }

    /// Draws controls from a hash of the run's id, batch, look and round. A partial run may have
    /// verified too few receipts: the rest are from the last published run.
    private func draw(
        _ count: Int, from server: AppleServer, round: Int = 0
    ) async throws -> [Control] {
        let seed = "\(run.id.text)/\(batch.number)/\(batch.look)/\(round)"
        let point = Digest.sha256(seed.utf8).leading
        let own = try await controls(of: run.id, server, from: point, count)
        guard own.count < count, !run.scope.isEverything,
            let published = try await database.knownRuns.newest().first(where: { !$0.isHeld })
        else { return own }
        let known = Set(own.map(\.receipt.id))
        let earlier = try await controls(
            of: published.run, server, from: point, count, excludingPutOffIn: run.id)
        return own + earlier.filter { !known.contains($0.receipt.id) }.prefix(count - own.count)
    }

    private func controls(
        of verifying: RunID, _ server: AppleServer, from point: Int64, _ count: Int,
        excludingPutOffIn other: RunID? = nil
    ) async throws -> [Control] {
        try await database.secondLook.controls(
            of: verifying, verifiedBy: server, from: point, count: count, excludingPutOffIn: other
        ).map { Control(receipt: $0, server: server) }
    }

    // MARK: Concluding

    private func conclude(_ group: GroupResult) async throws {
        switch group.answers.decision(isLast: batch.look >= 3) {
        case .postpone(let isDoubted):
            try await postponeAgain(group, isDoubted: isDoubted)
        case .conclude(let doubted):
            await record(group.requests)
            for refused in group.users {
                try await conclude(refused, doubting: doubted)
            }
        }
    }

    private func conclude(
        _ refused: UserRefusedAgain, doubting doubted: Set<AppleServer>
    ) async throws {
        let before = refused.user.firstPass?.refusals ?? []
        try await task.conclude(refused.user, refused.inquiry, in: batch) { refusal, asked in
            let isRepeated = before.contains(
                RefusedReceipt(receipt: asked.receipt, server: refusal.server))
            let isBelieved = isRepeated && !doubted.contains(refusal.server)
            switch asking.origin(of: asked.question) {
            case .altered: return refusal.rejected(for: .signature)
            case .apple where isBelieved && refusal.rejection == .notAuthentic:
                return refusal.doubted(.refusalContradictsSignature)
            case .apple, .unproven:
                return isBelieved ? refusal.confirmed : refusal.doubted(.refusalUnconfirmed)
            }
        }
    }

    private func postponeAgain(_ group: GroupResult, isDoubted: Bool) async throws {
        var requests = group.requests
        for refused in group.users { requests += refused.inquiry.requests }
        await record(requests)
        // Commits the judged users before another worker can read the rest of the group.
        guard try await task.recorder.release(batch) else { return }
        let longest = settings.outagePatience
        let patience = min(longest, settings.deadline?.remaining ?? longest)
        try await database.secondLook.postpone(batch, of: run.id, for: isDoubted ? patience : .zero)
    }

    /// Records requests that belong to no judged user.
    private func record(_ requests: RequestRecord) async {
        await task.recorder.add(.requests(requests), of: batch)
    }
}
