"""Checks cells files against the JSON Schema that galley prints, as an editor does: `validate_cells.py SCHEMA FILE…`."""

import json
import sys

import jsonschema
import yaml

WRONG = [
    "{}",
    "version: 2",
    "{version: 1, cell: {}}",
    "{version: 1, cells: {A: {}}}",
    "{version: 1, cells: {A: {layout: {type: stak}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, spacing: wide}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, alignItems: middle}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, margin: 3}}}}",
    "{version: 1, cells: {A: {layout: {type: inset}}}}",
    "{version: 1, cells: {A: {layout: {type: text}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, style: {width: 10px}}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, when: {nott: a}}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: [{type: spec, style: {flexgrow: 1}}]}}}}",
    "{version: 1, fonts: {body: {family: Inter}}}",
    "{version: 1, fonts: {body: {family: Inter, size: '{n}'}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: [{type: spec, forEach: a, limit: n}]}}}}",
    "{version: 1, platforms: {android: {linearText: '{n}'}}}",
    "{version: 1, cells: {A: {layout: {type: image, imageSize: [-1, 2]}}}}",
    "{version: 1, cells: {A: {layout: {type: text, runs: [{url: a}]}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, when: {field: a, equals: [1]}}}}}",
    "{version: 1, lang: en_US}",
    "{version: 1, hyphenation: {x: a.dic}}",
    "{version: 1, fallback: [{family: Inter, fontFeatures: {tnum: 1}}]}",
    "{version: 1, fallback: [{weight: bold}]}",
    "{version: 1, fonts: {body: {size: 12}}}",
    "{version: 1, fonts: {body: {family: Inter, file: a.otf, size: 12}}}",
    "{version: 1, fonts: {body: {family: Inter, size: 0}}}",
    "{version: 1, fonts: {body: {family: Inter, size: 10001}}}",
    "{version: 1, fonts: {body: {family: Inter, size: 12, weight: bald}}}",
    "{version: 1, fonts: {body: {file: a.otf, size: 12, faceIndex: 65536}}}",
    "{version: 1, fonts: {body: {family: Inter, size: 12, fontFeatures: {tnums: 1}}}}",
    "{version: 1, fonts: {body: {family: Inter, size: 12, axes: {wdt: 85}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, forEach: a}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: [{type: spec, as: a}]}}}}",
    "{version: 1, cells: {A: {layout: {type: text, runs: [{text: a, limit: 2}]}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, style: {width: 'min(10%, 20%)'}}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: [{if: a, then: {type: spec}}]}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: ['{e}']}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: '{c}'}}}}",
    "{version: 1, cells: {A: {layout: {type: inset, insets: 1, child: '{c}'}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, style: '{s}'}}}}",
    "{version: 1, cells: {A: {layout: {type: '{t}'}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, when: {field: a, atLeast: '{n}'}}}}}",
    "{version: 1, cells: {A: {layout: {type: stack, children: [{type: spec, forEach: a, limit: '{n}'}]}}}}",
    "{version: 1, cells: {A: {layout: {type: text, runs: ['{r}']}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, style: {sizeRange: {}}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: stack, spacing: wide}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: stack, children: [{type: spec, styl: '{p}'}]}}}}",
]

RIGHT = [
    "{version: 1, cells: {A: {layout: {type: stack, spacing: '{s?}', alignItems: {if: mine, then: end, else: start}}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, style: {width: 40%, sizeRange: {max: [10, inf]}, flexGrow: true}}}}}",
    "{version: 1, fallback: system, fonts: {body: {file: a.otf, size: 12, lineHeight: normal, weight: bold}}}",
    "{version: 1, cells: {A: {layout: {type: text, text: {if: {not: a}, then: b}, when: {any: [a, {field: n, atLeast: 1}]}}}}}",
    "{version: 1, templates: {T: {parameters: {content: null}, layout: {type: inset, insets: 1, child: '{content}'}}}}",
    "{version: 1, cells: {A: {layout: {type: multiplexImage, images: {if: wide, then: [{url: a}], else: '{images}'}}}}}",
    "{version: 1, cells: {A: {layout: {type: node, calculatedSize: [{if: wide, then: [9, 9]}, [3, 3]]}}}}",
    "{version: 1, cells: {A: {layout: {type: multiplexImage, images: ['{first}', {url: a}]}}}}",
    "{version: 1, cells: {A: {layout: {type: spec, style: {width: 'min( +240, 1e1%)', sizeRange: {min: '{low}', max: {if: a, then: [1, 2]}}}}}}}",
    '{version: 1, cells: {A: {layout: {type: stack, spacing: "{a\\n/ 2}"}}}}',
    "{version: 1, templates: {T: {layout: {type: spec, as: a, limit: 3}}}, cells: {A: {layout: {type: stack, children: [{use: T, forEach: b}]}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: stack, style: '{p}', children: '{p}'}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: stack, children: [{type: '{p}', forEach: a, limit: '{p}'}]}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: inset, insets: 1, child: {if: '{p}', then: {type: spec}}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: spec, when: {field: a, atLeast: '{p}'}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: text, runs: ['{p}', {if: '{p}', then: {text: a}}]}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {if: '{p}', then: {use: U, with: '{p}'}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: spec, id: {if: p, then: a}, when: {not: {if: p, then: b}}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {use: {if: p, then: U, else: U}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: spec, when: {field: {if: p, then: a, else: b}, equals: 1}}}}}",
    "{version: 1, templates: {T: {parameters: [p], layout: {type: spec, when: {all: {if: p, then: [a], else: [a]}}}}}}",
    "{version: 1, cells: {A: {layout: {type: text, runs: '{r}'}}}}",
]


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in sys.argv[2:]:
        with open(path) as file:
            errors = [f"{list(error.path)}: {error.message[:200]}" for error in validator.iter_errors(yaml.safe_load(file))]
        assert not errors, f"{path}: {errors}"
    for text in RIGHT:
        errors = [error.message for error in validator.iter_errors(yaml.safe_load(text))]
        assert not errors, f"{text}: {errors}"
    for text in WRONG:
        assert not validator.is_valid(yaml.safe_load(text)), f"accepted: {text}"
    print(f"the schema accepts {len(sys.argv) - 2} cells files and {len(RIGHT)} cells, and refuses {len(WRONG)} wrong ones")


main()
