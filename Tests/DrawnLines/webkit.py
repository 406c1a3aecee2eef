"""Shows a page in WebKitGTK without hinting, with which advances would be rounded to whole pixels."""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

settings = Gtk.Settings.get_default()
settings.set_property("gtk-xft-hinting", 0)
settings.set_property("gtk-xft-hintstyle", "hintnone")
window = Gtk.OffscreenWindow()
window.set_default_size(800, 600)
view = WebKit2.WebView()
view.set_size_request(800, 600)
view.get_settings().set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
window.add(view)
window.show_all()
view.connect("web-process-terminated", Gtk.main_quit)
view.load_uri(sys.argv[1])
Gtk.main()
