"""Mail people what waits for them, as often as they chose, and nothing twice.

What a person was mailed stands beside what they read (`NoticeRead`): a notice is mailed again only once it has grown.
"""

import logging
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.utils import timezone

from al_worker.formats.plurals import several
from annotation_app.dashboards.log.words import batch_words
from annotation_app.dashboards.notices import COUNTED, Notice, notices_of
from annotation_app.models import Mail, Membership, NoticeRead, User
from annotation_app.one_by_one import logged_failure
from annotation_app.projects.mails import is_configured, mail_enqueue
from annotation_app.projects.own_address import address
from annotation_app.refusals import Refused

logger = logging.getLogger(__name__)

Often = User.NoticeMails
# After a mail, and after a look that found nothing new.
PAUSES = {
    Often.DAILY: (timedelta(days=1), timedelta(hours=1)),
    Often.AT_ONCE: (timedelta(hours=1), timedelta(minutes=5)),
}
SALT = "annotation_app.notice_mails_off"
LINK_INVALID = "This link is not whole. The page Your account says what mail you get, and changes it."
TEXT = """Hello {name},

this waits for you in Quorum:

{lines}

{origin}

You get such a mail {often}, and not twice for the same. Open this link to get none any more:

{off}
"""
OFTEN = {Often.DAILY: "once a day at most", Often.AT_ONCE: "once an hour at most"}


def people_due() -> list[int]:
    """Return the ids of people to look for now: they have a confirmed address, and want such mail."""
    if not is_configured():
        return []
    wanting = User.objects.filter(is_active=True, notice_mails__in=PAUSES).exclude(email="")
    due = wanting.filter(notices_due_at__lte=timezone.now())
    return list(due.order_by("notices_due_at", "pk").values_list("pk", flat=True))


def notices_mail() -> None:
    """Mail everybody who is due what is new to them. Someone whose notices fail keeps nobody else waiting."""
    for pk in people_due():
        with logged_failure(logger, "The notices of account %s", pk):
            person_mail(user_id=pk)


@transaction.atomic
def person_mail(*, user_id: int) -> Mail | None:
    """Mail one person what is unread and was not mailed yet, unless another worker is at it."""
    due = User.objects.filter(pk=user_id, is_active=True, notice_mails__in=PAUSES, notices_due_at__lte=timezone.now())
    user = due.exclude(email="").select_for_update(skip_locked=True, no_key=True).first()
    if user is None:
        return None
    new = unmailed(user)
    after_mail, after_none = PAUSES[Often(user.notice_mails)]
    user.notices_due_at = timezone.now() + (after_mail if new else after_none)
    user.save(update_fields=["notices_due_at"])
    if not new:
        return None
    members = dict(Membership.objects.filter(user=user).values_list("project__uuid", "pk"))
    NoticeRead.objects.bulk_create(
        [NoticeRead(reader_id=members[each.project], key=each.key, level=-1, mailed=each.level) for each in new],
        update_conflicts=True,
        unique_fields=["reader", "key"],
        update_fields=["mailed"],
    )
    return mail_enqueue(address=user.email, subject=f"{several(len(new), 'thing')} in Quorum", text=text_of(user, new))


def unmailed(user: User) -> list[Notice]:
    """Return the unread notices of a level that was not mailed. Counts that fell are new work once they grow again."""
    notices = notices_of(user)
    mailed = {
        (project, key): (pk, level)
        for pk, project, key, level in NoticeRead.objects.filter(reader__user=user, mailed__gte=0).values_list(
            "pk", "reader__project__uuid", "key", "mailed"
        )
    }
    now = {(each.project, each.key): each.level for each in notices}
    for (project, key), (pk, level) in mailed.items():
        if key in COUNTED and level > (fallen := now.get((project, key), 0)):
            NoticeRead.objects.filter(pk=pk).update(mailed=fallen)
    return [each for each in notices if each.unread and each.level > mailed.get((each.project, each.key), (0, -1))[1]]


def text_of(user: User, notices: list[Notice]) -> str:
    origin = address()
    lines: list[str] = []
    for name in dict.fromkeys(each.project_name for each in notices):
        lines += [" ".join(name.split()), *(f"  - {words(each)}" for each in notices if each.project_name == name)]
    off = f"{origin}notice-mails-off#{signing.dumps(str(user.uuid), salt=SALT)}"
    often = OFTEN[Often(user.notice_mails)]
    return TEXT.format(name=user.shown_name, lines="\n".join(lines), origin=origin, often=often, off=off)


def words(notice: Notice) -> str:
    """Say what a notice tells of, as the bell does. It quotes nobody."""
    n, batch = notice.n, batch_words(notice.batch or "round", notice.number)
    capital = batch[:1].upper() + batch[1:]
    return {
        "question": f"{several(n, 'flag')} {'waits' if n == 1 else 'wait'} for your answer",
        "answer": f"{several(n, 'new answer')} on your flags",
        "note": "A note beside the codebook",
        "batch": f"{capital} is open: {several(n, 'item')} for you",
        "failed": f"Round {notice.number} failed",
        "complete": f"{capital} is complete",
        "validate": f"{several(n, 'item')} to validate",
        "decide": f"{several(n, 'item')} without a majority",
        "agree": f"{several(n, 'item')} to agree on after a second look",
        "release": f"Release {notice.number} is made",
    }[notice.kind]


def notice_mails_off(*, token: str) -> User:
    """Stop a person's mails by the link in one of them, which works for good. Raises Refused."""
    try:
        uuid = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise Refused("link_invalid", LINK_INVALID) from error
    user = User.objects.filter(uuid=uuid).first()
    if user is None:
        raise Refused("link_invalid", LINK_INVALID)
    user.notice_mails = Often.OFF
    user.save(update_fields=["notice_mails"])
    return user
