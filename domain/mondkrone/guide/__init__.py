"""What people read about Mondkrone: rule sheets, texts, lesson, tips, and reasons for hints."""
