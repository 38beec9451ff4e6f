"""The auditor. It reads the books without a key and without the code that wrote them, and reports where errors are."""

from highcardflush.house.audit.driver import Report, audit
from highcardflush.house.audit.findings import Finding, Note

__all__ = ["Finding", "Note", "Report", "audit"]
