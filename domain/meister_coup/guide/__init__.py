"""What people read about Meister Coup: rule sheets, texts, lesson, tips, and reasons for hints."""
