"""The office: people and their shifts, two-person approval, alerts, floor settings, epochs and the house key."""
