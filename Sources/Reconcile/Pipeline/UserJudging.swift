/// Judges one user by the validated receipts, the stored rows and the history of earlier runs.
struct UserJudging: Sendable {
    private let judge: Judge
    private let source: any AppleSource
    private let proof: LocalProof
    private let past: PastRuns
    /// Whether every answer's signature is checked, not only those that findings are based on.
    private let checksEverySignature: Bool

    init(_ judge: Judge, _ asking: Asking, past: PastRuns, checksEverySignature: Bool = false) {
        self.judge = judge
        source = asking.source
        proof = asking.localProof
        self.past = past
        self.checksEverySignature = checksEverySignature || asking.source.checksEverySignature
    }

    /// Judges a user; where a row is accused of a right of which nothing is shown, again with the
    /// purchases that earlier runs saw.
    /// - Parameter answers: get the checks of their signatures.
    func judgement(
        of stored: StoredUser, _ answers: inout UserAnswers, in database: Database
    ) async throws(DatabaseError) -> Judgement {
        let unchecked = answers
        let first = judgement(of: stored, &answers)
        guard first.mayForgetPurchase,
            let remembering = try await remembering(stored, in: database)
        else { return first }
        answers = unchecked
        return judgement(of: remembering, &answers)
    }

    /// Judges a user and checks the signatures of the answers. If a signature contradicts an answer
    /// that a finding is based on, the user is judged again: the contradiction is a finding too.
    private func judgement(of stored: StoredUser, _ answers: inout UserAnswers) -> Judgement {
        proveUnanswered(in: &answers)
        let isLookedAt = checksEverySignature || stored.history.hasContradictedAnswer
        if isLookedAt { checkSignatures(of: answers.asked.indices, in: &answers) }
        let judgement = judge(stored, answers)
        guard !isLookedAt else { return judgement }
        let named = Set(judgement.findings.compactMap(\.question))
        checkSignatures(of: named, in: &answers)
        let isContradicted = named.contains {
            answers.asked[$0].report.signature.map { !$0.contradictions.isEmpty } ?? false
        }
        return isContradicted ? judge(stored, answers) : judgement
    }

    private func judge(_ stored: StoredUser, _ answers: UserAnswers) -> Judgement {
        judge.judgement(of: Self.evidence(of: stored, answers), history: stored.history)
    }

    /// `stored` with what earlier runs judged the user by; nil where they had no purchase that
    /// still runs.
    private func remembering(
        _ stored: StoredUser, in database: Database
    ) async throws(DatabaseError) -> StoredUser? {
        // Without a digest no earlier run kept a record.
        guard !past.comparesRecords || stored.history.recordDigest != nil else { return nil }
        let known = try await database.pastPurchases.purchases(
            of: stored.user, in: past, asOf: judge.settings.asOf)
        var remembering = stored
        remembering.history.runningPurchases = judge.running(known)
        return remembering.history.runningPurchases.isEmpty ? nil : remembering
    }

    /// Leaves of the purchases that answers lack those that still run, by a receipt that Apple
    /// signed. Hardly any receipt has one, so that hardly any signature is checked.
    private func proveUnanswered(in answers: inout UserAnswers) {
        for index in answers.asked.indices {
            guard !answers.asked[index].report.facts.unanswered.isEmpty else { continue }
            let report = answers.asked[index].report
            answers.asked[index].report.facts.unanswered = []
            let question = answers.asked[index].question
            guard case .verified(let answer) = report.validation, let receipt = question.receipt
            else { continue }
            let missing = judge.missing(report.facts.unanswered, in: answer)
            if !missing.isEmpty, proof.isApples(receipt, for: question.bundle) {
                answers.asked[index].report.facts.unanswered = missing
            }
        }
        for (row, proof) in answers.proofs {
            answers.proofs[row]?.facts.unanswered =
                judge.missing(proof.facts.unanswered, in: proof.answer)
        }
    }

    private func checkSignatures(of indices: some Sequence<Int>, in answers: inout UserAnswers) {
        for index in indices {
            guard case .verified(let answer) = answers.asked[index].report.validation,
                let body = answers.asked[index].report.body,
                let found = source.signature(on: body, sayingThat: answer)
            else { continue }
            answers.asked[index].report.signature = found
        }
    }

    private static func evidence(
        of stored: StoredUser, _ answers: UserAnswers
    ) -> UserEvidence {
        let customers = answers.customers(storedFor: stored)
        var evidence = UserEvidence(
            user: stored.user,
            receipts: stored.receipts.indices.map { index in
                ReceiptEvidence(stored.receipts[index], at: index, answers, customers)
            },
            invalidReceipts: stored.invalidReceipts.count, entitlements: stored.entitlements,
            invalidEntitlements: stored.invalidEntitlements.count,
            unreadableEntitlements: Set(stored.invalidEntitlements.compactMap(\.id)))
        evidence.downloadKeys = stored.downloadKeys
        evidence.isUnclaimed = stored.isUnclaimed(answers)
        return evidence
    }
}

extension UserAnswers {
    /// What Apple told of customers, by question. An answer may stand for several receipts, all of
    /// them stored for one app.
    fileprivate func customers(storedFor user: StoredUser) -> [Int: VerifiedReceipt] {
        var customers: [Int: VerifiedReceipt] = [:]
        for (number, answered) in asked.enumerated()
        where answered.question.source == .serverAPI {
            guard case .verified(let history) = answered.report.validation,
                let receipt = user.receipts.first(where: { $0.id == answered.receipt })
            else { continue }
            customers[number] = VerifiedReceipt(
                id: receipt.id, storedBundle: receipt.bundle, receipt: history,
                proof: .serverAPI, question: number)
        }
        return customers
    }
}

extension ReceiptEvidence {
    /// - Parameter customers: answers about customers, by question.
    fileprivate convenience init(
        _ receipt: StoredReceipt, at index: Int, _ answers: UserAnswers,
        _ customers: [Int: VerifiedReceipt]
    ) {
        let outcome = answers.report(ofReceiptAt: index)
        let own = answers.question(aboutReceiptAt: index)
        let report = own.map { answers.asked[$0].report } ?? outcome
        let questions = answers.rows[index].questions
        let deciding = answers.decidingQuestion(ofReceiptAt: index)
        var shown: [VerifiedReceipt]?
        if questions.contains(where: { $0 != own }) {
            shown = questions.compactMap { customers[$0] }
            if let own, case .verified(let answer) = report.validation {
                shown?.append(
                    VerifiedReceipt(
                        id: receipt.id, storedBundle: receipt.bundle, receipt: answer,
                        proof: .verifyReceipt, question: own))
            }
        }
        let facts = own == nil ? answers.proofs[index]?.facts ?? report.facts : report.facts
        self.init(
            id: receipt.id, bundle: receipt.bundle, storedAt: receipt.storedAt,
            validation: outcome.validation, proof: outcome.proof,
            source: deciding.map { answers.asked[$0].question.source }, question: deciding,
            answers: shown, contradictions: facts.contradictions,
            answerContradictions: report.signature?.contradictions ?? [],
            // What a receipt shows of another app says nothing about this one.
            unanswered: own.map { answers.asked[$0].question.bundle == receipt.bundle } ?? true
                ? facts.unanswered : [],
            signedKinds: facts.kinds)
    }
}
