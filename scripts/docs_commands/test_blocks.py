"""Tests of what is taken out of a page, and of what is refused in it."""

from __future__ import annotations

import unittest

from docs_commands.blocks import blocks, commands, inline

PAGE = """
Words, `tilesight read a.jpg
--json` and `make demo`, `tilesight batch ... --review`.

```sh
tilesight score 11m    # a comment
```

<!-- not run: needs a cluster with TLS -->
```sh
export A=b C=d
tilesight worker --nats tls://a:4222 &
python3 -m pip install \\
  'one~=1.0'
```

<!-- not run: -->
```sh
make train
```

<!-- run: curl -->
```sh
curl localhost:8080
```

```json
{ "sh": "tilesight" }
```
"""


class Pages(unittest.TestCase):
    def test_blocks_have_their_line_and_mark(self) -> None:
        one, marked, empty, elsewhere, data = blocks(PAGE)
        self.assertEqual((one.line, one.reason, one.problem, one.is_shell), (5, None, None, True))
        self.assertEqual((marked.reason, marked.problem), ("needs a cluster with TLS", None))
        self.assertIn("no reason", str(empty.problem))
        self.assertTrue(elsewhere.is_run_elsewhere and not one.is_run_elsewhere)
        self.assertFalse(data.is_shell)

    def test_a_mark_is_for_the_next_block_alone(self) -> None:
        one, other = blocks("<!-- not run: needs a GPU here -->\n```sh\na\n```\n```sh\nb\n```\n")
        self.assertEqual((one.reason, other.reason), ("needs a GPU here", None))

    def test_commands_are_words(self) -> None:
        _, marked, *_ = blocks(PAGE)
        expected = [
            ["export", "A=b", "C=d"],
            ["tilesight", "worker", "--nats", "tls://a:4222"],
            ["python3", "-m", "pip", "install", "one~=1.0"],
        ]
        self.assertEqual(commands(marked.code), expected)
        self.assertEqual(
            commands("A=b make setup build && mkdir -p out\n"), [["make", "setup", "build"], ["mkdir", "-p", "out"]]
        )

    def test_commands_within_sentences_are_found(self) -> None:
        expected = [["make", "demo"], ["tilesight", "batch", "--review"], ["tilesight", "read", "a.jpg", "--json"]]
        self.assertEqual(inline(PAGE), expected)


if __name__ == "__main__":
    unittest.main()
