import Foundation
import GalleyTestSupport
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

  /// Returns the text of the error that `body` throws, without the path of the directory, or "" without an error.
  private func errorText(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)".replacingOccurrences(of: scratch.directory + "/", with: "") }
    return ""
  }

  @Test func onlyTheirOwnerCanReadSecrets() throws {
    try keys.create()
    _ = try keys.addClient("farm")
    for directory in ["keys", "keys/allowed", "keys/farm"] { #expect(try mode(directory) == 0o700) }
    for secret in ["keys/coordinator.key", "keys/client.key", "keys/farm/client.key"] {
      #expect(try mode(secret) == 0o600)
    }
  }

  @Test func eachClientHasItsOwnAllowedKey() throws {
    try keys.create()
    let farm = try keys.addClient("farm").clientKeys()
    let client = try keys.clientKeys()
    #expect(try keys.allowedKeys() == [client.pair.publicKey, farm.pair.publicKey])
    #expect(client.pair.publicKey != farm.pair.publicKey)
    #expect(client.server == farm.server)
    #expect(try keys.coordinatorSecret.read() != client.pair.secret)
  }

  @Test func keysAreNotOverwritten() throws {
    try keys.create()
    _ = try keys.addClient("farm")
    let before = try (keys.coordinatorSecret.read(), keys.allowedKeys())
    #expect(errorText { try keys.create() } == "keys/coordinator.key is there already, and keys are not overwritten")
    #expect(
      errorText { _ = try keys.addClient("farm") }
        == "keys/farm/client.key is there already, and keys are not overwritten")
    #expect(errorText { _ = try keys.addClient("client") }.contains("keys/allowed/client.pub is there already"))
    #expect(try keys.coordinatorSecret.read() == before.0)
    #expect(try keys.allowedKeys() == before.1)
  }

  @Test(arguments: ["allowed", "", "..", "a/b", ".hidden", "a b", String(repeating: "a", count: 65)])
  func invalidClientNamesAreRefused(name: String) throws {
    try keys.create()
    #expect(errorText { _ = try keys.addClient(name) }.contains("is no client's name"))
  }

  @Test func theErrorForAMissingKeyNamesTheCommandThatMakesKeys() throws {
    #expect(
      errorText { _ = try keys.clientKeys() }
        == "keys/client.key cannot be read: No such file or directory; `galley keys` makes keys")
    #expect(errorText { _ = try keys.addClient("farm") }.contains("keys/coordinator.pub cannot be read"))
    #expect(errorText { _ = try keys.allowedKeys() }.contains("keys/allowed cannot be read"))
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
  func theErrorForAFileWithoutAKeyNamesTheFile(text: String) throws {
    try keys.create()
    _ = try scratch.file("keys/allowed/odd.pub", text)
    #expect(errorText { _ = try keys.allowedKeys() }.hasPrefix("keys/allowed/odd.pub holds no key"))
  }

  @Test func otherFilesInTheDirectoryOfAllowedKeysAreIgnored() throws {
    try keys.create()
    _ = try scratch.file("keys/allowed/README", "those of the build farm")
    _ = try scratch.file("keys/allowed/.editing.pub", "half")
    #expect(try keys.allowedKeys().count == 1)
  }
}
