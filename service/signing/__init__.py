"""What a deployment signs: its keys, signed notes, and what two of them prove. Pure but for where the keys are kept."""
