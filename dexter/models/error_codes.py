"""What the identifiers in an error mean: values of `type`, `code`, `status` and the names of exceptions.

Keys are lower-cased and without separators: `InternalError`, `internal_error` and `INTERNAL-ERROR` are one.
"""

from __future__ import annotations

from typing import Literal, get_args

ErrorKind = Literal[
    "context_overflow",
    "rate_limit",
    "billing",
    "auth",
    "timeout",
    "overloaded",
    "bad_request",
    "content_filter",
    "network",
    "other",
]
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)

# Names that say little: they count only where the words say nothing. All others are read as words.
VAGUE_NAMES: dict[str, ErrorKind | None] = {
    **dict.fromkeys(
        [
            "notfounderror",
            "notfound",
            "apierror",
            "servererror",
            "upstreamerror",
            "internal",
            "internalerror",
            "internalservererror",
            "creditlimit",
        ],
        None,
    ),
    "resourceexhausted": "rate_limit",
    "toomanytokens": "context_overflow",
    "permissiondenied": "auth",
    "permissionerror": "auth",
    "permissiondeniederror": "auth",
    "unavailable": "overloaded",
    "serviceunavailable": "overloaded",
    "serviceunavailableerror": "overloaded",
    "contextwindowexceedederror": "context_overflow",
    # Of a prompt or of an id: the message names the field.
    "stringabovemaxlength": "bad_request",
    "badrequesterror": "bad_request",
    "badrequest": "bad_request",
    "invalidrequesterror": "bad_request",
    "invalidrequest": "bad_request",
    "invalidargument": "bad_request",
    "invalidparameter": "bad_request",
    "validationexception": "bad_request",
    "validationerror": "bad_request",
    "failedprecondition": "bad_request",
    "outofrange": "bad_request",
    "unprocessableentityerror": "bad_request",
    "unsupportedparamserror": "bad_request",
    "timeout": "timeout",
    "apitimeouterror": "timeout",
    **dict.fromkeys(["apiconnectionerror", "connecterror", "readerror", "writeerror", "protocolerror"], "network"),
    "aborted": "network",
    "cancelled": "network",
}

# Providers that number their errors; read only where the provider is known.
NUMBERED_CODES: dict[str, dict[str, ErrorKind]] = {
    "zhipu": {
        **dict.fromkeys(["1000", "1001", "1002", "1003", "1004", "1110", "1111", "1112", "1220"], "auth"),
        **dict.fromkeys(["1113", "1309"], "billing"),
        **dict.fromkeys(["1210", "1212", "1213", "1214", "1215"], "bad_request"),
        **dict.fromkeys(["1302", "1303", "1304", "1308", "1310"], "rate_limit"),
        **dict.fromkeys(["1305", "1312"], "overloaded"),
        "1261": "context_overflow",
        "1301": "content_filter",
        "1211": "other",
        "1234": "network",
    },
    "minimax": {
        "1001": "timeout",
        "1002": "rate_limit",
        "1004": "auth",
        "1008": "billing",
        "1026": "content_filter",
        "1027": "content_filter",
        "1039": "context_overflow",
        "2049": "auth",
    },
}
NUMBERED_ALIASES = {"zai": "zhipu", "z.ai": "zhipu", "bigmodel": "zhipu", "glm": "zhipu"}

STATUS_KINDS: dict[int, ErrorKind] = {
    400: "bad_request",
    401: "auth",
    402: "billing",
    403: "auth",
    407: "network",
    408: "timeout",
    413: "context_overflow",
    414: "bad_request",
    415: "bad_request",
    420: "rate_limit",
    422: "bad_request",
    429: "rate_limit",
    431: "bad_request",
    451: "content_filter",
    499: "network",
    502: "network",
    503: "overloaded",
    504: "timeout",
    520: "network",
    521: "network",
    522: "timeout",
    523: "network",
    524: "timeout",
    525: "network",
    526: "network",
    529: "overloaded",
    530: "network",
    598: "timeout",
}

# Statuses that are sent for few reasons: words that seem to say something else were misread.
POSSIBLE_KINDS: dict[int, frozenset[ErrorKind]] = {
    401: frozenset({"auth", "billing"}),
    402: frozenset({"billing"}),
    403: frozenset({"auth", "billing", "content_filter", "rate_limit", "other"}),
    404: frozenset({"other", "auth"}),
    414: frozenset({"bad_request"}),
    413: frozenset({"context_overflow", "rate_limit", "bad_request", "billing"}),
    429: frozenset({"rate_limit", "billing", "overloaded", "content_filter"}),
    504: frozenset({"timeout", "network", "overloaded"}),
}
