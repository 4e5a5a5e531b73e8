// MARK: The dispute desk

extension SQL {
    public static let listRuns = Statement("list_runs", PackageResources.list_runs_sql)
    public static let findPublishedRuns = Statement(
        "find_published_runs", PackageResources.find_published_runs_sql)
    public static let nearestRuns = Statement("nearest_runs", PackageResources.nearest_runs_sql)
    public static let findingsByID = Statement(
        "findings_by_id", PackageResources.findings_by_id_sql, isLong: true)
}
