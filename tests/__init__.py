"""The tests. With PROOF=full, as `make proof` sets it, they try in whole what `make test` tries in part."""

import os

os.environ.setdefault("ENV_FILE", os.devnull)  # not that of whoever runs them

FULL = os.environ.get("PROOF") == "full"
