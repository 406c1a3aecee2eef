// swift-tools-version: 6.1
import PackageDescription

// The folders of Sources are floors. A module depends on modules of its own floor and of those below it, which
// Tests/Scripts/check-floors checks. Their order here is from the bottom to the top. A target names the uppermost modules that it
// depends on, and also depends on all below these.

/// Returns a module of Swift in a folder of a floor.
func module(_ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  let parts = path.split(separator: "/").map(String.init)
  let isPart = parts.last == "Core" || parts.last == "Loop"
  let name = isPart ? parts[1] + (parts[2] == "Core" ? "Core" : "") : parts[1]
  return .target(name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: exclude)
}

/// Returns a library of Debian, for which a module map states the headers and what is linked.
func library(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/System/\(name)") }

/// Returns a target in C or C++, and the libraries that it links.
func interface(_ name: String, to libraries: String..., exclude: [String] = []) -> Target {
  .target(
    name: name, path: "Sources/System/\(name)", exclude: exclude,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// Returns a module of tests, which has the name of its floor or program. Tests of a release are not optimized themselves, so
/// that they are compiled in less time.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["GalleyTestSupport"],
    swiftSettings: [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio = ["NIOCore", "NIOHTTP1", "NIOPosix"].map { Target.Dependency.product(name: $0, package: "swift-nio") }

let system: [Target] =
  [
    module("System/Buffers"),
    module("System/Hashing", ["Buffers", "CHashing"]),
    module("System/LogLevels"),
    module("System/Processes", ["CLinux", "LogLevels"]),
    module("System/SeededRandom"),
    interface("CEmbeddedFiles"),
    interface("CSimdJSON", to: "simdjson"),
    interface("CICU", to: "icuuc", exclude: ["dictionaries"]),
    interface("CFontFiles", to: "fontconfig", "harfbuzz-subset", "woff2dec", "woff2enc"),
    // What connections of libzmq hold. The hook replaces a function of the C library, and only programs depend on it.
    interface("CReception"),
    .target(name: "CReceptionHook", dependencies: ["CReception"], path: "Sources/System/CReceptionHook"),
  ] + ["CCompression", "CHarfBuzz", "CHashing", "CLinux", "CZeroMQ"].map(library)

// One row: geometry and texts.
let layout: [Target] = [
  module("Layout/LayoutEngine", ["Buffers"]),
  module("Layout/TextMeasuring", ["CHarfBuzz", "CICU", "LayoutEngine"]),
]

// Cells compiled to templates, and the files of cells and rows.
let cells: [Target] = [
  module("Cells/CellTemplates", ["CSimdJSON", "TextMeasuring"]),
  module(
    "Cells/CellsFiles",
    ["CCompression", "CFontFiles", "CellTemplates", "Hashing", .product(name: "Yams", package: "Yams")]),
  module("Cells/RowsFiles", ["CCompression", "CellTemplates", "Hashing", "Processes"]),
]

// Columns and Arrow files. ListTables and the modules below it need nothing of the system, so that an application on a
// phone can use them.
let tables: [Target] = [
  module("Tables/TableFormats", ["Buffers"]),
  module("Tables/ListTables", ["TableFormats"]),
  module("Tables/LayoutTables", ["CSimdJSON", "Hashing", "Processes", "TableFormats"]),
  module("Tables/IncrementalRuns", ["LayoutTables", "ListTables", "RowsFiles"]),
]

// One job: lines in, columns out.
let batch: [Target] = [module("Batch/BatchLayout", ["CellTemplates", "LayoutTables"])]

// Coordinator, workers and clients. A core is pure: it has no socket, clock, file, process or random source.
let pool: [Target] = [
  module("Pool/PoolProtocol", ["LayoutEngine"]),
  module(
    "Pool/PoolEnvelopes",
    ["Hashing", "PoolProtocol", .product(name: "SwiftProtobuf", package: "swift-protobuf")]),
  module("Pool/PoolScheduler", ["PoolProtocol"]),
  module("Pool/PoolMemory", ["PoolProtocol"]),
  module("Pool/PosixMemory", ["PoolMemory", "Processes"]),
  module("Pool/ZeroMQ", ["Buffers", "CReception", "CZeroMQ"]),
  module("Pool/PoolSecurity", ["PoolProtocol", "Processes", "ZeroMQ"]),
  module("Pool/PoolCoordinator/Core", ["Hashing", "LogLevels", "PoolMemory", "PoolScheduler"]),
  module(
    "Pool/PoolCoordinator/Loop",
    ["BatchLayout", "PoolCoordinatorCore", "PoolEnvelopes", "PoolSecurity", "PosixMemory"]),
  module("Pool/PoolWorker/Core", ["Hashing", "LogLevels", "PoolMemory"]),
  module(
    "Pool/PoolWorker/Loop", ["BatchLayout", "PoolEnvelopes", "PoolSecurity", "PoolWorkerCore", "PosixMemory"]),
  module("Pool/PoolClient/Core", ["Hashing", "PoolMemory"]),
  module(
    "Pool/PoolClient/Loop", ["PoolClientCore", "PoolEnvelopes", "PoolSecurity", "PosixMemory", "RowsFiles"]),
]

// What is seen in browsers, and layouts by HTTP.
let web: [Target] = [
  module("Web/HTTPServing", ["CCompression", "CEmbeddedFiles", "Processes"] + nio),
  module(
    "Web/Viewer", ["BatchLayout", "CellsFiles", "HTTPServing", "ListTables", "RowsFiles"], exclude: ["Pages"]),
  module(
    "Web/Gateway", ["BatchLayout", "CellsFiles", "HTTPServing", "PoolClient"], exclude: ["Pages", "openapi.json"]),
]

// The command line, the benchmarks, and workers of one's own.
let programs: [Target] = [
  module("Programs/GalleyWorker", ["PoolWorker", argumentParser]),
  module(
    "Programs/LoadTesting",
    ["BatchLayout", "PoolClient", "SeededRandom", .product(name: "Histogram", package: "hdrhistogram-swift")]),
  .executableTarget(
    name: "galley",
    dependencies: [
      "CReceptionHook", "GalleyWorker", "Gateway", "IncrementalRuns", "LoadTesting", "PoolCoordinator", "Viewer",
      argumentParser,
    ],
    path: "Sources/Programs/galley", exclude: ["Calibrate/Kit", "Demo/demo.yaml", "Examples"]),
  .executableTarget(
    name: "galley-bench",
    dependencies: ["CReceptionHook", "CellsFiles", "LoadTesting", "PoolCoordinator", "PoolWorkerCore"],
    path: "Sources/Programs/galley-bench", resources: [.copy("Comparisons")]),
]

let test: [Target] = [
  .target(
    name: "GalleyTestSupport", dependencies: ["CCompression", "CellTemplates", "SeededRandom"],
    path: "Tests/GalleyTestSupport"),
  .target(
    name: "PoolSimulation",
    dependencies: ["PoolClientCore", "PoolCoordinatorCore", "PoolEnvelopes", "PoolWorkerCore", "SeededRandom"],
    path: "Tests/PoolSimulation"),
  .executableTarget(name: "simulate-pool", dependencies: ["PoolSimulation"], path: "Tests/SimulatePool"),
  .executableTarget(name: "custom-worker", dependencies: ["GalleyWorker"], path: "Tests/CustomWorker"),
  tests("SystemTests", ["Hashing", "Processes"]),
  tests("LayoutTests", ["Hashing", "TextMeasuring"]),
  tests("CellsTests", ["BatchLayout", "CellsFiles", "RowsFiles"]),
  tests("TablesTests", ["BatchLayout", "IncrementalRuns"]),
  tests("BatchTests", ["BatchLayout"]),
  tests("PoolTests", ["CReceptionHook", "PoolClient", "PoolCoordinator", "PoolSimulation"]),
  tests("WebTests", ["Gateway", "Viewer"] + nio),
  tests("GalleyTests", ["galley", "galley-bench", "custom-worker"]),
]

let targets = system + layout + cells + tables + batch + pool + web + programs + test

// SwiftPM compiles a module again only if the interface of a module that it names has changed, but compiled code also has the
// sizes of types in modules below these, private ones included. So each module names all modules below it.
var below: [String: Set<String>] = [:]
for target in targets {
  let named = target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
  let all = named.reduce(into: Set(named)) { $0.formUnion(below[$1] ?? []) }
  below[target.name] = all
  target.dependencies += all.subtracting(named).sorted().map { .byName(name: $0) }
}

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
  targets: targets,
  cxxLanguageStandard: .cxx17
)
