/// A statement from a file in `sql/`.
public struct Statement: Sendable, Hashable {
    /// The file name without extension, for example `batch_receipts`. Used in errors and logs.
    public let name: String
    public let text: String
    /// Whether it reads or writes a whole view or run, and so may take long.
    public let isLong: Bool

    init(_ name: String, _ bytes: [UInt8], isLong: Bool = false) {
        self.name = name
        self.isLong = isLong
        text = String(decoding: bytes, as: UTF8.self)
    }
}

/// A numbered file in `sql/migrations`. Forward only; an applied migration must never be edited.
public struct Migration: Sendable, Hashable {
    public let version: Int
    public let statement: Statement

    init(_ version: Int, _ name: String, _ bytes: [UInt8]) {
        self.version = version
        statement = Statement(name, bytes, isLong: true)
    }
}

/// All SQL statements of the program.
public enum SQL {
    /// In the order of application.
    public static let migrations = [
        Migration(1, "0001_create_runs", PackageResources._001_create_runs_sql),
        Migration(2, "0002_create_ledger", PackageResources._002_create_ledger_sql),
        Migration(3, "0003_create_sightings", PackageResources._003_create_sightings_sql),
    ]

    /// Creates the roles and grants their minimal privileges. Several statements.
    public static let roles = Statement("roles", PackageResources.roles_sql)
}

// MARK: Sessions and migrations

extension SQL {
    public static let findProcess = Statement("find_process", PackageResources.find_process_sql)
    public static let discardSession = Statement(
        "discard_session", PackageResources.discard_session_sql)
    public static let prepareSession = Statement(
        "prepare_session", PackageResources.prepare_session_sql)
    public static let serverEncoding = Statement(
        "server_encoding", PackageResources.server_encoding_sql)
    public static let checkEncoding = Statement(
        "check_encoding", PackageResources.check_encoding_sql)
    public static let lockMigrations = Statement(
        "lock_migrations", PackageResources.lock_migrations_sql)
    public static let findMigrationTable = Statement(
        "find_migration_table", PackageResources.find_migration_table_sql)
    public static let compareMigrations = Statement(
        "compare_migrations", PackageResources.compare_migrations_sql)
    public static let recordMigration = Statement(
        "record_migration", PackageResources.record_migration_sql)
    public static let grantOwnTables = Statement(
        "grant_own_tables", PackageResources.grant_own_tables_sql)
}

// MARK: The team's views

extension SQL {
    public static let findMissingPrivileges = Statement(
        "find_missing_privileges", PackageResources.find_missing_privileges_sql)
    public static let findWritableRelations = Statement(
        "find_writable_relations", PackageResources.find_writable_relations_sql)
    public static let describeViews = Statement(
        "describe_views", PackageResources.describe_views_sql)
    public static let limitLockWait = Statement(
        "limit_lock_wait", PackageResources.limit_lock_wait_sql)
    public static let lockViews = Statement("lock_views", PackageResources.lock_views_sql)
    public static let findLockHolderOfRelations = Statement(
        "find_lock_holder_of_relations", PackageResources.find_lock_holder_of_relations_sql)
    public static let findMisplacedUsers = Statement(
        "find_misplaced_users", PackageResources.find_misplaced_users_sql, isLong: true)
    public static let findDuplicateReceipt = Statement(
        "find_duplicate_receipt", PackageResources.find_duplicate_receipt_sql, isLong: true)
    public static let findDuplicateEntitlement = Statement(
        "find_duplicate_entitlement", PackageResources.find_duplicate_entitlement_sql, isLong: true)
    public static let findDuplicateProduct = Statement(
        "find_duplicate_product", PackageResources.find_duplicate_product_sql, isLong: true)
    public static let findDuplicateApp = Statement(
        "find_duplicate_app", PackageResources.find_duplicate_app_sql, isLong: true)
    public static let listProducts = Statement(
        "list_products", PackageResources.list_products_sql, isLong: true)
    public static let listApps = Statement(
        "list_apps", PackageResources.list_apps_sql, isLong: true)
}

// MARK: Runs

extension SQL {
    public static let tryRunLock = Statement("try_run_lock", PackageResources.try_run_lock_sql)
    public static let findLockHolder = Statement(
        "find_lock_holder", PackageResources.find_lock_holder_sql)
    public static let openRun = Statement("open_run", PackageResources.open_run_sql)
    public static let recordRetirement = Statement(
        "record_retirement", PackageResources.record_retirement_sql)
    public static let runEnd = Statement("run_end", PackageResources.run_end_sql)
    public static let finishRun = Statement("finish_run", PackageResources.finish_run_sql)
    public static let findOpenRun = Statement("find_open_run", PackageResources.find_open_run_sql)
    public static let findRun = Statement("find_run", PackageResources.find_run_sql)
    public static let findScope = Statement("find_scope", PackageResources.find_scope_sql)
    public static let wentPastMaxRuntime = Statement(
        "went_past_max_runtime", PackageResources.went_past_max_runtime_sql)
    public static let claimPublication = Statement(
        "claim_publication", PackageResources.claim_publication_sql)
    public static let holdsPublication = Statement(
        "holds_publication", PackageResources.holds_publication_sql)
}

