"""The threads of a task: as many as Spark gives it, and not all of the machine."""

from __future__ import annotations

import os

from pyspark import TaskContext

#: What the pool of threads of the library reads before it starts.
VARIABLE = "RAYON_NUM_THREADS"


def limit_threads() -> None:
    """Sets the number of threads before the first of them is started, unless it is set already."""
    context = TaskContext.get()
    cpus = 1 if context is None else max(context.cpus(), 1)
    os.environ.setdefault(VARIABLE, str(cpus))
