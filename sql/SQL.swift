/// A statement of `sql/`, by the name of its file.
public struct Statement: Sendable, Hashable {
    /// The file's name without extension, for example `batch_receipts`: what errors and logs say.
    public let name: String
    public let text: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
    }
}

/// A numbered file of `sql/migrations`. Forward only; one that was applied is never edited.
public struct Migration: Sendable, Hashable {
    public let version: Int
    public let statement: Statement

    init(_ version: Int, _ name: String, _ bytes: [UInt8]) {
        self.version = version
        statement = Statement(name, bytes)
    }
}

/// Every statement of the program, as the files of `sql/` say it.
public enum SQL {
    /// In the order in which they are applied.
    public static let migrations = [
        Migration(1, "0001_create_runs", PackageResources._001_create_runs_sql),
        Migration(2, "0002_remember_findings", PackageResources._002_remember_findings_sql),
        Migration(3, "0003_create_sightings", PackageResources._003_create_sightings_sql),
        Migration(10, "0010_create_leases", PackageResources._010_create_leases_sql),
        Migration(20, "0020_remember_who_shows", PackageResources._020_remember_who_shows_sql),
        Migration(21, "0021_cite_answers", PackageResources._021_cite_answers_sql),
        Migration(22, "0022_note_first_refusals", PackageResources._022_note_first_refusals_sql),
    ]

    /// The least that a run needs, for a team to give to an account. Several statements.
    public static let roles = Statement("roles", PackageResources.roles_sql)
}

// MARK: Sessions and migrations

extension SQL {
    public static let prepareSession = Statement(
        "prepare_session", PackageResources.prepare_session_sql)
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
    public static let findMissingRights = Statement(
        "find_missing_rights", PackageResources.find_missing_rights_sql)
    public static let findWritableRelations = Statement(
        "find_writable_relations", PackageResources.find_writable_relations_sql)
    public static let describeViews = Statement(
        "describe_views", PackageResources.describe_views_sql)
    public static let findDuplicateReceipt = Statement(
        "find_duplicate_receipt", PackageResources.find_duplicate_receipt_sql)
    public static let findDuplicateEntitlement = Statement(
        "find_duplicate_entitlement", PackageResources.find_duplicate_entitlement_sql)
    public static let findDuplicateProduct = Statement(
        "find_duplicate_product", PackageResources.find_duplicate_product_sql)
    public static let findDuplicateApp = Statement(
        "find_duplicate_app", PackageResources.find_duplicate_app_sql)
    public static let listProducts = Statement("list_products", PackageResources.list_products_sql)
    public static let listApps = Statement("list_apps", PackageResources.list_apps_sql)
}

// MARK: Runs

extension SQL {
    public static let tryRunLock = Statement("try_run_lock", PackageResources.try_run_lock_sql)
    public static let findLockHolder = Statement(
        "find_lock_holder", PackageResources.find_lock_holder_sql)
    public static let openRun = Statement("open_run", PackageResources.open_run_sql)
    public static let finishRun = Statement("finish_run", PackageResources.finish_run_sql)
}

// MARK: Batches

extension SQL {
    public static let cutBatches = Statement("cut_batches", PackageResources.cut_batches_sql)
    public static let planBatches = Statement("plan_batches", PackageResources.plan_batches_sql)
    public static let findSelectedUsers = Statement(
        "find_selected_users", PackageResources.find_selected_users_sql)
    public static let cutSelectedBatches = Statement(
        "cut_selected_batches", PackageResources.cut_selected_batches_sql)
    public static let countReceipts = Statement(
        "count_receipts", PackageResources.count_receipts_sql)
    public static let findBatch = Statement("find_batch", PackageResources.find_batch_sql)
    public static let batchReceipts = Statement(
        "batch_receipts", PackageResources.batch_receipts_sql)
    public static let batchReceiptsWithoutUser = Statement(
        "batch_receipts_without_user", PackageResources.batch_receipts_without_user_sql)
    public static let batchReceiptsDigest = Statement(
        "batch_receipts_digest", PackageResources.batch_receipts_digest_sql)
    public static let batchReceiptStamps = Statement(
        "batch_receipt_stamps", PackageResources.batch_receipt_stamps_sql)
    public static let batchEntitlements = Statement(
        "batch_entitlements", PackageResources.batch_entitlements_sql)
    public static let batchEntitlementsWithoutUser = Statement(
        "batch_entitlements_without_user", PackageResources.batch_entitlements_without_user_sql)
}

// MARK: Outcomes

extension SQL {
    public static let copyOutcomes = Statement("copy_outcomes", PackageResources.copy_outcomes_sql)
    public static let copyFindings = Statement("copy_findings", PackageResources.copy_findings_sql)
    public static let recordedReceipts = Statement(
        "recorded_receipts", PackageResources.recorded_receipts_sql)
    public static let completeBatch = Statement(
        "complete_batch", PackageResources.complete_batch_sql)
}

