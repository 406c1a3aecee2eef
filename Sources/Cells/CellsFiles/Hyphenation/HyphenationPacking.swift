import CellTemplates
import Foundation

/// The hyphenation dictionaries that a cells file names by language, and the patterns that were read from them.
struct HyphenationPacking {
  private var patterns: [SourceNode.Member] = []
  private(set) var mistakes: [CellError] = []
  /// The warnings about what of a dictionary has no effect.
  private(set) var warnings: [CellError] = []
  /// The files with their identities when they were read.
  private(set) var identities: [String: FileIdentity] = [:]

  private static let key = "hyphenation"

  /// - Parameter directory: the directory of the cells file, to which the paths of dictionaries are relative.
  init(_ source: SourceNode, directory: URL) {
    guard let node = source[Self.key] else { return }
    guard case .mapping(let members, _) = node else {
      mistakes.append(
        CellError("must be dictionaries by language: {de: /usr/share/hyphen/hyph_de_DE.dic}", path: [Self.key]))
      return
    }
    for member in members {
      do throws(CellError) {
        let text = try read(member.value, path: [Self.key, member.key], directory)
        patterns.append(SourceNode.Member(key: member.key, position: member.position, value: .string(text, nil)))
      } catch {
        mistakes.append(error.within(member.key).within(Self.key))
      }
    }
  }

  private mutating func read(_ node: SourceNode, path: [String], _ directory: URL) throws(CellError) -> String {
    guard case .string(let name, _) = node else { throw CellError("must be the path of a dictionary of libhyphen") }
    let file = URL(fileURLWithPath: name, relativeTo: directory).path
    guard let identity = FileIdentity(path: file), identity.isRegularFile,
      let bytes = FileManager.default.contents(atPath: file)
    else {
      throw CellError("\(name) cannot be read; Debian's packages hyphen-* have dictionaries in /usr/share/hyphen")
    }
    guard FileIdentity(path: file) == identity else { throw CellError("\(name) changes while it is read") }
    do throws(CellError) {
      let dictionary = try HyphenationFile(bytes)
      identities[file] = identity
      if dictionary.leftOut > 0 {
        warnings.append(
          CellError(
            "does not apply \(dictionary.leftOut) patterns that change letters where a word is divided (/); such words are not "
              + "divided there", path: path))
      }
      return dictionary.patterns
    } catch {
      throw CellError("\(name) \(error.message)")
    }
  }

  /// Returns the cells file with the patterns in place of the paths.
  func packed(_ source: SourceNode) -> SourceNode {
    guard case .mapping(let members, let position) = source else { return source }
    return .mapping(
      members.map { member in
        guard member.key == Self.key else { return member }
        return SourceNode.Member(key: member.key, position: member.position, value: .mapping(patterns, nil))
      }, position)
  }
}