// MARK: Batches and leases

extension SQL {
    public static let cutBatches = Statement(
        "cut_batches", PackageResources.cut_batches_sql, isLong: true)
    public static let planBatches = Statement(
        "plan_batches", PackageResources.plan_batches_sql, isLong: true)
    public static let findSelectedUsers = Statement(
        "find_selected_users", PackageResources.find_selected_users_sql, isLong: true)
    public static let cutSelectedBatches = Statement(
        "cut_selected_batches", PackageResources.cut_selected_batches_sql, isLong: true)
    public static let planSelectedBatches = Statement(
        "plan_selected_batches", PackageResources.plan_selected_batches_sql, isLong: true)
    public static let runPlan = Statement("run_plan", PackageResources.run_plan_sql)
    public static let countAtClose = Statement(
        "count_at_close", PackageResources.count_at_close_sql, isLong: true)
    public static let viewCounts = Statement("view_counts", PackageResources.view_counts_sql)
    public static let leaseBatch = Statement("lease_batch", PackageResources.lease_batch_sql)
    public static let beginBatch = Statement("begin_batch", PackageResources.begin_batch_sql)
    public static let holdBatches = Statement("hold_batches", PackageResources.hold_batches_sql)
    public static let completeBatch = Statement(
        "complete_batch", PackageResources.complete_batch_sql)
    public static let releaseLeases = Statement(
        "release_leases", PackageResources.release_leases_sql)
    public static let freeOrphanedLeases = Statement(
        "free_orphaned_leases", PackageResources.free_orphaned_leases_sql)
    public static let runProgress = Statement("run_progress", PackageResources.run_progress_sql)
    public static let recordAnswers = Statement(
        "record_answers", PackageResources.record_answers_sql)
    public static let recordCutOff = Statement(
        "record_cut_off", PackageResources.record_cut_off_sql)
    public static let lockLeaving = Statement(
        "lock_leaving", PackageResources.lock_leaving_sql)
    public static let leaveToOthers = Statement(
        "leave_to_others", PackageResources.leave_to_others_sql)
    public static let countAnsweredWorkers = Statement(
        "count_answered_workers", PackageResources.count_answered_workers_sql)
    public static let registerWorker = Statement(
        "register_worker", PackageResources.register_worker_sql)
    public static let lockWorker = Statement("lock_worker", PackageResources.lock_worker_sql)
    public static let removeWorkers = Statement(
        "remove_workers", PackageResources.remove_workers_sql)
}

// MARK: Reading a batch

extension SQL {
    public static let batchReceipts = Statement(
        "batch_receipts", PackageResources.batch_receipts_sql)
    public static let batchEntitlements = Statement(
        "batch_entitlements", PackageResources.batch_entitlements_sql)
    public static let downloadKeys = Statement(
        "download_keys", PackageResources.download_keys_sql)
    public static let downloadableProducts = Statement(
        "downloadable_products", PackageResources.downloadable_products_sql, isLong: true)
    public static let groupReceipts = Statement(
        "group_receipts", PackageResources.group_receipts_sql)
    public static let groupEntitlements = Statement(
        "group_entitlements", PackageResources.group_entitlements_sql)
    public static let recordedUsers = Statement(
        "recorded_users", PackageResources.recorded_users_sql)
}

// MARK: Stopped apps

extension SQL {
    public static let stoppedApps = Statement("stopped_apps", PackageResources.stopped_apps_sql)
    public static let announceStoppedApp = Statement(
        "announce_stopped_app", PackageResources.announce_stopped_app_sql)
    public static let takeAppTurn = Statement(
        "take_app_turn", PackageResources.take_app_turn_sql)
    public static let recordAppTry = Statement(
        "record_app_try", PackageResources.record_app_try_sql)
}

// MARK: The second look

extension SQL {
    public static let cutSecondLook = Statement(
        "cut_second_look", PackageResources.cut_second_look_sql, isLong: true)
    public static let groupUsers = Statement("group_users", PackageResources.group_users_sql)
    public static let drawControls = Statement(
        "draw_controls", PackageResources.draw_controls_sql, isLong: true)
    public static let putBackBatch = Statement(
        "put_back_batch", PackageResources.put_back_batch_sql)
    public static let postponeBatch = Statement(
        "postpone_batch", PackageResources.postpone_batch_sql)
}

// MARK: Recording

