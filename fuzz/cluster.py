"""A campaign over the workers of a Dask cluster: `opshift fuzz run --cluster tcp://scheduler:8786`.

Slices are carried out where Dask puts them; each of its workers starts the interpreters by the same
commands, so these must be there. A slice of a worker that goes away is carried out again by another.
"""

from __future__ import annotations

import atexit
from concurrent.futures import Executor, Future
from typing import Any

#: how often a slice is tried on another worker
_RETRIES = 5


class NoCluster(ValueError):
    """A cluster that cannot be reached, or Dask that is not there."""


class ClusterExecutor(Executor):
    """An executor whose calls are carried out by a cluster.

    Args:
        address: of the scheduler.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise NoCluster(f"--cluster needs Dask (pip install 'opshift[cluster]'): {error}") from None
        try:
            self.client: Any = Client(address, timeout=20, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise NoCluster(f"no Dask scheduler at {address!r}: {error}") from None
        self._executor: Executor = self.client.get_executor(retries=_RETRIES, pure=False)
        self._closed = False
        atexit.register(self.shutdown)

    @property
    def size(self) -> int:
        """How many slices can be carried out at once."""
        return max(1, sum(self.client.nthreads().values()))

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A call on the cluster."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster as it was."""
        if not self._closed:
            self._closed = True
            self._executor.shutdown(wait=False)
            self.client.close()
