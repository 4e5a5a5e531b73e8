/// Apple's two stores. Purchases in the sandbox are tests, which cost nothing.
package enum StoreEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}