extension SQL {
    public static let recordReceiptsWithoutUser = Statement(
        "record_receipts_without_user", PackageResources.record_receipts_without_user_sql,
        isLong: true)
    public static let recordEntitlementsWithoutUser = Statement(
        "record_entitlements_without_user", PackageResources.record_entitlements_without_user_sql,
        isLong: true)
    public static let findRowsWithoutUser = Statement(
        "find_rows_without_user", PackageResources.find_rows_without_user_sql)
    public static let copyUserResults = Statement(
        "copy_user_results", PackageResources.copy_user_results_sql)
    public static let copyRequestCounts = Statement(
        "copy_request_counts", PackageResources.copy_request_counts_sql)
    public static let copyOutcomes = Statement("copy_outcomes", PackageResources.copy_outcomes_sql)
    public static let copyFindings = Statement("copy_findings", PackageResources.copy_findings_sql)
    public static let copyEvidence = Statement("copy_evidence", PackageResources.copy_evidence_sql)
    public static let copySecondLook = Statement(
        "copy_second_look", PackageResources.copy_second_look_sql)
    public static let recordedReceipts = Statement(
        "recorded_receipts", PackageResources.recorded_receipts_sql)
    public static let findEvidence = Statement("find_evidence", PackageResources.find_evidence_sql)
}

// MARK: The ledger and the reports

extension SQL {
    public static let ledgerOfUsers = Statement(
        "ledger_of_users", PackageResources.ledger_of_users_sql)
    public static let ledgerOfFindings = Statement(
        "ledger_of_findings", PackageResources.ledger_of_findings_sql)
    public static let acceptedFindings = Statement(
        "accepted_findings", PackageResources.accepted_findings_sql)
    public static let sharedPurchases = Statement(
        "shared_purchases", PackageResources.shared_purchases_sql, isLong: true)
    public static let sharedReceipts = Statement(
        "shared_receipts", PackageResources.shared_receipts_sql, isLong: true)
    public static let reopenFindings = Statement(
        "reopen_findings", PackageResources.reopen_findings_sql, isLong: true)
    public static let dropReportedRefunds = Statement(
        "drop_reported_refunds", PackageResources.drop_reported_refunds_sql, isLong: true)
    public static let dropUnclaimedEvents = Statement(
        "drop_unclaimed_events", PackageResources.drop_unclaimed_events_sql, isLong: true)
    public static let clearFindings = Statement(
        "clear_findings", PackageResources.clear_findings_sql, isLong: true)
    public static let takeLifecycle = Statement(
        "take_lifecycle", PackageResources.take_lifecycle_sql, isLong: true)
    public static let moveLedger = Statement(
        "move_ledger", PackageResources.move_ledger_sql, isLong: true)
    public static let retractRun = Statement(
        "retract_run", PackageResources.retract_run_sql, isLong: true)
    public static let avoidNestedLoops = Statement(
        "avoid_nested_loops", PackageResources.avoid_nested_loops_sql)
    public static let avoidSequentialScans = Statement(
        "avoid_sequential_scans", PackageResources.avoid_sequential_scans_sql)
    public static let copySightedPurchases = Statement(
        "copy_sighted_purchases", PackageResources.copy_sighted_purchases_sql)
    public static let copySightedReceipts = Statement(
        "copy_sighted_receipts", PackageResources.copy_sighted_receipts_sql)
    public static let copyNotReported = Statement(
        "copy_not_reported", PackageResources.copy_not_reported_sql)
    public static let copyUnjudgedFindings = Statement(
        "copy_unjudged_findings", PackageResources.copy_unjudged_findings_sql)
    public static let copyRememberedEvents = Statement(
        "copy_remembered_events", PackageResources.copy_remembered_events_sql)
    public static let runNotReported = Statement(
        "run_not_reported", PackageResources.run_not_reported_sql, isLong: true)
    public static let earlierNights = Statement(
        "earlier_nights", PackageResources.earlier_nights_sql)
    public static let countEventDays = Statement(
        "count_event_days", PackageResources.count_event_days_sql, isLong: true)
    public static let countCleared = Statement(
        "count_cleared", PackageResources.count_cleared_sql, isLong: true)
    public static let sumFindings = Statement(
        "sum_findings", PackageResources.sum_findings_sql, isLong: true)
    public static let countNoAmounts = Statement(
        "count_no_amounts", PackageResources.count_no_amounts_sql, isLong: true)
    public static let countUnverified = Statement(
        "count_unverified", PackageResources.count_unverified_sql, isLong: true)
    public static let runFacts = Statement(
        "run_facts", PackageResources.run_facts_sql, isLong: true)
    public static let runAcceptances = Statement(
        "run_acceptances", PackageResources.run_acceptances_sql, isLong: true)
    public static let findFindings = Statement(
        "find_findings", PackageResources.find_findings_sql)
    public static let listAcceptances = Statement(
        "list_acceptances", PackageResources.list_acceptances_sql)
    public static let findRuns = Statement(
        "find_runs", PackageResources.find_runs_sql)
    public static let newestRun = Statement(
        "newest_run", PackageResources.newest_run_sql)
}
