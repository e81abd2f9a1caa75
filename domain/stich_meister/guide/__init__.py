"""What people read about Stich-Meister: rule sheets, texts, lesson, tips, and reasons for hints."""
