"""Golden files: complete responses in `tests/contract`, JSON or other text.

If you change the contract on purpose, rewrite them with `REWRITE_CONTRACT=1 pytest tests/<file>`, and review the diff.
"""

import json
import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "contract"


def assert_golden(response, name: str, folder: Path = FOLDER) -> None:
    """Assert that the response has status 200 and exactly the JSON of `<name>.json` in the folder."""
    assert response.status_code == 200, response.content
    file = folder / f"{name}.json"
    if os.environ.get("REWRITE_CONTRACT"):
        file.write_text(json.dumps(response.json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert response.json() == json.loads(file.read_text(encoding="utf-8"))


def assert_golden_text(text: str, name: str, folder: Path = FOLDER) -> None:
    """Assert that a text is that of a file in the folder, including its line breaks."""
    file = folder / name
    if os.environ.get("REWRITE_CONTRACT"):
        file.write_text(text, encoding="utf-8", newline="")
    assert text == file.read_bytes().decode()
