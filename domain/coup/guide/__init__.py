"""What people read about Coup: rule sheets, texts, lesson, tips, and reasons for hints."""
