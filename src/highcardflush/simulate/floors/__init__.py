"""Simulates years of play at linked tables with one progressive: its meters, reserves, wins and house advances."""

from highcardflush.simulate.floors.floor import Floor, FloorFile, load_floor
from highcardflush.simulate.floors.result import FloorResult, MeterResult
from highcardflush.simulate.floors.run import simulate_floor

__all__ = ["Floor", "FloorFile", "FloorResult", "MeterResult", "load_floor", "simulate_floor"]
