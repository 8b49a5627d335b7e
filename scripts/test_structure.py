"""Tests of the counts of scripts/structure.py."""

from __future__ import annotations

import unittest

import structure_counts as counts
import structure_modules as modules


class Rust(unittest.TestCase):
    def test_a_tuple_let_packs_values_that_are_separate(self) -> None:
        packed = "let (a, b) = (x, y);\nlet (a, (mut b, c)): (u8, _) = (\n    f(1),\n    (2, 3),\n);"
        self.assertEqual(counts.count_tuple_lets(packed), 2)

    def test_a_tuple_that_a_function_returns_is_no_tuple_let(self) -> None:
        returned = "let (a, b) = f(x, y);\nlet (a, b) = (x..y).partition(even);\nlet Some((a, b)) = (x, y) else {};"
        self.assertEqual(counts.count_tuple_lets(returned), 0)

    def test_closures_bound_to_a_name_are_counted(self) -> None:
        source = "let a = |x| x;\nlet mut b: Box<dyn Fn()> =\n    move || ();\nlet c = d.map(|x| x);\nlet e = f || g;"
        self.assertEqual(len(counts.BOUND_CLOSURE.findall(source)), 2)

    def test_a_name_let_again_at_once_is_counted_if_it_is_made_from_itself(self) -> None:
        source = "let a = f();\nlet a = a.g();\nlet a = h(a);\nlet b = 1;\nlet b = 2;\nlet c = 1;\nd();\nlet c = c;"
        self.assertEqual(len(counts.LET_AGAIN.findall(source)), 2)

    def test_a_match_on_a_bool_is_counted_once(self) -> None:
        source = (
            "match a { true => b, false => c }\nmatch d {\n    false => e,\n    true => f,\n}\n"
            "match g { Ok(true) => 1 }"
        )
        self.assertEqual(len(counts.MATCH_ON_BOOL.findall(source)), 2)

    def test_comments_and_strings_are_not_code(self) -> None:
        source = 'f("let (a, b) = (c, d);", \'x\', r#""match""#); // let a = |x| x;'
        self.assertEqual(counts.mask(source), 'f("", "", ""); ')

    def test_files_of_tests_are_no_code(self) -> None:
        names = ["src/main.rs", "crates/a/src/b.rs", "crates/a/src/b/tests.rs", "crates/a/tests/b.rs", "tests/c.rs"]
        self.assertEqual(list(filter(counts.is_code, names)), names[:2])

    def test_a_file_declares_a_request_if_it_has_the_fields_focus_and_region(self) -> None:
        struct = "    /// A point.\n    focus: Option<FocusDto>,\n    pub(super) region: Polygon,\n"
        table = '    focus: $crate::contract::FocusDto = "4,3",\n    region: $crate::contract::RegionDto = "1,2 3,4",\n'
        values = "    focus: self.focus,\n    region: Polygon::from(region),\n"
        found = [counts.declares_request(code) for code in (struct, table, values, "    focus: Point,\n")]
        self.assertEqual(found, [True, True, False, False])

    def test_a_match_of_a_hands_source_is_an_arm_or_a_let(self) -> None:
        source = (
            "match hand { HandSource::Photo(_) => 1, HandSource::Typed(_) => 2 }\n"
            "if let HandSource::Typed(hand) = hand {}\n"
            "let made = match one { Photo(p) => HandSource::Photo(f(p)?), Typed(t) => HandSource::Typed(t) };"
        )
        self.assertEqual(len(counts.HAND_MATCH.findall(source)), 2)

    def test_a_line_reads_english_if_it_looks_for_words_and_a_space(self) -> None:
        read = (
            'text.strip_prefix("error: ");\nif error.to_string() == "no such file" {}\nsaid.rsplit_once("caused by ")'
        )
        other = 'text.starts_with("--log=");\nname == "name";\nwrite!(out, "error: {text}");\ntext.contains(" x ")'
        self.assertEqual(len(counts.READS_ENGLISH.findall(read)), 3)
        self.assertEqual(counts.READS_ENGLISH.findall(other), [])

    def test_riddling_test_names_are_found_behind_any_attribute(self) -> None:
        source = (
            "#[test]\nfn who_asks() {}\n#[tokio::test(flavor)]\n#[ignore]\nasync fn whole_tables() {}\n"
            "fn what_else() {}"
        )
        self.assertEqual(counts.TEST_NAME.findall(source), ["who_asks", "whole_tables"])
        self.assertEqual(list(filter(counts.RIDDLE.match, ["who_asks", "whole_tables"])), ["who_asks"])


class Modules(unittest.TestCase):
    CRATE = {
        "": "mod input;\nmod output;",
        "input": "mod form;",
        "input::form": "use super::super::output::{Page, page::Line as Row};",
        "output": "pub mod page;\npub use page::Line;\npub struct Page;",
        "output::page": "use crate::input::Form;\n// use crate::input::form::Part;",
    }

    def test_imports_are_read_from_use_and_paths_also_through_reexports(self) -> None:
        graph = modules.read_graph(self.CRATE | {"start": "fn f() -> crate::output::Line { self::g() }"})
        self.assertEqual(graph["input::form"], {"output", "output::page"})
        self.assertEqual(graph["output::page"], {"input"})
        self.assertEqual(graph["start"], {"output::page"})

    def test_the_direction_with_fewer_imports_is_one_arrow_up(self) -> None:
        self.assertEqual(modules.find_arrows_up(self.CRATE), {("output", "input"): [("output::page", "input")]})

    def test_imports_of_a_parent_or_in_one_direction_are_no_arrow_up(self) -> None:
        crate = self.CRATE | {"output::page": "use super::Page;\nuse crate::Crate;"}
        self.assertEqual(modules.find_arrows_up(crate), {})

    def test_a_circle_leads_through_files(self) -> None:
        crate = {"a": "use crate::b::B;", "b": "use crate::c::C;", "c": "use crate::a::A;", "d": "use crate::a::A;"}
        self.assertEqual(modules.find_circles(crate), [[("a", "b"), ("b", "c"), ("c", "a")]])
        self.assertEqual(modules.find_circles(self.CRATE), [])


class Python(unittest.TestCase):
    def test_a_function_has_types_if_its_result_and_all_parameters_have(self) -> None:
        source = "def a(self, x: int, *y: str, z: int = 1) -> None: ...\ndef b(x) -> None: ...\ndef c(x: int): ...\n"
        self.assertEqual(counts.function_types(source), [True, False, False])


class Ceilings(unittest.TestCase):
    def test_a_count_above_its_ceiling_is_named_with_both_numbers(self) -> None:
        self.assertEqual(counts.find_exceeded({"a": 2, "b": 3}, {"a": 2, "b": 2.5}), ["b: 3, at most 2.5"])

    def test_every_ceiling_has_a_count(self) -> None:
        self.assertLessEqual(set(counts.read_ceilings()), set(counts.count(counts.CEILINGS.parents[1])))


if __name__ == "__main__":
    unittest.main()
