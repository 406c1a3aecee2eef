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
    .target(name: "TextMeasurement", dependencies: ["Buffers"]),
    .target(
      name: "CellModels", dependencies: ["Buffers", "CSimdJSON", "LayoutEngine", "TextMeasurement"]),
    .testTarget(name: "CellModelsTests", dependencies: ["CellModels"]),
  ],
  cxxLanguageStandard: .cxx17
)
