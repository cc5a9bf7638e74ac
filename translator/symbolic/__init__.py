"""The hooks of the InstructionTranslator, a family a file: what each operation means on symbols."""
