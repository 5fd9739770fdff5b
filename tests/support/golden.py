"""Golden answers: whole JSON documents in `tests/contract`, which say what clients have been promised.

Whoever changes the contract on purpose writes them anew with `REWRITE_CONTRACT=1 pytest tests/<file>` and reads the
difference.
"""

import json
import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "contract"


def assert_golden(response, name: str, folder: Path = FOLDER) -> None:
    """Asserts that the response is a success with the very JSON of `contract/<name>.json`."""
    assert response.status_code == 200, response.content
    file = folder / f"{name}.json"
    if os.environ.get("REWRITE_CONTRACT"):
        file.write_text(json.dumps(response.json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert response.json() == json.loads(file.read_text(encoding="utf-8"))
