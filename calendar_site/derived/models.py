"""The derived data installed in this database, the version of its content, and the words of suggestions."""

from django.db import models


class InstalledData(models.Model):
    """Derived data whose triggers are installed, and which has been rebuilt since."""

    name = models.CharField(max_length=100, primary_key=True)
    # Of the triggers and the format. Data with another one is rebuilt; "" if migrations may have made it stale.
    fingerprint = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class StaleData(models.Model):
    """Installed data one of whose sources has changed since its triggers were dropped, to be rebuilt.

    A name may have several rows, so that writers at the same time do not wait for each other.
    """

    name = models.CharField(max_length=100)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class ContentVersion(models.Model):
    """A part of the content version, which is the sum of all parts. See `derived.content_version`."""

    slot = models.SmallIntegerField(primary_key=True)
    version = models.BigIntegerField()
    # The Unix time of the last change.
    changed_at = models.FloatField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.slot)


class SearchWord(models.Model):
    """A word in titles, and its variants: the word itself, and the word without one of its characters.

    A misspelled word has a variant in common with the right one. The words are those of all records, so a word must
    only be shown to a user who may see it elsewhere. Words of deleted records stay until the next day.
    """

    # The name of the model, such as `event`.
    kind = models.CharField(max_length=20)
    variant = models.CharField(max_length=32)
    word = models.CharField(max_length=32)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["kind", "variant", "word"], name="search_word_once")]

    def __str__(self) -> str:
        return self.word
