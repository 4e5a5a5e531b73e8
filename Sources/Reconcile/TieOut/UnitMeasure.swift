/// What is compared with Apple's reports. In the order of `tie_out.csv`.
package enum UnitMeasure: String, Hashable, Sendable, CaseIterable { case refunded, sold }
