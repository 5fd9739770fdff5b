"""A small made-up site of the original for tests of imports, with some records of each kind."""

from tests.support.image_files import plain_image
from tests.support.remote_site import json_answer

HOST = "http://old.example.org"
API = "/wp-json/tribe/events/v1"


def tec_term(pk, name, slug, parent=0, taxonomy="tribe_events_cat"):
    folder = f"category/{'games/' if parent else ''}" if taxonomy == "tribe_events_cat" else "tag/"
    url = f"{HOST}/events/{folder}{slug}/"
    return {"id": pk, "name": name, "slug": slug, "parent": parent, "description": "", "taxonomy": taxonomy, "url": url}


def tec_content(pk, slug, **values):
    return {
        "id": pk,
        "author": "1",
        "status": "publish",
        "date_utc": "2029-01-02 08:00:00",
        "url": f"{HOST}/{values.pop('path')}/{slug}/",
        "slug": slug,
        "description": "",
        "image": False,
        **values,
    }


CATEGORIES = [tec_term(8, "Chess &amp; more", "chess", parent=7), tec_term(7, "Games", "games")]
TAGS = [tec_term(9, "free", "free", taxonomy="post_tag")]
VENUE = tec_content(
    20, "old-mill", path="venue", venue="Old Mill", address="Mill Lane 3", city="Lindenau", country="Germany",
    province="Aueland", stateprovince="Aueland", zip="04711", phone="+49 341 5550", website="https://mill.example.org",
    show_map=True, show_map_link=False, image={"url": f"{HOST}/wp-content/uploads/mill.png"},
)  # fmt: skip
ORGANIZER = tec_content(
    30, "chess-club", path="organizer", organizer="Chess Club", phone="1", website="", email="club@example.org"
)


def tec_event(pk, slug, title, **values):
    return tec_content(
        pk,
        slug,
        path="event",
        **{
            "title": title,
            "excerpt": "",
            "all_day": False,
            "start_date": "2030-06-01 19:00:00",
            "end_date": "2030-06-01 21:00:00",
            "utc_start_date": "2030-06-01 17:00:00",
            "utc_end_date": "2030-06-01 19:00:00",
            "timezone": "Europe/Berlin",
            "cost": "",
            "website": f"{HOST}/event/{slug}/",
            "show_map": True,
            "show_map_link": True,
            "hide_from_listings": False,
            "sticky": False,
            "featured": False,
            "categories": [],
            "tags": [],
            "venue": [],
            "organizer": [],
            **values,
        },
    )


CHESS = tec_event(
    101, "chess-night", "Chess &#8211; night", description=f'<p>Bring a board. <img src="{HOST}/wp-content/uploads/'
    'board-300x200.png" alt=""></p>', cost="5€", featured=True, categories=[{"id": 8}], tags=[{"id": 9}],
    venue={"id": 20}, organizer=[{"id": 30}],
    image={"url": f"{HOST}/wp-content/uploads/board.png"}, website="https://chess.example.org",
)  # fmt: skip
MARKET = tec_event(102, "market", "Market", all_day=True, start_date="2030-06-02 00:00:00",
               end_date="2030-06-02 23:59:59", utc_start_date="2030-06-01 22:00:00",
               utc_end_date="2030-06-02 21:59:59")  # fmt: skip
DRAFT = tec_event(103, "draft", "A draft", status="draft", date_utc="0000-00-00 00:00:00")
LOCKED = tec_event(104, "locked", "Seed exchange")
MEDIA = [{"id": 5, "source_url": f"{HOST}/wp-content/uploads/board.png", "alt_text": "A chess board"}]


class TecSiteAnswers:
    """Answers as a site of the original does, two events on a page. With credentials, it shows drafts and passwords."""

    def __init__(self):
        self.events = [CHESS, MARKET]
        self.private_events = [DRAFT, LOCKED]
        self.images = {"board.png": plain_image("PNG", size=(60, 40)), "mill.png": plain_image("PNG", size=(50, 40))}

    def __call__(self, path, parameters, headers):
        is_signed_in = "Authorization" in headers
        if path == "/calendar/":
            return 200, {"Link": f'<{HOST}/wp-json/>; rel="https://api.w.org/"', "Content-Type": "text/html"}, b"<p>"
        if path.startswith("/wp-content/uploads/"):
            image = self.images.get(path.rpartition("/")[2])
            return (200, {"Content-Type": "image/png"}, image) if image else (404, {}, b"")
        if path == "/wp-json/wp/v2/media":
            return json_answer(MEDIA)
        if path == "/wp-json/wp/v2/tribe_events" and is_signed_in:
            return json_answer([{"id": 104, "password": "seeds", "status": "publish"}])
        if path == f"{API}/events/104" and parameters.get("password") == "seeds":
            return json_answer({**LOCKED, "description": "<p>In the greenhouse</p>"})
        collections = {
            "categories": CATEGORIES,
            "tags": TAGS,
            "venues": [VENUE],
            "organizers": [ORGANIZER],
            "events": self.events + (self.private_events if is_signed_in else []),
        }
        name = path.rpartition("/")[2]
        if path.startswith(f"{API}/") and name in collections:
            records = collections[name]
            first = (int(parameters["page"]) - 1) * 2
            pages = (len(records) + 1) // 2
            return json_answer({name: records[first : first + 2], "total": len(records), "total_pages": pages})
        return json_answer({"code": "rest_no_route"}, status=404)
