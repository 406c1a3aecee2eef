import Foundation
import HTTPServing

/// The description of a gateway's routes in OpenAPI, with the names of its cells files.
enum RoutesDescription {
  /// - Parameters:
  ///   - names: The names of the cells files.
  ///   - needsToken: Whether requests have to state a token.
  static func response(cells names: [String], needsToken: Bool) -> HTTPResponse {
    let bytes = EmbeddedFiles.file("Web/Gateway/openapi.json")
    guard var document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      var components = document["components"] as? [String: Any],
      var parameters = components["parameters"] as? [String: Any], var cells = parameters["cells"] as? [String: Any]
    else { return HTTPResponse(type: "application/json", body: bytes) }
    cells["schema"] = ["type": "string", "enum": names]
    cells["required"] = names.count > 1
    parameters["cells"] = cells
    components["parameters"] = parameters
    document["components"] = components
    if !needsToken { document["security"] = [[String: Any]]() }
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try? JSONSerialization.data(withJSONObject: document, options: options)
    return HTTPResponse(
      type: "application/json", headers: [("cache-control", "no-cache")], body: text.map { [UInt8]($0) } ?? bytes)
  }
}
