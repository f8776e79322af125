"""The tests. With PROOF=full, as `make proof` sets it, they try in whole what `make test` tries in part."""

import os

FULL = os.environ.get("PROOF") == "full"
