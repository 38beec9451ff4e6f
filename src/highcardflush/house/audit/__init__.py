"""The auditor: reads the books, without a key or the code that wrote them, and reports every error with its place."""

from highcardflush.house.audit.driver import Report, audit
from highcardflush.house.audit.findings import Finding, Note

__all__ = ["Finding", "Note", "Report", "audit"]
