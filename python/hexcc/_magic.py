"""Cells of C in notebooks."""

from IPython.core.magic import Magics as Base
from IPython.core.magic import cell_magic, magics_class

from ._program import compile
from ._run import HexccError


@magics_class
class Magics(Base):
    """%%hexcc."""

    @cell_magic("hexcc")
    def cell(self, line, cell):
        """%%hexcc [--target=openmp|c|cuda] [flags of hexcc]: compiles the cell. Its functions are then variables of the notebook."""
        words, target = line.split(), "openmp"
        for word in list(words):
            if word.startswith("--target="):
                target = word.partition("=")[2]
                words.remove(word)
        try:
            # Lines are those of the cell: its first one is %%hexcc.
            program = compile("\n" + cell, target=target, flags=words, name="cell.c")
        except HexccError as e:
            print(e)
            return None
        self.shell.push(program.functions)
        return program
