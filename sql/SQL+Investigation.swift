// MARK: explain, evidence, runs, diff

extension SQL {
    public static let listRuns = Statement("list_runs", PackageResources.list_runs_sql)
    public static let findKnownRuns = Statement(
        "find_known_runs", PackageResources.find_known_runs_sql)
    public static let nearestRuns = Statement("nearest_runs", PackageResources.nearest_runs_sql)
    public static let findingsByID = Statement(
        "findings_by_id", PackageResources.findings_by_id_sql, isLong: true)
    public static let copyJudgedUsers = Statement(
        "copy_judged_users", PackageResources.copy_judged_users_sql)
    public static let judgedDigests = Statement(
        "judged_digests", PackageResources.judged_digests_sql)
    public static let judgedPurchases = Statement(
        "judged_purchases", PackageResources.judged_purchases_sql)
    public static let judgedRights = Statement("judged_rights", PackageResources.judged_rights_sql)
    public static let customerReceipts = Statement(
        "customer_receipts", PackageResources.customer_receipts_sql)
    public static let customerFindings = Statement(
        "customer_findings", PackageResources.customer_findings_sql)
    public static let customerCleared = Statement(
        "customer_cleared", PackageResources.customer_cleared_sql)
    public static let customerAnswers = Statement(
        "customer_answers", PackageResources.customer_answers_sql)
    public static let customerAcceptances = Statement(
        "customer_acceptances", PackageResources.customer_acceptances_sql)
    public static let findCustomer = Statement(
        "find_customer", PackageResources.find_customer_sql)
    public static let nearestUsers = Statement(
        "nearest_users", PackageResources.nearest_users_sql)
    public static let nearestReceipts = Statement(
        "nearest_receipts", PackageResources.nearest_receipts_sql)
    public static let nearestTransactions = Statement(
        "nearest_transactions", PackageResources.nearest_transactions_sql)
    public static let mayReadAnswers = Statement(
        "may_read_answers", PackageResources.may_read_answers_sql)
    public static let findAnswer = Statement("find_answer", PackageResources.find_answer_sql)
    public static let wasJudged = Statement("was_judged", PackageResources.was_judged_sql)
    public static let wasJudgedAnywhere = Statement(
        "was_judged_anywhere", PackageResources.was_judged_anywhere_sql)
    public static let findStoredReceipt = Statement(
        "find_stored_receipt", PackageResources.find_stored_receipt_sql)
    public static let nearestStoredReceipts = Statement(
        "nearest_stored_receipts", PackageResources.nearest_stored_receipts_sql)
    public static let keepReceipts = Statement("keep_receipts", PackageResources.keep_receipts_sql)
    public static let keptReceipts = Statement("kept_receipts", PackageResources.kept_receipts_sql)
    public static let exportReceipts = Statement(
        "export_receipts", PackageResources.export_receipts_sql, isLong: true)
    public static let findingNights = Statement(
        "finding_nights", PackageResources.finding_nights_sql)
    public static let findFinding = Statement("find_finding", PackageResources.find_finding_sql)
}
