"""A column that follows another: what a user name looks like."""

from typing import Any

from django.db import models

from accounts.names import skeleton


class SkeletonField(models.CharField):
    """Hold the skeleton of the row's user name; it is computed anew whenever the row is saved."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = skeleton(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, value)
        return value
