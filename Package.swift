// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The optimizer of Swift 6.3 fails on tests ("circular reference"). The fuzzers run what they test
/// from a release build of the product.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "reconcile-job",
    targets: [
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CEpoll"),
        .target(
            name: "SQL", path: "sql",
            resources: [
                .embedInCode("migrations"), .embedInCode("queries"), .embedInCode("roles.sql"),
                .embedInCode("reference_app.sql"),
            ],
            swiftSettings: strict),
        .target(
            name: "Reconcile",
            dependencies: ["CCurl", "CPostgres", "CCrypto", "CZlib", "CEpoll", "SQL"],
            exclude: ["Receipts/AppleRoots/README.md"],
            resources: [
                .embedInCode("Receipts/AppleRoots/AppleIncRootCertificate.cer"),
                .embedInCode("Receipts/AppleRoots/AppleRootCA-G2.cer"),
                .embedInCode("Receipts/AppleRoots/AppleRootCA-G3.cer"),
                .embedInCode("Receipts/AppleRoots/AppleWWDRCA.cer"),
                .embedInCode("Receipts/AppleRoots/AppleiTunesStoreCA.cer"),
            ],
            swiftSettings: strict),
        .target(name: "AppStoreSimulator", dependencies: ["CCrypto"], swiftSettings: strict),
        .executableTarget(
            name: "reconcile-job", dependencies: ["Reconcile", "AppStoreSimulator", "CLinux"],
            swiftSettings: strict),
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // A test target without tests: only test targets can use `@testable import`.
        .testTarget(
            name: "TestSupport",
            dependencies: ["Reconcile", "AppStoreSimulator", "CCrypto", "CSpawn"],
            swiftSettings: tests),
        .testTarget(
            name: "ReconcileTests",
            dependencies: ["Reconcile", "SQL", "AppStoreSimulator", "CSpawn", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "AppStoreSimulatorTests",
            dependencies: ["AppStoreSimulator", "Reconcile", "reconcile-job", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "JobTests",
            dependencies: [
                "Reconcile", "SQL", "AppStoreSimulator", "reconcile-job", "CSpawn", "TestSupport",
            ],
            swiftSettings: tests),
    ]
)
