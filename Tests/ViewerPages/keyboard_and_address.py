"""Checks of the address, the key for the theme, and the focus, in the page of a list that is watched."""

import json

from viewing import Page, check
from watched import REVISION, Files


def check_address(page: Page, files: Files):
    """The page follows an address that is entered, and the link to the list leaves the place in it."""
    page.tab.evaluate("location.hash = '#row=700&variants=w390'")
    page.wait_for("document.querySelector('#variants [aria-pressed=true]').textContent.includes('390')")
    check(page.drawn()[0]["row"] == 700, "the row of the address is not at the top")
    address = page.run("location.hash")
    page.tab.locator(".skip").focus()
    page.tab.keyboard.press("Enter")
    page.wait_for("document.activeElement.id === 'list'")
    check(page.run("location.hash") == address, "the link to the list takes the place out of the address")
    page.tab.go_back()
    page.wait_for("document.querySelector('#variants [aria-pressed=true]').textContent.includes('320')")
    check(page.drawn()[0]["row"] == 0, "the row of the earlier address is not at the top")


def check_theme(page: Page, files: Files):
    """The key for light and dark draws the ranges in other colors."""
    # The left side of the frame around the viewport, and the color that it has in the style.
    colors = """(() => {
      const canvas = document.getElementById('ranges')
      const pixel = canvas.getContext('2d').getImageData(4, Math.round(canvas.height * 0.45), 1, 1).data
      const style = document.createElement('canvas').getContext('2d')
      style.fillStyle = getComputedStyle(canvas).getPropertyValue('--ink')
      return {drawn: '#' + Array.from(pixel.slice(0, 3), (value) => value.toString(16).padStart(2, '0')).join(''), ink: style.fillStyle}
    })()"""
    # After the reply about prefetching, which draws the ranges, nothing but the key does.
    with page.tab.expect_event("requestfinished", lambda request: "/prefetch/" in request.url):
        page.jump("@3000")
    page.run("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.wait_for(f"{colors}.drawn === {colors}.ink")
    before = page.run(f"{colors}.ink")
    page.tab.keyboard.press("t")
    page.wait_for(f"{colors}.ink !== {json.dumps(before)} && {colors}.drawn === {colors}.ink")


def check_focus(page: Page, files: Files):
    """What has the focus keeps it when it is drawn anew."""
    focus = "document.activeElement.value || document.activeElement.id"

    def relaid(size: float):
        revision = page.run(REVISION)
        files.save_cells(size)
        page.wait_for(f"{REVISION} !== '{revision}'")

    page.tab.locator("#variants button").nth(1).focus()
    page.tab.keyboard.press("Space")
    page.wait_for("document.querySelectorAll('#variants [aria-pressed=true]').length === 2")
    check(page.run(focus) == "w390", f"{page.run(focus)!r} has the focus after a variant was shown")
    page.tab.locator("#tab-heights").focus()
    relaid(20)
    check(page.run(focus) == "tab-heights", f"{page.run(focus)!r} has the focus of a tab after a new layout")
    page.wait_for("document.querySelectorAll('#page .row-list button').length > 3")
    button = page.tab.locator("#page .row-list button").nth(3)
    button.focus()
    row, old = page.run(focus), page.run("document.querySelector('#page .row-list').textContent")
    relaid(15)
    page.wait_for(f"document.querySelector('#page .row-list').textContent !== {json.dumps(old)}")
    check(page.run(focus) in (row, "page"), f"{page.run(focus)!r} has the focus of the list of rows after a new layout")
    page.tab.locator("#row-5 .cell").first.click()
    page.tab.locator("#page tbody button").nth(1).focus()
    page.tab.keyboard.press("Enter")
    page.wait_for("document.querySelector('#page .line-of-tree.chosen') !== null")
    check(page.run("document.activeElement.textContent") == "text", f"{page.run(focus)!r} has the focus of the list of frames")
