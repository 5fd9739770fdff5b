"""The form of a source."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile as FormFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminPasswordWidget, UnfoldAdminSelectWidget

from calendar_site.transfer.models import Source, SourceKind
from calendar_site.transfer.readers.table_dates import DateOrder
from calendar_site.transfer.sources import MAX_FILE_BYTES

DATE_ORDERS = [
    ("", gettext_lazy("Decide from the dates")),
    (DateOrder.DAY_FIRST.value, gettext_lazy("Day first")),
    (DateOrder.MONTH_FIRST.value, gettext_lazy("Month first")),
]


class SourceForm(forms.ModelForm):
    """The settings of a source, with its file."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        widget=UnfoldAdminFileFieldWidget,
        help_text=gettext_lazy("Instead of a URL. At most 10 MB."),
    )
    keep_ids = forms.BooleanField(
        label=gettext_lazy("Keep IDs"),
        required=False,
        help_text=gettext_lazy("For clients that know the IDs of the old site. Only with an empty calendar."),
    )
    date_order = forms.ChoiceField(
        label=gettext_lazy("Order of dates in tables"),
        required=False,
        choices=DATE_ORDERS,
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        model = Source
        fields = (
            "name", "kind", "url", "new_status", "category", "venue", "creates_venues", "skip_pattern",
            "read_times_as", "header", "interval_hours", "absence",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options = self.instance.options
        self.initial["keep_ids"] = options.get("keep_ids", False)
        self.initial["date_order"] = options.get("date_order", "")
        if "header" in self.fields:
            # It may be a password, so that nobody reads it again.
            self.fields["header"].widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"})
            if self.instance.header:
                self.fields["header"].help_text = _("A header is set. Leave the field empty to keep it.")

    def clean_header(self) -> str:
        return str(self.cleaned_data["header"] or self.instance.header)

    def clean_file(self) -> FormFile | None:
        file: FormFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MAX_FILE_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB. Import it with a command on the server."))
        return file

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        has_file = bool(data.get("file")) or (self.instance.pk and hasattr(self.instance, "file"))
        if "url" in data and not data["url"] and not has_file:
            self.add_error("url", _("Enter a URL, or choose a file."))
        if data.get("url") and data.get("file"):
            self.add_error("file", _("Enter a URL or choose a file, not both."))
        if data.get("kind") == SourceKind.TEC and data.get("file"):
            self.add_error("kind", _("A site is read from its URL. A file of it is a WordPress export."))
        options = {**self.instance.options, "keep_ids": bool(data.get("keep_ids"))}
        options["date_order"] = data.get("date_order", "")
        self.instance.options = {name: value for name, value in options.items() if value}
        return data
