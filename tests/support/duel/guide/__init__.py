"""What people read about Duel: rule sheets, texts, lesson, tips, and reasons for hints."""
