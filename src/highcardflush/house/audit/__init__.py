"""The auditor: reads the books with no key and no code of those who wrote them, and says what is wrong and where."""

from highcardflush.house.audit.findings import Finding, Note
from highcardflush.house.audit.run import Report, audit

__all__ = ["Finding", "Note", "Report", "audit"]
