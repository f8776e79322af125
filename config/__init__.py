"""Settings, addresses, the processes, and the generic tools in `lib`. `.env` is read before anything else."""

import gc

from config.environment import read

gc.set_threshold(20_000, 20, 50)  # Python's own takes a tenth of the time of a start, and of a running server's
read()
