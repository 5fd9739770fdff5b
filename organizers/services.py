"""Services of organizers: the common services of venues and organizers."""

from __future__ import annotations

from calendar_site.audit.record_services import ContentServices
from calendar_site.content.services import ContentChanges, apply_content, delete_linked, save_content, trash_linked
from organizers.models import Organizer


class OrganizerChanges(ContentChanges, total=False):
    """The fields of an organizer, by model field name; missing keys change nothing."""

    phone: str
    website: str
    email: str


organizer_services: ContentServices[Organizer] = ContentServices(
    save=save_content, apply=apply_content, trash=trash_linked, delete=delete_linked
)
