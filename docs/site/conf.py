# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphinx's settings for the documentation site; prepare.py makes the sources, scripts/docs runs both."""
import os

project = "twosphere"
author = "The twosphere developers"
copyright = author
version = release = os.environ["TWOSPHERE_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4
breathe_projects = {"twosphere": os.environ["TWOSPHERE_XML"]}
breathe_default_project = "twosphere"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
# What files of the package define belongs to the package.
python_use_unqualified_type_names = True
napoleon_use_ivar = True
# What doc comments write in backquotes is code.
default_role = "code"
highlight_language = "text"
primary_domain = "cpp"

html_theme = "furo"
html_title = f"twosphere {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/twosphere.svg"
html_logo = "static/twosphere.svg"
html_extra_path = ["extra"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
# Plain JavaScript of the site itself only: it is read without a network.
html_use_opensearch = ""

linkcheck_anchors = False
