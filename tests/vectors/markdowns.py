"""Vectors of the pages that authors write: what is markup, and what stays text, hostile or not."""

from collections.abc import Iterator
from dataclasses import asdict

from client.wording.markdown import parse_markdown, plain_text
from tests.vectors.tapes import Vector

TEXTS: dict[str, str] = {
    "nothing": "",
    "blank_lines": "\n \n\n",
    "one_paragraph": "Two lines\n  of one paragraph.  ",
    "two_paragraphs": "One.\n\nTwo.",
    "headings": "# One\n## Two\n###   Three  \ntext",
    "headings_without_the_first_level": "### Three\n## Two\n### Three",
    "heading_too_deep": "#### Four",
    "heading_without_a_blank": "#tag",
    "heading_without_text": "#\n# \n#  \u00a0",
    "bullets": "- one\n* two\n+ three",
    "bullets_without_a_blank": "-one\n*two",
    "bullets_without_text": "-\n- \n*",
    "bullets_with_blank_lines_between": "- one\n\n- two\n\n\n- three",
    "bullets_after_a_paragraph": "To bring:\n- a pen\n- paper\n\nThank you.",
    "bullets_that_continue": "- one\n  goes on\nand on\n- two",
    "numbers": "1. one\n2) two\n7. three",
    "numbers_from_five": "5. five\n6. six",
    "numbers_that_are_a_year": "2026. That year.",
    "numbers_around_a_paragraph": "1. one\n\nBetween.\n\n2. two",
    "lists_one_after_the_other": "- one\n1. two\n- three",
    "lists_nested": "1. one\n   - inner\n     - innermost\n2. two",
    "bold_and_emphasis": "**bold**, *emphasis*, ***both***, **bold with *both* inside**",
    "bold_within_a_word": "un**believ**able",
    "bold_over_two_lines": "**one\ntwo**",
    "bold_not_over_paragraphs": "**one\n\ntwo**",
    "emphasis_in_a_heading_and_an_item": "# A *b*\n- **c** d",
    "emphasis_unclosed": "*one **two ***three",
    "emphasis_unopened": "one* two** three***",
    "emphasis_with_blanks_inside": "* one * ** two ** 5 * 3 * 2",
    "emphasis_of_nothing": "** **** *** ***** ******",
    "emphasis_overlapping": "**one *two** three*",
    "emphasis_closed_by_another_mark": "***one** two* three",
    "emphasis_with_underscores": "_one_ __two__ snake_case_name",
    "link": "See [our page](https://example.org/a?b=c&d=%20#e).",
    "link_by_mail": "Write to [us](mailto:ada@example.org?subject=Study).",
    "link_whose_label_is_its_address": (
        "[https://example.org](https://example.org) [a@example.org](mailto:a@example.org)"
    ),
    "link_label_with_asterisks": "[**Helpline** now](https://example.org) *and [this](https://a.b)*",
    "link_within_bold": "**call [us](https://example.org)**",
    "link_label_of_an_image": "![a picture](https://example.org/a.png)",
    "link_bare": "https://example.org and <https://example.org>",
    "link_without_label": "[](https://example.org) [  ](https://example.org)",
    "link_without_address": "[fill in]() [fill in](https://) [fill in](mailto:) [x]",
    "link_with_a_blank": "[a](https://example.org/a b) [a] (https://example.org)",
    "link_with_a_title": '[a](https://example.org "title")',
    "link_over_two_lines": "[a\nb](https://example.org)",
    "link_label_with_brackets": "[a[b]c](https://example.org) [[b]](https://example.org)",
    "link_with_parentheses": "[a](https://example.org/a_(b))",
    "link_with_angle_brackets": "[a](<https://example.org>)",
    "link_with_quotes": "[a](https://example.org/\"onclick='alert(1)')",
    "link_with_backslashes": "[a](https:\\\\example.org) [a](https://\\example.org)",
    "link_beyond_ascii": "[a](https://еxample.org) [ü](https://example.org/%C3%BC)",
    "link_in_capitals": "[a](HTTPS://example.org) [a](Mailto:a@example.org)",
    "link_not_secure": "[a](http://example.org) [a](ftp://example.org) [a](//example.org)",
    "link_to_a_script": "[a](javascript:alert(1)) [a](JaVaScRiPt:alert(1)) [a](javascript:x)",
    "link_to_data": "[a](data:text/html,x) [a](vbscript:x) [a](blob:https://example.org/x)",
    "link_hiding_a_script": "[a](https:javascript:x) [a](mailto:javascript:x) [a]( javascript:x)",
    "link_of_a_reference": "[a][1]\n\n[1]: https://example.org",
    "markup": '<script>alert(1)</script> <img src=x onerror="alert(1)"> &lt;b&gt; &amp;',
    "markup_of_blocks": "<h1>\n- <li>\n</ul>\n# </main>",
    "markup_in_a_link": "[<img src=x>](https://example.org) [a](https://<b>)",
    "code_and_quotes": "`code` ```\nfence\n``` \n> quoted\n| a | b |\n---\n~~gone~~",
    "escapes": "\\*one\\* \\[a](https://example.org)",
    "other_scripts": "# عنوان\n\n- **واحد** [رابط](https://example.org)\n\n誠実 🙂 *שלום*",
    "line_separators": "one\u2028# two\u2029- three\n# a\u2028b",
    "odd_blanks": "\u00a0# a\n#\u00a0b\n\u3000\n-\u00a0c\n**\u00a0d**",
}
# Cut off in the files, for their size: the unit, and how often it is repeated.
REPEATED: dict[str, tuple[str, int]] = {
    "brackets": ("[", 300),
    "brackets_closed": ("[a]", 200),
    "links_begun": ("[a](https://", 100),
    "addresses_begun": ("](https://a", 100),
    "asterisks": ("*", 300),
    "emphasis_begun": ("*a ", 200),
    "bold_and_emphasis_begun": ("*a **b ***c ", 100),
    "items": ("- a\n", 100),
    "items_deeper_and_deeper": ("- ", 200),
    "blanks_within": ("a" + " " * 100 + "b", 5),
}


def markdown_vectors() -> Iterator[Vector]:
    repeated = {f"many_{name}": unit * count for name, (unit, count) in REPEATED.items()}
    for name, text in (TEXTS | repeated).items():
        blocks = parse_markdown(text)
        yield {
            "name": f"markdown_{name}",
            "text": text,
            "blocks": [asdict(block) for block in blocks],
            "plain": plain_text(blocks),
        }
