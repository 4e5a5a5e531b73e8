/// Apple's two stores. Test purchases are in the sandbox and never count as revenue.
package enum StoreEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}
