"""Briefs for common jobs, of which only what differs each time has to be typed; and those that the user keeps."""

from research.templates.jobs import JOBS, Job
from research.templates.own import OwnTemplate
from research.templates.personas import PERSONAS, Persona

__all__ = ["JOBS", "PERSONAS", "Job", "OwnTemplate", "Persona"]
