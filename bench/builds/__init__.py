"""What a build behind the launcher costs: plain, the first time, warm, and after the journal."""
