// MARK: The receipt validation service

extension SQL {
    public static let findValidation = Statement(
        "find_validation", PackageResources.find_validation_sql)
    public static let findReceiptOfContent = Statement(
        "find_receipt_of_content", PackageResources.find_receipt_of_content_sql)
    public static let readValidatedReceipt = Statement(
        "read_validated_receipt", PackageResources.read_validated_receipt_sql)
    public static let lockContent = Statement("lock_content", PackageResources.lock_content_sql)
    public static let newestHistory = Statement(
        "newest_history", PackageResources.newest_history_sql)
    public static let storeValidatedReceipt = Statement(
        "store_validated_receipt", PackageResources.store_validated_receipt_sql)
    public static let lockReceipt = Statement("lock_receipt", PackageResources.lock_receipt_sql)
    public static let limitEmptyValidation = Statement(
        "limit_empty_validation", PackageResources.limit_empty_validation_sql)
    public static let revokeUnlockedProducts = Statement(
        "revoke_unlocked_products", PackageResources.revoke_unlocked_products_sql)
    public static let storeUnlockedProducts = Statement(
        "store_unlocked_products", PackageResources.store_unlocked_products_sql)
    public static let dropDeadProducts = Statement(
        "drop_dead_products", PackageResources.drop_dead_products_sql)
    public static let addReceiptUser = Statement(
        "add_receipt_user", PackageResources.add_receipt_user_sql)
    public static let issueDownloadKeys = Statement(
        "issue_download_keys", PackageResources.issue_download_keys_sql)
    public static let findDownloadKey = Statement(
        "find_download_key", PackageResources.find_download_key_sql)
    public static let tryReceiptLock = Statement(
        "try_receipt_lock", PackageResources.try_receipt_lock_sql)
    public static let freeReceiptLock = Statement(
        "free_receipt_lock", PackageResources.free_receipt_lock_sql)
}
