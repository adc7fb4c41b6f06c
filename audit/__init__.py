"""Keeps and shows what was judged: the record, alerts, the web interface, evidence and reports."""
