/// Apple's two stores. Purchases in the sandbox are tests, for which nobody paid.
package enum StoreEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}