// MARK: History

extension SQL {
    public static let pastFindings = Statement(
        "past_findings", PackageResources.past_findings_sql)
    public static let pastCancellations = Statement(
        "past_cancellations", PackageResources.past_cancellations_sql)
    public static let pastCancelledTransactions = Statement(
        "past_cancelled_transactions", PackageResources.past_cancelled_transactions_sql)
    public static let pastAcceptances = Statement(
        "past_acceptances", PackageResources.past_acceptances_sql)
    public static let lastReports = Statement("last_reports", PackageResources.last_reports_sql)
    public static let copyCleared = Statement("copy_cleared", PackageResources.copy_cleared_sql)
    public static let addFindingChanges = Statement(
        "add_finding_changes", PackageResources.add_finding_changes_sql)
    public static let addCancellations = Statement(
        "add_cancellations", PackageResources.add_cancellations_sql)
    public static let forgetDeadRuns = Statement(
        "forget_dead_runs", PackageResources.forget_dead_runs_sql)
    public static let clearGoneUsers = Statement(
        "clear_gone_users", PackageResources.clear_gone_users_sql)
    public static let countRefundsOnce = Statement(
        "count_refunds_once", PackageResources.count_refunds_once_sql)
    public static let findFinding = Statement("find_finding", PackageResources.find_finding_sql)
    public static let acceptFinding = Statement(
        "accept_finding", PackageResources.accept_finding_sql)
}

// MARK: Over all users

extension SQL {
    public static let copySightedSubscriptions = Statement(
        "copy_sighted_subscriptions", PackageResources.copy_sighted_subscriptions_sql)
    public static let copySightedProducts = Statement(
        "copy_sighted_products", PackageResources.copy_sighted_products_sql)
    public static let copyUndecidedUsers = Statement(
        "copy_undecided_users", PackageResources.copy_undecided_users_sql)
    public static let beginComparison = Statement(
        "begin_comparison", PackageResources.begin_comparison_sql)
    public static let rememberSharedSubscriptions = Statement(
        "remember_shared_subscriptions", PackageResources.remember_shared_subscriptions_sql)
    public static let sharedSubscriptions = Statement(
        "shared_subscriptions", PackageResources.shared_subscriptions_sql)
    public static let unknownProducts = Statement(
        "unknown_products", PackageResources.unknown_products_sql)
    public static let settleAcrossUsers = Statement(
        "settle_across_users", PackageResources.settle_across_users_sql)
    public static let forgetSightings = Statement(
        "forget_sightings", PackageResources.forget_sightings_sql)
}

// MARK: Reports

extension SQL {
    public static let runTotals = Statement("run_totals", PackageResources.run_totals_sql)
    public static let runStatuses = Statement("run_statuses", PackageResources.run_statuses_sql)
    public static let countOutcomes = Statement(
        "count_outcomes", PackageResources.count_outcomes_sql)
    public static let countFindings = Statement(
        "count_findings", PackageResources.count_findings_sql)
    public static let countEntitlementsWithFinding = Statement(
        "count_entitlements_with_finding", PackageResources.count_entitlements_with_finding_sql)
    public static let runFindings = Statement("run_findings", PackageResources.run_findings_sql)
    public static let countMoney = Statement("count_money", PackageResources.count_money_sql)
    public static let runCleared = Statement("run_cleared", PackageResources.run_cleared_sql)
    public static let runUnverified = Statement(
        "run_unverified", PackageResources.run_unverified_sql)
}

// MARK: The reference service

extension SQL {
    /// Schema `app` and the five views over it. Several statements; may run again.
    public static let referenceApp = Statement(
        "reference_app", PackageResources.reference_app_sql)
    public static let compareReferenceApp = Statement(
        "compare_reference_app", PackageResources.compare_reference_app_sql)
    public static let emptyReferenceApp = Statement(
        "empty_reference_app", PackageResources.empty_reference_app_sql)
    public static let copyReferenceApps = Statement(
        "copy_reference_apps", PackageResources.copy_reference_apps_sql)
    public static let copyReferenceProducts = Statement(
        "copy_reference_products", PackageResources.copy_reference_products_sql)
    public static let copyReferenceReceipts = Statement(
        "copy_reference_receipts", PackageResources.copy_reference_receipts_sql)
    public static let copyReferenceEntitlements = Statement(
        "copy_reference_entitlements", PackageResources.copy_reference_entitlements_sql)
    public static let analyzeReferenceApp = Statement(
        "analyze_reference_app", PackageResources.analyze_reference_app_sql)
}
