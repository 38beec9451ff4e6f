"""Reads the books without the house key, independently of the code that wrote them, and reports every error."""

from highcardflush.house.audit.driver import Report, audit
from highcardflush.house.audit.findings import Finding, Note

__all__ = ["Finding", "Note", "Report", "audit"]
