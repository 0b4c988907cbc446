"""Measure how often the answers are right: result comparison, intervals, benchmarks."""
