// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "galley",
  products: [
    .library(name: "LayoutEngine", targets: ["LayoutEngine"])
  ],
  targets: [
    .target(name: "Buffers"),
    .target(name: "LayoutEngine", dependencies: ["Buffers"]),
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CHarfBuzz"),
    .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc")]),
    .target(name: "TextMeasurement", dependencies: ["Buffers", "CHarfBuzz", "CICU"]),
    .target(
      name: "CellModels", dependencies: ["Buffers", "CSimdJSON", "LayoutEngine", "TextMeasurement"]),
    .target(name: "GalleyTestSupport", path: "Tests/GalleyTestSupport"),
    .testTarget(name: "CellModelsTests", dependencies: ["CellModels", "GalleyTestSupport"]),
    .testTarget(name: "TextMeasurementTests", dependencies: ["TextMeasurement", "GalleyTestSupport"]),
  ],
  cxxLanguageStandard: .cxx17
)
