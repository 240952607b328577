"""What phrases mean where they stand together: an ordered table; within one sentence the first rule that fits decides.

The order is the argument. Money comes before rates, because an exhausted balance is often sent as 429; rates and load
come before size, because "tokens per minute" is no context window; and what only *looks* like size (room for the
answer, names, images, lists, minimum sizes, batches) comes before it too. A rule says which ideas stand close
together, in any order and any inflection, so that next month's wording of the same provider still fits.
"""

from __future__ import annotations

from dataclasses import dataclass

from dexter.models import error_size_words as s
from dexter.models import error_words as w
from dexter.models.error_codes import ErrorKind
from dexter.models.error_phrases import Test, near, said


@dataclass(frozen=True)
class Rule:
    """`kind` if one of `tests` holds of a sentence (as `speak` gives it) and `unless` does not."""

    kind: ErrorKind
    tests: tuple[Test, ...]
    unless: Test | None = None
    not_google: bool = False

    def fits(self, sentence: str, *, google: bool = False) -> bool:
        """Whether this rule decides for the sentence; `google`: one of Google's services said it."""
        if google and self.not_google:
            return False
        return any(test(sentence) for test in self.tests) and not (self.unless and self.unless(sentence))


def _rule(kind: ErrorKind, *tests: Test, unless: str = "", not_google: bool = False) -> Rule:
    return Rule(kind, tests, said(unless) if unless else None, not_google)


_FILTER = _rule(
    "content_filter",
    near(w.HARM, w.STOPPED, 30),
    said(w.FILTERED),
    unless=r"""
        data polic | no endpoints | identity based | privacy | retention | invalid value | unknown | unsupported
        rate | safety settings?\b.{0,30}(?:invalid|not supported) | cors\b
        (?:iam|access|network|org|organization|conditional|resource|security|firewall|endpoint) polic
    """,
)
_LATE = _rule("timeout", said(w.LATE), unless=r"(?:invalid|unsupported|unknown|value).{0,20}timeout")
_TRANSPORT = _rule("network", said(w.TRANSPORT), unless="timed? out")
# A quota of Google's is a rate that comes back; the same words at OpenAI mean that money is out.
_OWN_QUOTA = _rule(
    "billing",
    said(w.OWN_QUOTA),
    near("quota", r"billing | plan\b | upgrade", 30),
    unless=r"resource exhausted | quota metric | free tier | rate limits?\b | per (?:minute|day) | retry in \d",
    not_google=True,
)
_MONEY = _rule(
    "billing",
    near(w.MONEY, w.LACK, 25),
    said(w.UNPAID),
    unless=rf"""{w.RATE}
        quota exceeded for | evidence | (?:token|context|thinking) budget | budget tokens | load balanc
        concurrency | trial key
    """,
)
# Room for the answer is negative where the prompt left none.
_NO_ROOM = _rule("context_overflow", near(s.OUTPUT, r"(?:got|was|is|received) -\d", 60))
_ANSWER_ROOM = _rule(
    "bad_request",
    near(s.OUTPUT, s.EXCESS, 60),
    near(s.OUTPUT, s.BOUND, 40),
    said(s.ANSWER_TOO_LONG),
    unless=r"""
        (?:exceed|over|beyond|above)\w* (?:the )?(?:\w+ )?context | prompt\b | inputs?\b | messages\b
        (?:total|sum|combined) | 输入 | 上下文 | model length | sequence
    """,
)
_OTHER_SIZES = _rule(
    "bad_request",
    said(s.OTHER_SIZES),
    near(s.THINGS, s.EXCESS, 60),
    unless=r"""
        range of input length | context (?:length|window|size|limit) | prompt is too long | input tokens
        per min | rate limit | model length | tokens? (?:limit|count) | tokens\b.{0,30}exceed
        '(?:input|prompt|instructions|messages\[\d+\]\.content)' | messages (?:are|is) too | array of messages
    """,
)
_BUSY = _rule(
    "overloaded",
    said(w.BUSY),
    near("capacity", w.SHORT_OF, 25),
    near(w.SERVER, w.UNREADY, 60),
    unless=r"""
        (?:error|fail\w*|unable|cannot) (?:to )?load | prompt of | tokens exceed | exhausted your capacity
        your (?:\w+ )?capacity | connection pool
    """,
)
_RATE = _rule("rate_limit", said(w.RATE))
_TOO_OFTEN = _rule(
    "rate_limit",
    said(w.TOO_OFTEN),
    near(w.COUNTED, w.CAP, 20),
    unless=r"""
        (?:request|message) (?:body |payload )?(?:size|length|entity) | request (?:token|context) limit
        per request | (?:context|prompt|input) (?:\w+ )?(?:window|length) | too large(?!.*(?:per min|tpm))
        exceeds (?:the )?(?:model|context)
    """,
)
_OVERFLOW = _rule(
    "context_overflow",
    near(s.WINDOW, s.EXCESS, 60),
    near(s.WINDOW, r"\d{3,} | \d+k\b", 25),
    near(s.INPUT, s.TOO_LONG, 35),
    near(s.TOKENS, s.EXCESS, 45),
    near(s.INPUT, s.PASSES, 50),
    near(s.SHORTEN, s.TO_SHORTEN, 30),
    near(r"(?:length|size|tokens?) of (?:\w+ )*(?:input|prompt|message|question)", r"\d{3,}", 20),
    said(s.WINDOW_NAMES),
    unless=rf"""{s.OTHER_MEASURES}
        internal error(?!\.algo) | peak load | invalid value | window too small | (?:processing|execution) time
        expected a string
    """,
)
_EXHAUSTED = _rule("rate_limit", said(r"resources? (?:has |have )?(?:been )?exhausted"))
# An answer with a status was no broken connection, whatever the library calls it.
_DISCONNECTED = _rule(
    "network",
    said(w.DISCONNECTED),
    near(r"connect(?:ion)?\b", w.BROKEN, 25),
    near(w.STREAM, w.CUT_OFF, 20),
    near(r"request to\b", "failed", 10),
    unless=r"http 4\d\d",
)
_DENIED = _rule("auth", near("permission", "denied", 60))
_GONE = _rule("other", near(w.MODEL, w.GONE, 60), said(w.CRASHED))
_NO_RIGHT = _rule(
    "auth",
    near(w.KEY, w.REFUSED, 45),
    near(w.WHO, w.SHUT_OUT, 25),
    near(w.WHERE, w.NOT_SERVED, 40),
    said(w.NO_RIGHT),
    unless="""
        extra forbidden | extra inputs | extraneous | object key | required key | unexpected key
        thinking block | cache key | thought signature
    """,
)
_MALFORMED = _rule("bad_request", said(w.MALFORMED), near(w.WRONG, w.PART, 30))

RULES = (
    _FILTER,
    _LATE,
    _TRANSPORT,
    _OWN_QUOTA,
    _MONEY,
    _NO_ROOM,
    _ANSWER_ROOM,
    _OTHER_SIZES,
    _BUSY,
    _RATE,
    _TOO_OFTEN,
    _OVERFLOW,
    _EXHAUSTED,
    _DISCONNECTED,
    _DENIED,
    _GONE,
    _NO_RIGHT,
    _MALFORMED,
)
