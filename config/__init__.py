"""Settings, addresses, the processes, and the generic tools in `lib`. `.env` is read before anything else."""

from config.environment import read

read()
