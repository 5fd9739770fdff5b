"""Who may do what, asked of the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.utils import timezone

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import PERMISSIONS, ROLES
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.models import CustomField, Image
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

NOBODY = "no account"
CONTENT = (Event, Venue, Organizer)
ME, SOMEBODY_ELSE = 1, 2
NO, YES, OWN, ALL = "–", "yes", "own", "all"


class Person(NamedTuple):
    """Somebody with one role, as the rules see people."""

    role: str
    pk: int = ME

    @property
    def is_authenticated(self) -> bool:
        return self.role != NOBODY

    def has_perm(self, permission: str) -> bool:
        return permission in PERMISSIONS[self.role]


PEOPLE = tuple(map(Person, (*ROLES, NOBODY)))
Answer = Callable[[Person], str]


def rights() -> list[tuple[str, list[str]]]:
    """What is done, and what each of `PEOPLE` may do of it."""
    return [(action, [answer(person) for person in PEOPLE]) for action, answer in ACTIONS.items()]


def _on_rows(rule: Callable[..., bool], *statuses: str) -> Answer:
    """`all`, `own` or none of the events, venues and organizers of these statuses."""

    def answer(person: Person) -> str:
        return _agreed(
            _whose(
                *(
                    rule(person, model(author_id=author, status=status, published_at=timezone.now()))
                    for author in (ME, SOMEBODY_ELSE)
                )
            )
            for model in CONTENT
            for status in statuses
        )

    return answer


def _on_images(person: Person) -> str:
    return _agreed(
        _whose(*(rule(person, Image(author_id=author)) for author in (ME, SOMEBODY_ELSE)))
        for rule in (rules.can_edit, rules.can_delete)
    )


def _of_type(action: str, *models: Any) -> Answer:
    return lambda person: _agreed(YES if rules.may(person, action, model) else NO for model in models)


def _writing(model: Any) -> Answer:
    return lambda person: _agreed(
        YES if rules.may(person, action, model) else NO for action in ("add", "change", "delete")
    )


def _publishing(person: Person) -> str:
    """What becomes of a new record that is to be published."""
    if not person.is_authenticated or not all(rules.can_create(person, model) for model in CONTENT):
        return NO
    return _agreed(
        YES if (status := rules.status_for(person, model, Status.PUBLISH)) == Status.PUBLISH else f"becomes {status}"
        for model in CONTENT
    )


def _whose(own: bool, others: bool) -> str:
    return ALL if own and others else OWN if own else NO


def _agreed(answers: Iterable[str]) -> str:
    """The one answer. Raises ValueError where one line of the table cannot say it for all."""
    (answer,) = set(answers)
    return answer


UNPUBLISHED = (Status.DRAFT, Status.PENDING)
PUBLISHED = (Status.PUBLISH, Status.PRIVATE)
ACTIONS: dict[str, Answer] = {
    "Read published records": _on_rows(rules.can_read, Status.PUBLISH),
    "Read drafts, pending and private records": _on_rows(rules.can_read, *UNPUBLISHED, Status.PRIVATE),
    "Ask a list for other statuses": _of_type("change", *CONTENT),
    "Create events, venues and organizers": _of_type("add", *CONTENT),
    "Publish them": _publishing,
    "Change drafts and pending records": _on_rows(rules.can_edit, *UNPUBLISHED),
    "Change published, scheduled and private records": _on_rows(rules.can_edit, *PUBLISHED, Status.FUTURE),
    "Trash drafts and pending records": _on_rows(rules.can_delete, *UNPUBLISHED),
    "Trash published, scheduled and private records": _on_rows(rules.can_delete, *PUBLISHED, Status.FUTURE),
    "Act as another author": _of_type("change_others", *CONTENT),
    "Write categories": _writing(Category),
    "Write tags": _writing(Tag),
    "Add images": _of_type("add", Image),
    "Change and delete images": _on_images,
    "Declare custom fields": _writing(CustomField),
    "Look after accounts and roles": _writing(User),
}
