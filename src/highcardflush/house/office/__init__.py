"""The office: people and their shifts, changes that take two, alerts, floor settings, epochs and the house key."""
