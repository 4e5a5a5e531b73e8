package struct ReportTables {
    let findings: (FindingFile) -> ReportRows<ReportedFinding>
    /// Findings of the previous run that no longer hold.
    let cleared: ReportRows<ReportedFinding>
    let unverified: ReportRows<UnverifiedReceipt>
    /// Entitlements that are neither consistent nor in a finding.
    let notReported: ReportRows<NotReportedRow>
    let totals: ReportRows<FindingTotal>
    let units: ReportRows<UnitLine>

    package init(
        findings: @escaping (FindingFile) -> ReportRows<ReportedFinding>,
        cleared: ReportRows<ReportedFinding>, unverified: ReportRows<UnverifiedReceipt>,
        notReported: ReportRows<NotReportedRow>, totals: ReportRows<FindingTotal>,
        units: ReportRows<UnitLine> = ReportRows([])
    ) {
        self.findings = findings
        self.cleared = cleared
        self.unverified = unverified
        self.notReported = notReported
        self.totals = totals
        self.units = units
    }
}
