import Buffers

/// What elements fetch beside one URL: the posters of videos and the images of multiplex images.
extension RowBinder {
  /// Adds the resources of an element after that of its `url`, if it has one.
  @inline(never)
  func bindResources(
    _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ bound: inout BoundElement, _ values: RowValues
  ) throws(CellError) {
    do throws(CellError) {
      if template.pointee.poster != absent {
        do throws(CellError) {
          let url = try counted(try values.text(template.pointee.poster))
          if !url.isEmpty { add(BoundResource(url: url, type: .networkImage, hasDetails: true), to: &bound) }
        } catch { throw error.within("posterUrl") }
      }
      if template.pointee.images != absent {
        do throws(CellError) { try bindImages(template, &bound, values) } catch { throw error.within("images") }
      }
    } catch {
      throw error.within(contentsOf: values.templates.pointee.path(of: index))
    }
  }

  private func add(_ resource: BoundResource, to bound: inout BoundElement) {
    if bound.resource == absent {
      bound.resource = Int32(truncatingIfNeeded: state.resources.count)
    } else {
      state.resources.base[state.resources.count - 1].isContinued = true
    }
    state.resources.append(resource)
  }

  private func bindImages(
    _ template: UnsafeMutablePointer<TemplateElement>, _ bound: inout BoundElement, _ values: RowValues
  ) throws(CellError) {
    let written = values.templates.pointee.patches[Int(template.pointee.images)]
    let list = written.dependent == absent ? written.value : try values.value(of: written.dependent)
    guard let list, !list.isNull else { return }
    guard list.kind == .array else { throw wrongType(list, ImageList.expected) }
    try list.forEachElement { (position, item) throws(CellError) in
      try countIteration()
      do throws(CellError) {
        let image = try ImageList.image(item, ValueReader(source: values))
        _ = try counted(image.url)
        add(image, to: &bound)
      } catch { throw error.within("\(position)") }
    }
  }
}

/// The images of a multiplex image: `[{url, width, height}]`.
enum ImageList {
  static let expected = "a list of {url, width, height}"

  /// Reads an image, whose width and height are pixels.
  static func image(_ item: JSONValue, _ reader: ValueReader<some ValueSource>) throws(CellError) -> BoundResource {
    guard let item = try reader.resolve(item), item.isObject else {
      throw wrongType(item, "an object {url, width, height}")
    }
    var image = BoundResource(url: .empty, type: .multiplexImage, hasDetails: true)
    try reader.forEachMember(of: item) { (key, value) throws(CellError) in
      switch key {
      case ByteString("url"): image.url = try reader.string(value) ?? .empty
      case ByteString("width"): image.pixelWidth = try pixels(value, reader)
      case ByteString("height"): image.pixelHeight = try pixels(value, reader)
      default: break
      }
    }
    guard !image.url.isEmpty else { throw CellError("needs a url") }
    return image
  }

  private static func pixels(_ value: JSONValue, _ reader: ValueReader<some ValueSource>) throws(CellError) -> UInt32 {
    try reader.count(value).map { UInt32($0) } ?? 0
  }
}
