"""Reports: what is handed over, drawn from the record in one snapshot, in four formats."""
