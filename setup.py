"""The wheel holds the pages beside the engine, where the command `research-workbench` finds them."""

from pathlib import Path
from shutil import copytree, ignore_patterns

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithPages(build_py):
    """Copies app, pages and their settings into the package; an editable installation uses them where they are."""

    def run(self) -> None:
        """Build the package."""
        super().run()
        if self.editable_mode:
            return
        place = Path(self.build_lib, "research", "workbench")
        for folder in ("pages", ".streamlit"):
            copytree(folder, place / folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__", "secrets.toml"))
        self.copy_file("app.py", str(place / "app.py"))


setup(cmdclass={"build_py": BuildWithPages})
