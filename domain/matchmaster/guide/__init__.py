"""What people read about MatchMaster: rule sheets, texts, lesson, tips, and reasons for hints."""
