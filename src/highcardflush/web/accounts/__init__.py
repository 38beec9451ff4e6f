"""Accounts: who somebody is, and how they show it."""

from highcardflush.web.accounts.accounts import Accounts
from highcardflush.web.accounts.codes import first_admin_code

__all__ = ["Accounts", "first_admin_code"]
