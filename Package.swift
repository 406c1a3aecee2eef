// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "galley",
  products: [
    .executable(name: "galley", targets: ["galley"]),
    .library(name: "LayoutEngine", targets: ["LayoutEngine"]),
    .library(name: "TextMeasuring", targets: ["TextMeasuring"]),
    .library(name: "GalleyWorker", targets: ["GalleyWorker", "CellModels"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .target(name: "Buffers"),
    .target(name: "SeededRandom"),
    .target(name: "LayoutEngine", dependencies: ["Buffers"]),
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CHarfBuzz"),
    .target(name: "CICU", exclude: ["dictionaries"], linkerSettings: [.linkedLibrary("icuuc")]),
    .target(name: "TextMeasuring", dependencies: ["Buffers", "CHarfBuzz", "CICU", "CLinux", "LayoutEngine"]),
    .target(
      name: "CellModels", dependencies: ["Buffers", "CSimdJSON", "LayoutEngine", "TextMeasuring"]),
    .target(name: "LayoutTables", dependencies: ["Buffers", "CLinux"]),
    .target(
      name: "BatchLayout",
      dependencies: ["Buffers", "CXXHash", "CellModels", "LayoutEngine", "LayoutTables", "TextMeasuring"]),
    .systemLibrary(name: "CFontconfig"),
    .target(name: "CWOFF2", linkerSettings: [.linkedLibrary("woff2dec")]),
    .target(
      name: "CellsFile",
      dependencies: [
        "Buffers", "CellModels", "CFontconfig", "CWOFF2", "CZlib", "TextMeasuring",
        .product(name: "Yams", package: "Yams"),
      ]),
    .systemLibrary(name: "CZeroMQ"),
    .systemLibrary(name: "CCrypto"),
    .systemLibrary(name: "CXXHash"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CZstd"),
    .target(name: "ZeroMQ", dependencies: ["CZeroMQ"]),
    .target(
      name: "PoolMessages", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    .target(
      name: "LayoutPool",
      dependencies: [
        "BatchLayout", "Buffers", "CCrypto", "CLinux", "CXXHash", "CZlib", "CZstd", "CellModels", "LayoutTables",
        "PoolMessages", "ZeroMQ",
      ]),
    .systemLibrary(name: "CLinux"),
    .target(
      name: "GalleyWorker",
      dependencies: [
        "CLinux", "CellModels", "LayoutPool", "TextMeasuring", "ZeroMQ",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "LoadTest",
      dependencies: [
        "BatchLayout", "Buffers", "CellModels", "CLinux", "LayoutPool", "LayoutTables", "SeededRandom", "ZeroMQ",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .executableTarget(
      name: "galley",
      dependencies: [
        "BatchLayout", "CellModels", "CellsFile", "GalleyWorker", "LayoutPool", "LayoutTables", "LoadTest",
        "SeededRandom", "TextMeasuring",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // Embedded, so that the program is one file.
      resources: (["demo.yaml"]
        + ["posts", "products", "kittens", "asdkgram", "social", "catdeals", "asdktube", "specs", "shop"]
        .flatMap { ["\($0).yaml", "\($0).jsonl"] }).map { .embedInCode("Examples/\($0)") }),
    .executableTarget(
      name: "galley-bench",
      dependencies: [
        "BatchLayout", "Buffers", "CLinux", "CellModels", "CellsFile", "LayoutEngine", "LayoutPool", "LayoutTables",
        "LoadTest", "PoolMessages", "SeededRandom", "TextMeasuring", "ZeroMQ",
      ],
      resources: [.copy("Comparisons")]),
    .target(
      name: "GalleyTestSupport", dependencies: ["Buffers", "CZlib", "CZstd", "CellModels", "SeededRandom"],
      path: "Tests/GalleyTestSupport"),
    .testTarget(name: "BuffersTests", dependencies: ["Buffers", "SeededRandom"]),
    .testTarget(name: "LayoutEngineTests", dependencies: ["LayoutEngine", "GalleyTestSupport"]),
    .testTarget(name: "CellModelsTests", dependencies: ["CellModels", "GalleyTestSupport"]),
    .testTarget(name: "CellsFileTests", dependencies: ["BatchLayout", "CellsFile", "GalleyTestSupport"]),
    .testTarget(name: "TextMeasuringTests", dependencies: ["CICU", "TextMeasuring", "GalleyTestSupport"]),
    .testTarget(name: "LayoutTablesTests", dependencies: ["LayoutTables", "GalleyTestSupport"]),
    .testTarget(name: "BatchLayoutTests", dependencies: ["BatchLayout", "GalleyTestSupport"]),
    .testTarget(
      name: "LayoutPoolTests", dependencies: ["CLinux", "CZeroMQ", "GalleyTestSupport", "LayoutPool", "ZeroMQ"]),
    .testTarget(name: "LoadTestTests", dependencies: ["LoadTest"]),
    .testTarget(name: "DocumentationTests", dependencies: ["GalleyTestSupport"]),
    .executableTarget(
      name: "custom-worker", dependencies: ["CellModels", "GalleyWorker", "LayoutEngine"], path: "Tests/CustomWorker"),
    .testTarget(
      name: "GalleyTests",
      dependencies: [
        "CZeroMQ", "CellModels", "galley", "custom-worker", "GalleyTestSupport", "LayoutPool", "PoolMessages", "ZeroMQ",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
