// swift-tools-version:5.7
import PackageDescription

// On Apple's systems the library is CTilesight.xcframework beside this file, which
// docs/kotlin-swift.md says how to make; elsewhere it is the installed one, which pkg-config finds.
#if os(Linux)
let library = Target.systemLibrary(name: "CTilesight", pkgConfig: "tilesight")
#else
let library = Target.binaryTarget(name: "CTilesight", path: "CTilesight.xcframework")
#endif

let package = Package(
    name: "Tilesight",
    platforms: [.iOS(.v13), .macOS(.v11)],
    products: [.library(name: "Tilesight", targets: ["Tilesight"])],
    targets: [
        library,
        .target(name: "Tilesight", dependencies: ["CTilesight"]),
    ]
)
