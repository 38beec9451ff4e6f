"""Accounts and sessions of people."""

from highcardflush.web.accounts.accounts import Accounts
from highcardflush.web.accounts.codes import first_admin_code
from highcardflush.web.accounts.sessions import Sessions

__all__ = ["Accounts", "Sessions", "first_admin_code"]
