"""Accounts and sessions of people."""
