// MARK: Workers and leases

extension SQL {
    public static let enlistWorker = Statement(
        "enlist_worker", PackageResources.enlist_worker_sql)
    public static let lockWorker = Statement("lock_worker", PackageResources.lock_worker_sql)
    public static let dismissWorkers = Statement(
        "dismiss_workers", PackageResources.dismiss_workers_sql)
    public static let leaseBatch = Statement("lease_batch", PackageResources.lease_batch_sql)
    public static let renewLeases = Statement("renew_leases", PackageResources.renew_leases_sql)
    public static let releaseLeases = Statement(
        "release_leases", PackageResources.release_leases_sql)
    public static let freeLostLeases = Statement(
        "free_lost_leases", PackageResources.free_lost_leases_sql)
    public static let findLease = Statement("find_lease", PackageResources.find_lease_sql)
    public static let runProgress = Statement("run_progress", PackageResources.run_progress_sql)
    public static let wentPastMaxRuntime = Statement(
        "went_past_max_runtime", PackageResources.went_past_max_runtime_sql)
    public static let runPlan = Statement("run_plan", PackageResources.run_plan_sql)
    public static let findOpenRun = Statement("find_open_run", PackageResources.find_open_run_sql)
    public static let findRun = Statement("find_run", PackageResources.find_run_sql)
    public static let findScope = Statement("find_scope", PackageResources.find_scope_sql)
}

extension SQL {
    public static let batchReceiptNames = Statement(
        "batch_receipt_names", PackageResources.batch_receipt_names_sql)
}

// MARK: Answers

extension SQL {
    public static let copyAnswers = Statement("copy_answers", PackageResources.copy_answers_sql)
    public static let findAnswers = Statement("find_answers", PackageResources.find_answers_sql)
    public static let doubtAnswers = Statement("doubt_answers", PackageResources.doubt_answers_sql)
    public static let refusalHistory = Statement(
        "refusal_history", PackageResources.refusal_history_sql)
    public static let answerDigests = Statement(
        "answer_digests", PackageResources.answer_digests_sql)
    public static let citeAnswers = Statement("cite_answers", PackageResources.cite_answers_sql)
    public static let settleEvidence = Statement(
        "settle_evidence", PackageResources.settle_evidence_sql)
    public static let markEvidenceSettled = Statement(
        "mark_evidence_settled", PackageResources.mark_evidence_settled_sql)
    public static let findUnsettledEvidence = Statement(
        "find_unsettled_evidence", PackageResources.find_unsettled_evidence_sql)
}

// MARK: Pruning

extension SQL {
    public static let findPrunableRuns = Statement(
        "find_prunable_runs", PackageResources.find_prunable_runs_sql)
    public static let pruneRun = Statement("prune_run", PackageResources.prune_run_sql)
    public static let pruneHistory = Statement(
        "prune_history", PackageResources.prune_history_sql)
    public static let pruneUser = Statement("prune_user", PackageResources.prune_user_sql)
}

// MARK: The shared rate

extension SQL {
    public static let setRate = Statement("set_rate", PackageResources.set_rate_sql)
    public static let takeTokens = Statement("take_tokens", PackageResources.take_tokens_sql)
}
