import Foundation
import GalleyTestSupport
import Glibc
import PoolProtocol
import Testing

@testable import PoolSecurity

/// Tests of the directory of keys.
@Suite struct KeyDirectoryTests {
  private let scratch = Scratch()
  private var keys: KeyDirectory { KeyDirectory(scratch.path("keys")) }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: scratch.path(name))[.posixPermissions] as? Int
  }

  private func setMode(_ mode: Int, _ name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path(name))
  }

  private func allowed() throws -> AllowedKeys { try AllowedKeys(in: keys.allowed) }

  /// Returns the text of the error that `body` throws, without the path of the directory, or "" without an error.
  private func errorText(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)".replacingOccurrences(of: scratch.directory + "/", with: "") }
    return ""
  }

  @Test func onlyTheirOwnerCanReadSecrets() throws {
    try keys.create()
    _ = try keys.add("farm", role: .worker)
    for directory in ["keys", "keys/allowed", "keys/farm"] { #expect(try mode(directory) == 0o700) }
    for secret in ["keys/coordinator.key", "keys/client.key", "keys/farm/client.key"] {
      #expect(try mode(secret) == 0o600)
    }
  }

  @Test func eachKeyIsAllowedWithItsNameAndRole() throws {
    try keys.create()
    let farm = try keys.add("farm", role: .worker).clientKeys()
    let client = try keys.clientKeys()
    #expect(
      try allowed().holders == [
        client.pair.publicKey: KeyHolder(name: "local", role: .operator),
        farm.pair.publicKey: KeyHolder(name: "farm", role: .worker),
      ])
    #expect(client.pair.publicKey != farm.pair.publicKey)
    #expect(client.server == farm.server)
    #expect(try keys.coordinatorSecret.read() != client.pair.secret)
  }

  @Test func keysAreNotOverwritten() throws {
    try keys.create()
    _ = try keys.add("farm", role: .worker)
    let before = try (keys.coordinatorSecret.read(), allowed().holders)
    #expect(errorText { try keys.create() } == "keys/coordinator.key is there already, and keys are not overwritten")
    #expect(
      errorText { _ = try keys.add("farm", role: .worker) }
        == "keys/allowed/farm.worker.pub is there already, and keys are not overwritten")
    #expect(
      errorText { _ = try keys.add("local", role: .client) }.contains(
        "keys/allowed/local.operator.pub is there already"))
    #expect(try keys.coordinatorSecret.read() == before.0)
    #expect(try allowed().holders == before.1)
  }

  /// A file that is in the way stands for any reason.
  @Test func keysThatCannotAllBeWrittenCanBeMadeAgain() throws {
    func isBlocked(by path: String, _ make: () throws -> Void) throws {
      _ = try scratch.file(path, "")
      #expect(errorText(make).contains("is there already"))
      try FileManager.default.removeItem(atPath: scratch.path(path))
      try make()
    }
    try FileManager.default.createDirectory(atPath: scratch.path("keys/allowed"), withIntermediateDirectories: true)
    try isBlocked(by: "keys/allowed/local.operator.pub") { try keys.create() }
    try FileManager.default.createDirectory(atPath: scratch.path("keys/farm"), withIntermediateDirectories: true)
    try isBlocked(by: "keys/farm/coordinator.pub") { _ = try keys.add("farm", role: .worker) }
    #expect(try allowed().holders.count == 2)
  }

  @Test(arguments: ["allowed", "", "..", "a/b", ".hidden", "a b", String(repeating: "a", count: 65)])
  func invalidNamesAreRefused(name: String) throws {
    try keys.create()
    #expect(errorText { _ = try keys.add(name, role: .client) }.contains("is not a name of a key"))
  }

  @Test func theErrorForAMissingKeyNamesTheCommandThatMakesKeys() throws {
    #expect(
      errorText { _ = try keys.clientKeys() }
        == "keys/client.key cannot be read: No such file or directory; `galley keys` makes keys")
    #expect(errorText { _ = try keys.add("farm", role: .worker) }.contains("keys/coordinator.pub cannot be read"))
    #expect(errorText { _ = try allowed() }.contains("keys/allowed cannot be read"))
  }

  @Test func aSecretThatOtherUsersCanReadIsRefused() throws {
    try keys.create()
    try setMode(0o604, "keys/client.key")
    #expect(
      errorText { _ = try keys.clientKeys() }.contains(
        "keys/client.key is a secret that others can get at; `chmod 600 "))
    // A secret that is mounted for a service can be readable for the group of the service.
    try setMode(0o440, "keys/client.key")
    #expect(errorText { _ = try keys.clientKeys() } == "")
  }

  @Test(arguments: ["", "\n", "short\n", String(repeating: "0", count: 40) + "\n\n", String(repeating: "~", count: 40)])
  func aFileWithoutAKeyAllowsNobodyAndIsNamed(text: String) throws {
    try keys.create()
    _ = try scratch.file("keys/allowed/odd.pub", text)
    let allowed = try allowed()
    #expect(allowed.holders.values.map(\.name) == ["local"])
    #expect(allowed.problems.count == 1)
    #expect(allowed.problems.first?.description.contains("keys/allowed/odd.pub holds no key") == true)
  }

  /// A FIFO, a directory and a link to itself are neither waited for nor do they hide the keys beside them.
  @Test func filesThatAreNoRegularFilesAllowNobodyAndAreNamed() throws {
    try keys.create()
    #expect(mkfifo(scratch.path("keys/allowed/fifo.pub"), 0o600) == 0)
    #expect(mkdir(scratch.path("keys/allowed/directory.pub"), 0o700) == 0)
    #expect(symlink("loop.pub", scratch.path("keys/allowed/loop.pub")) == 0)
    #expect(symlink("/dev/zero", scratch.path("keys/allowed/device.pub")) == 0)
    _ = try scratch.file("keys/allowed/large.pub", String(repeating: "0", count: 100_000))
    let allowed = try allowed()
    #expect(allowed.holders.values.map(\.name) == ["local"])
    let problems = allowed.problems.map(\.description)
    for (name, reason) in [
      ("device", "is not a regular file"), ("directory", "is not a regular file"), ("fifo", "is not a regular file"),
      ("large", "holds no key"), ("loop", "Too many levels of symbolic links"),
    ] {
      #expect(problems.contains { $0.contains("allowed/\(name).pub ") && $0.contains(reason) }, "\(problems)")
    }
    #expect(problems.count == 5)
  }

  @Test func aLinkToAKeyIsFollowedAsConfigurationMapsNeed() throws {
    try keys.create()
    let data = scratch.path("keys/allowed/..data")
    #expect(mkdir(data, 0o700) == 0)
    #expect(rename(scratch.path("keys/allowed/local.operator.pub"), data + "/local.operator.pub") == 0)
    #expect(symlink("..data/local.operator.pub", scratch.path("keys/allowed/local.operator.pub")) == 0)
    #expect(try allowed().holders.count == 1)
    #expect(try allowed().problems.isEmpty)
  }

  @Test func aFileWithoutARoleAllowsEverythingAndIsNamed() throws {
    try keys.create()
    let files = scratch.path("keys/allowed")
    #expect(rename(files + "/local.operator.pub", files + "/laptop.pub") == 0)
    let allowed = try allowed()
    #expect(Array(allowed.holders.values) == [KeyHolder(name: "laptop", role: .operator)])
    #expect(allowed.filesWithoutRole == ["laptop.pub"])
  }

  /// Otherwise a misspelled role would permit everything.
  @Test(arguments: ["w1.Worker.pub", "c2.revoked.pub", "c2.client.disabled.pub", "laptop.example.pub", "a..pub"])
  func aFileWithAnUnknownRoleAllowsNobodyAndIsNamed(file: String) throws {
    try keys.create()
    let files = scratch.path("keys/allowed")
    #expect(rename(files + "/local.operator.pub", "\(files)/\(file)") == 0)
    let allowed = try allowed()
    #expect(allowed.holders.isEmpty && allowed.filesWithoutRole.isEmpty)
    let problem =
      "\(files)/\(file) has no role after the last dot of its name; rename it to NAME.worker.pub, NAME.client.pub or "
      + "NAME.operator.pub"
    #expect(allowed.problems.map(\.description) == [problem])
  }

  /// Otherwise the order of files would decide about the role.
  @Test func aKeyInTwoFilesHasTheRoleOfTheFirst() throws {
    try keys.create()
    let text = try String(contentsOfFile: scratch.path("keys/allowed/local.operator.pub"), encoding: .utf8)
    _ = try scratch.file("keys/allowed/a.worker.pub", text)
    let allowed = try allowed()
    #expect(Array(allowed.holders.values) == [KeyHolder(name: "a", role: .worker)])
    #expect(allowed.problems.first?.description.contains("local.operator.pub holds the key that a has") == true)
  }

  @Test(arguments: [
    "a b.pub", "\u{1b}[2J.pub", String(repeating: "a", count: 65) + ".pub", ".worker.pub", "ä.worker.pub",
  ])
  func namesThatCannotBeShownAreNoNamesOfKeys(file: String) {
    #expect(
      errorText { _ = try AllowedKeyName(file: file, in: "allowed") }
        == "allowed/\(file) has no name of letters, digits, - , _ and . with at most 64 bytes")
  }

  @Test func theRoleIsTheLastPartOfAName() throws {
    func name(_ file: String) throws -> AllowedKeyName { try AllowedKeyName(file: file, in: "allowed") }
    #expect(try name("a.b.worker.pub") == AllowedKeyName("a.b", .worker))
    #expect(try name("worker.pub") == AllowedKeyName("worker", nil))
    for role in PeerRole.allCases {
      let farm = AllowedKeyName("farm", role)
      #expect(try name(farm.file) == farm)
    }
  }

  @Test func otherFilesInTheDirectoryOfAllowedKeysAreIgnored() throws {
    try keys.create()
    _ = try scratch.file("keys/allowed/README", "those of the build farm")
    _ = try scratch.file("keys/allowed/.editing.pub", "half")
    #expect(try allowed().holders.count == 1)
    #expect(try allowed().problems.isEmpty)
  }
}
