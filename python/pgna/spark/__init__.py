"""Archives on a cluster, with PySpark 4.1 or later.

>>> pgna.spark.register(spark)
>>> games = spark.read.format("pgna").option("columns", "White, Result").load("games.pgna")
>>> games.where("Result = '1-0'").count()
2
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from ._pack import ClusterReport, pack
from ._source import PgnaDataSource

__all__ = ["ClusterReport", "PgnaDataSource", "pack", "register"]


def register(spark: SparkSession) -> None:
    """Makes ``pgna`` a format of a session: ``spark.read.format("pgna")``.

    Python data sources are given filters only if the session says so, and one that takes filters
    cannot be read otherwise; so this sets ``spark.sql.python.filterPushdown.enabled``.
    """
    spark.dataSource.register(PgnaDataSource)
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
