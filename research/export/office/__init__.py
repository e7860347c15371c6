"""Reports as Word and PowerPoint files, each filled from one designed template.

The templates are made by `python -m bench.office_templates`.
"""
