// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "galley",
  products: [
    .executable(name: "galley", targets: ["galley"]),
    .library(name: "ListTables", targets: ["ListTables"]),
    .library(name: "LayoutEngine", targets: ["LayoutEngine"]),
    .library(name: "TextMeasuring", targets: ["TextMeasuring"]),
    .library(name: "GalleyWorker", targets: ["GalleyWorker", "CellTemplates"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Layout: one row: geometry, texts, and a job of rows.
    .target(name: "LayoutEngine", dependencies: ["Buffers"], path: "Sources/Layout/LayoutEngine"),
    .target(
      name: "TextMeasuring", dependencies: ["Buffers", "CHarfBuzz", "CICU", "CLinux", "LayoutEngine"],
      path: "Sources/Layout/TextMeasuring"),
    .target(
      name: "BatchLayout",
      dependencies: [
        "Buffers", "CXXHash", "CellTemplates", "Hashing", "LayoutEngine", "LayoutTables", "TextMeasuring",
      ],
      path: "Sources/Layout/BatchLayout"),
    // Cells: cells compiled to templates, and the files that they are in.
    .target(
      name: "CellTemplates", dependencies: ["Buffers", "CSimdJSON", "LayoutEngine", "TextMeasuring"],
      path: "Sources/Cells/CellTemplates"),
    .target(
      name: "CellsFiles",
      dependencies: [
        "Buffers", "CellTemplates", "CFontconfig", "CWOFF2", "CZlib", "Hashing", "TextMeasuring",
        .product(name: "Yams", package: "Yams"),
      ], path: "Sources/Cells/CellsFiles"),
    .target(
      name: "RowsFiles",
      dependencies: ["Buffers", "CLinux", "CZlib", "CZstd", "CellTemplates", "Hashing", "Processes"],
      path: "Sources/Cells/RowsFiles"),
    // Tables: columns and Arrow files.
    .target(
      name: "LayoutTables", dependencies: ["ArrowFormat", "Buffers", "CLinux", "Files", "Hashing"],
      path: "Sources/Tables/LayoutTables"),
    // Finished tables. These two import nothing of the system, so that an application on a phone can use them.
    .target(name: "ListTables", dependencies: ["ArrowFormat"], path: "Sources/Tables/ListTables"),
    .target(
      name: "BaseTables",
      dependencies: [
        "ArrowFormat", "Buffers", "CellTemplates", "Hashing", "LayoutTables", "ListTables", "RowsFiles",
      ],
      path: "Sources/Tables/BaseTables"),
    .target(name: "ArrowFormat", path: "Sources/Tables/ArrowFormat"),
    .target(name: "ListDocuments", dependencies: ["Buffers", "ListTables"], path: "Sources/Tables/ListDocuments"),
    // Pool: coordinator, workers and clients. A core is pure: it has no socket, clock, file, process or random source.
    .target(name: "PoolProtocol", dependencies: ["Buffers"], path: "Sources/Pool/PoolProtocol"),
    .target(
      name: "PoolEnvelopes",
      dependencies: ["Buffers", "PoolProtocol", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Sources/Pool/PoolEnvelopes"),
    .target(name: "PoolScheduler", path: "Sources/Pool/PoolScheduler"),
    .target(name: "PoolMemory", dependencies: ["Buffers", "PoolProtocol"], path: "Sources/Pool/PoolMemory"),
    .target(
      name: "SystemMemory", dependencies: ["CLinux", "PoolMemory", "PoolProtocol"], path: "Sources/Pool/SystemMemory"),
    .target(
      name: "PoolJournal", dependencies: ["Buffers", "Hashing", "PoolEnvelopes", "PoolProtocol"],
      path: "Sources/Pool/PoolJournal"),
    .target(name: "ZeroMQ", dependencies: ["Buffers", "CReception", "CZeroMQ"], path: "Sources/Pool/ZeroMQ"),
    .target(
      name: "PoolSecurity", dependencies: ["Files", "PoolProtocol", "Processes", "ZeroMQ"],
      path: "Sources/Pool/PoolSecurity"),
    .target(
      name: "PoolLayouts", dependencies: ["BatchLayout", "Buffers", "LayoutTables", "PoolProtocol"],
      path: "Sources/Pool/PoolLayouts"),
    .target(
      name: "PoolCoordinatorCore", dependencies: ["Buffers", "Hashing", "PoolMemory", "PoolProtocol", "PoolScheduler"],
      path: "Sources/Pool/PoolCoordinator/Core"),
    .target(
      name: "PoolCoordinator",
      dependencies: [
        "BatchLayout", "Buffers", "CLinux", "CellTemplates", "Files", "Hashing", "LayoutTables", "PoolCoordinatorCore",
        "PoolEnvelopes", "PoolJournal", "PoolLayouts", "PoolMemory", "PoolProtocol", "PoolScheduler", "PoolSecurity",
        "Processes", "SystemMemory", "ZeroMQ",
      ], path: "Sources/Pool/PoolCoordinator/Loop"),
    .target(
      name: "PoolWorkerCore", dependencies: ["Buffers", "Hashing", "PoolMemory", "PoolProtocol"],
      path: "Sources/Pool/PoolWorker/Core"),
    .target(
      name: "PoolWorker",
      dependencies: [
        "BatchLayout", "Buffers", "CellTemplates", "PoolEnvelopes", "PoolLayouts", "PoolProtocol", "PoolSecurity",
        "PoolWorkerCore", "Processes", "SystemMemory", "ZeroMQ",
      ], path: "Sources/Pool/PoolWorker/Loop"),
    .target(
      name: "PoolClientCore", dependencies: ["Buffers", "Hashing", "PoolMemory", "PoolProtocol"],
      path: "Sources/Pool/PoolClient/Core"),
    .target(
      name: "PoolClient",
      dependencies: [
        "BatchLayout", "Buffers", "Hashing", "PoolClientCore", "PoolEnvelopes", "PoolLayouts", "PoolProtocol",
        "PoolSecurity", "Processes", "RowsFiles", "SystemMemory", "ZeroMQ",
      ], path: "Sources/Pool/PoolClient/Loop"),
    // Web: what is seen in browsers, and layouts by HTTP.
    .target(
      name: "HTTPServing",
      dependencies: [
        "CLinux", "CZlib", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ], path: "Sources/Web/HTTPServing"),
    .target(
      name: "Viewer",
      dependencies: [
        "ArrowFormat", "BatchLayout", "Buffers", "CLinux", "CellTemplates", "CellsFiles", "Files", "HTTPServing",
        "Hashing", "LayoutTables", "ListDocuments", "ListTables", "RowsFiles", "TextMeasuring",
      ], path: "Sources/Web/Viewer",
      // Embedded, so that the program is one file. `Pages` lists the same files.
      resources: [
        "cellpage.js", "cellstore.js", "cellview.js", "charts.js", "elements.js", "explanation.js", "fonts.js",
        "galley.js", "index.html", "jump.js", "keyboard.js", "listpages.js", "listview.js", "panel.js", "ranges.js",
        "rowheights.js", "scrollmapping.js", "server.js", "session.js", "slices.js", "theme.js", "viewer.css",
        "viewer.js", "watching.js",
      ].map { .embedInCode("Pages/\($0)") }),
    .target(
      name: "Gateway",
      dependencies: [
        "BatchLayout", "Buffers", "CellTemplates", "CellsFiles", "HTTPServing", "LayoutTables", "PoolClient",
        "PoolClientCore", "PoolProtocol", "PoolSecurity", "Processes", "RowsFiles", "ZeroMQ",
      ], path: "Sources/Web/Gateway",
      resources: [
        "dashboard.html", "dashboard.css", "dashboard.js", "chart.js", "elements.js", "events.js", "format.js",
        "history.js", "lists.js", "notices.js", "openapi.json", "start.js",
      ].map { .embedInCode("Pages/\($0)") }),
    // Programs: the command line, the benchmarks, and workers of one's own.
    .target(
      name: "GalleyWorker",
      dependencies: [
        "CLinux", "CellTemplates", "PoolProtocol", "PoolSecurity", "PoolWorker", "PoolWorkerCore", "Processes",
        "TextMeasuring", "ZeroMQ",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/Programs/GalleyWorker"),
    .target(
      name: "LoadTesting",
      dependencies: [
        "BatchLayout", "Buffers", "CellTemplates", "CLinux", "LayoutTables", "PoolClient", "PoolClientCore",
        "PoolProtocol", "PoolSecurity", "Processes", "RowsFiles", "SeededRandom", "ZeroMQ",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ], path: "Sources/Programs/LoadTesting"),
    .executableTarget(
      name: "galley",
      dependencies: [
        "BaseTables", "BatchLayout", "Buffers", "CReceptionHook", "CellTemplates", "CellsFiles", "GalleyWorker",
        "Gateway", "HTTPServing",
        "Hashing", "LayoutTables", "ListDocuments", "ListTables", "LoadTesting", "PoolClient", "PoolClientCore",
        "PoolCoordinator", "PoolCoordinatorCore", "PoolEnvelopes", "PoolLayouts", "PoolProtocol", "PoolSecurity",
        "Processes", "RowsFiles",
        "SeededRandom", "TextMeasuring", "Viewer", "ZeroMQ",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Programs/galley",
      // Embedded, so that the program is one file.
      resources: (["demo.yaml"]
        + ["posts", "products", "kittens", "asdkgram", "social", "catdeals", "asdktube", "specs", "shop"]
        .flatMap { ["\($0).yaml", "\($0).jsonl"] }).map { .embedInCode("Examples/\($0)") }),
    .executableTarget(
      name: "galley-bench",
      dependencies: [
        "BatchLayout", "Buffers", "CLinux", "CReceptionHook", "CellTemplates", "CellsFiles", "LayoutEngine",
        "LayoutTables", "LoadTesting",
        "PoolClient", "PoolCoordinator", "PoolEnvelopes", "PoolLayouts", "PoolMemory", "PoolProtocol", "PoolScheduler",
        "PoolSecurity", "PoolWorkerCore", "Processes", "RowsFiles", "SeededRandom", "SystemMemory", "TextMeasuring",
        "ZeroMQ",
      ],
      path: "Sources/Programs/galley-bench",
      resources: [.copy("Comparisons")]),
    // System: buffers and the libraries of the system.
    .target(name: "Buffers", path: "Sources/System/Buffers"),
    .target(name: "Hashing", dependencies: ["Buffers", "CCrypto", "CXXHash"], path: "Sources/System/Hashing"),
    .target(name: "Files", path: "Sources/System/Files"),
    .target(name: "Processes", path: "Sources/System/Processes"),
    .target(name: "SeededRandom", path: "Sources/System/SeededRandom"),
    .target(
      name: "CSimdJSON", path: "Sources/System/CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CHarfBuzz", path: "Sources/System/CHarfBuzz"),
    .target(
      name: "CICU", path: "Sources/System/CICU", exclude: ["dictionaries"], linkerSettings: [.linkedLibrary("icuuc")]),
    .systemLibrary(name: "CFontconfig", path: "Sources/System/CFontconfig"),
    .target(name: "CWOFF2", path: "Sources/System/CWOFF2", linkerSettings: [.linkedLibrary("woff2dec")]),
    .systemLibrary(name: "CZeroMQ", path: "Sources/System/CZeroMQ"),
    // What connections of libzmq hold. The hook replaces a function of the C library, and only programs depend on it.
    .target(name: "CReception", path: "Sources/System/CReception"),
    .target(name: "CReceptionHook", dependencies: ["CReception"], path: "Sources/System/CReceptionHook"),
    .systemLibrary(name: "CCrypto", path: "Sources/System/CCrypto"),
    .systemLibrary(name: "CXXHash", path: "Sources/System/CXXHash"),
    .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),
    .systemLibrary(name: "CZstd", path: "Sources/System/CZstd"),
    .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
    // Tests.
    .target(
      name: "GalleyTestSupport", dependencies: ["Buffers", "CZlib", "CZstd", "CellTemplates", "SeededRandom"],
      path: "Tests/GalleyTestSupport"),
    .testTarget(name: "BuffersTests", dependencies: ["Buffers", "SeededRandom"]),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "SeededRandom"]),
    .testTarget(name: "LayoutEngineTests", dependencies: ["LayoutEngine", "GalleyTestSupport"]),
    .testTarget(name: "CellTemplatesTests", dependencies: ["CellTemplates", "GalleyTestSupport"]),
    .testTarget(
      name: "CellsFilesTests",
      dependencies: [
        "BatchLayout", "Buffers", "CellTemplates", "CellsFiles", "GalleyTestSupport", "Hashing", "SeededRandom",
      ]),
    .testTarget(name: "TextMeasuringTests", dependencies: ["CICU", "TextMeasuring", "GalleyTestSupport"]),
    .testTarget(
      name: "LayoutTablesTests", dependencies: ["Buffers", "GalleyTestSupport", "LayoutTables", "SeededRandom"]),
    .testTarget(
      name: "ListTablesTests",
      dependencies: ["ArrowFormat", "GalleyTestSupport", "LayoutTables", "ListTables", "SeededRandom"]),
    .testTarget(
      name: "BaseTablesTests",
      dependencies: [
        "BaseTables", "BatchLayout", "Buffers", "CellTemplates", "GalleyTestSupport", "LayoutTables", "RowsFiles",
        "SeededRandom",
      ]),
    .testTarget(name: "BatchLayoutTests", dependencies: ["BatchLayout", "GalleyTestSupport"]),
    .testTarget(
      name: "RowsFilesTests",
      dependencies: ["Buffers", "CZlib", "CZstd", "GalleyTestSupport", "Hashing", "RowsFiles", "SeededRandom"]),
    .testTarget(
      name: "PoolTests",
      dependencies: [
        "BatchLayout", "Buffers", "CLinux", "CReception", "CReceptionHook", "CZeroMQ", "CellTemplates",
        "GalleyTestSupport", "Hashing", "PoolClient",
        "PoolClientCore", "PoolCoordinator", "PoolCoordinatorCore", "PoolEnvelopes", "PoolJournal", "PoolMemory",
        "PoolProtocol", "PoolScheduler", "PoolSecurity", "PoolWorkerCore", "Processes", "RowsFiles", "SeededRandom",
        "SystemMemory",
        "ZeroMQ",
      ]),
    .target(
      name: "PoolSimulation",
      dependencies: [
        "Buffers", "Hashing", "PoolClientCore", "PoolCoordinatorCore", "PoolEnvelopes", "PoolJournal", "PoolMemory",
        "PoolProtocol", "PoolScheduler", "PoolWorkerCore", "SeededRandom",
      ], path: "Tests/PoolSimulation"),
    .executableTarget(name: "simulate-pool", dependencies: ["PoolSimulation"], path: "Tests/SimulatePool"),
    .testTarget(name: "PoolSimulationTests", dependencies: ["PoolSimulation"]),
    .testTarget(
      name: "ViewerTests",
      dependencies: [
        "BatchLayout", "Buffers", "CellTemplates", "GalleyTestSupport", "HTTPServing", "Hashing", "LayoutTables",
        "ListTables", "PoolLayouts", "RowsFiles", "SeededRandom", "Viewer",
      ]),
    .testTarget(name: "GatewayTests", dependencies: ["Gateway", "HTTPServing", "PoolProtocol", "SeededRandom"]),
    .testTarget(name: "LoadTestingTests", dependencies: ["LoadTesting", "PoolProtocol", "RowsFiles"]),
    .testTarget(
      name: "HTTPServingTests",
      dependencies: [
        "GalleyTestSupport", "HTTPServing", "SeededRandom", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .testTarget(name: "DocumentationTests", dependencies: ["GalleyTestSupport"]),
    .executableTarget(
      name: "custom-worker", dependencies: ["CellTemplates", "GalleyWorker", "LayoutEngine"], path: "Tests/CustomWorker"
    ),
    .testTarget(
      name: "GalleyTests",
      dependencies: [
        "ArrowFormat", "BatchLayout", "Buffers", "CZeroMQ", "CellTemplates", "galley", "custom-worker",
        "GalleyTestSupport", "Hashing", "LayoutTables",
        "PoolClient", "PoolEnvelopes", "PoolLayouts", "PoolMemory", "PoolProtocol", "PoolSecurity", "SeededRandom",
        "SystemMemory", "ZeroMQ",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
