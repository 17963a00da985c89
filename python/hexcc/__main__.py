"""python -m hexcc, and the command hexcc of the wheel: the program itself."""

import os
import subprocess
import sys

from ._run import binary


def main():
    command = [binary(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
