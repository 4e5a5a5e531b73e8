// MARK: History

extension SQL {
    public static let pastAcceptances = Statement(
        "past_acceptances", PackageResources.past_acceptances_sql)
    public static let countRefundsOnce = Statement(
        "count_refunds_once", PackageResources.count_refunds_once_sql, isLong: true)
    public static let acceptFinding = Statement(
        "accept_finding", PackageResources.accept_finding_sql)
}

// MARK: Comparing users

extension SQL {
    public static let copySightedProducts = Statement(
        "copy_sighted_products", PackageResources.copy_sighted_products_sql)
    public static let copyUndecidedUsers = Statement(
        "copy_undecided_users", PackageResources.copy_undecided_users_sql)
    public static let beginComparison = Statement(
        "begin_comparison", PackageResources.begin_comparison_sql)
    public static let unknownProducts = Statement(
        "unknown_products", PackageResources.unknown_products_sql, isLong: true)
}

// MARK: doctor

extension SQL {
    public static let findFailingColumn = Statement(
        "find_failing_column", PackageResources.find_failing_column_sql, isLong: true)
    public static let relationsBelowViews = Statement(
        "relations_below_views", PackageResources.relations_below_views_sql)
    public static let describeServer = Statement(
        "describe_server", PackageResources.describe_server_sql)
    public static let sampleReceipts = Statement(
        "sample_receipts", PackageResources.sample_receipts_sql, isLong: true)
    public static let surveyReceipts = Statement(
        "survey_receipts", PackageResources.survey_receipts_sql, isLong: true)
    public static let surveyEntitlements = Statement(
        "survey_entitlements", PackageResources.survey_entitlements_sql, isLong: true)
    public static let surveyBundles = Statement(
        "survey_bundles", PackageResources.survey_bundles_sql, isLong: true)
    public static let surveySources = Statement(
        "survey_sources", PackageResources.survey_sources_sql, isLong: true)
}

// MARK: Guards

extension SQL {
    public static let recordSource = Statement(
        "record_source", PackageResources.record_source_sql, isLong: true)
    public static let recordResult = Statement(
        "record_result", PackageResources.record_result_sql, isLong: true)
    public static let runFigures = Statement("run_figures", PackageResources.run_figures_sql)
    public static let recordHeldReasons = Statement(
        "record_held_reasons", PackageResources.record_held_reasons_sql)
    public static let heldReasons = Statement("held_reasons", PackageResources.held_reasons_sql)
    public static let standingRuns = Statement(
        "standing_runs", PackageResources.standing_runs_sql)
    public static let newestNights = Statement("newest_nights", PackageResources.newest_nights_sql)
    public static let releaseRun = Statement(
        "release_run", PackageResources.release_run_sql, isLong: true)
}

// MARK: Reports

extension SQL {
    public static let runTotals = Statement(
        "run_totals", PackageResources.run_totals_sql, isLong: true)
    public static let runRequests = Statement(
        "run_requests", PackageResources.run_requests_sql)
    public static let countOutcomes = Statement(
        "count_outcomes", PackageResources.count_outcomes_sql, isLong: true)
    public static let countFindings = Statement(
        "count_findings", PackageResources.count_findings_sql, isLong: true)
    public static let countEntitlementsWithFinding = Statement(
        "count_entitlements_with_finding", PackageResources.count_entitlements_with_finding_sql,
        isLong: true)
    public static let runFindings = Statement(
        "run_findings", PackageResources.run_findings_sql, isLong: true)
    public static let countMoney = Statement(
        "count_money", PackageResources.count_money_sql, isLong: true)
    public static let runCleared = Statement(
        "run_cleared", PackageResources.run_cleared_sql, isLong: true)
    public static let runUnverified = Statement(
        "run_unverified", PackageResources.run_unverified_sql, isLong: true)
}

// MARK: Pruning

extension SQL {
    public static let findPrunableRuns = Statement(
        "find_prunable_runs", PackageResources.find_prunable_runs_sql)
    public static let pruneRun = Statement(
        "prune_run", PackageResources.prune_run_sql, isLong: true)
    public static let recordErasure = Statement(
        "record_erasure", PackageResources.record_erasure_sql, isLong: true)
    public static let unnameUser = Statement(
        "unname_user", PackageResources.unname_user_sql, isLong: true)
    public static let runErasures = Statement("run_erasures", PackageResources.run_erasures_sql)
    public static let runErasedFindings = Statement(
        "run_erased_findings", PackageResources.run_erased_findings_sql)
    public static let openRuns = Statement("open_runs", PackageResources.open_runs_sql)
    public static let pruneUser = Statement(
        "prune_user", PackageResources.prune_user_sql, isLong: true)
}

// MARK: The rate limit

extension SQL {
    public static let setRate = Statement("set_rate", PackageResources.set_rate_sql)
    public static let takeTokens = Statement("take_tokens", PackageResources.take_tokens_sql)
}

// MARK: The reference app

extension SQL {
    /// Schema `app` and the five views over it. Several statements; safe to repeat.
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
    public static let copyReferenceAssets = Statement(
        "copy_reference_assets", PackageResources.copy_reference_assets_sql)
    public static let copyReferenceProductAssets = Statement(
        "copy_reference_product_assets", PackageResources.copy_reference_product_assets_sql)
    public static let copyReferenceReceiptProducts = Statement(
        "copy_reference_receipt_products", PackageResources.copy_reference_receipt_products_sql)
    public static let analyzeReferenceApp = Statement(
        "analyze_reference_app", PackageResources.analyze_reference_app_sql)
}
