"""What providers' words and codes mean: an ordered table, the first rule that fits decides.

The order is the argument. Money comes before rates, because an exhausted balance is often sent as 429; rates and load
come before size, because "tokens per minute" is not a context window; and the things that only *look* like size
(output limits, minimum sizes, images, names) come before it too. Patterns describe a way of speaking (subject, excess,
limit) rather than one message, so that next month's wording of the same provider still fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dexter.models.error_codes import ErrorKind


@dataclass(frozen=True)
class Rule:
    """`kind` if `pattern` is found in the lower-cased text and `unless` is not."""

    kind: ErrorKind
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None

    def fits(self, text: str) -> bool:
        """Whether this rule decides for `text`."""
        return bool(self.pattern.search(text)) and not (self.unless and self.unless.search(text))


def _rule(kind: ErrorKind, *patterns: str, unless: str = "") -> Rule:
    return Rule(kind, re.compile("|".join(f"(?:{p})" for p in patterns)), re.compile(unless) if unless else None)


# A few words in between, as in "insufficient USD or Diem balance".
_WORDS_3 = r"(?:[\w.'`$-]+\W+){0,3}?"
_WORDS_8 = r"(?:[\w.'`$-]+\W+){0,8}?"

_SIZE_SUBJECT = (
    r"(?:prompts?|inputs?|messages?|requests?|conversation|context|quer(?:y|ies)|text|content|payload|body|entity"
    r"|transcript|history|question|sequence|document)"
)
_TOKENS = (
    r"(?:tokens?(?:[ _]count)?|num(?:ber)?[ _]of[ _](?:\w+ )?tokens?|(?:input|prompt|total|context"
    r"|sequence)[ _]length)"
)
_EXCESS = (
    r"(?:exceed(?:s|ed|ing)?|overflow(?:s|ed|ing)?|surpass\w*|(?:larger|longer|greater|more|higher) than|>=?"
    r"|beyond|over)"
)
_WINDOW = r"(?:context|ctx)[ _-]?(?:length|window|size|limit|budget|len)\b"
_OUTPUT_LIMIT = r"max(?:imum)?[_ ](?:completion[_ ]|output[_ ]|new[_ ])?tokens?"

RULES: tuple[Rule, ...] = (
    _rule(
        "content_filter",
        r"content[ _-]?(?:filter|polic|management polic|moderation|exists risk)",
        r"safety (?:system|filter|settings?|reasons?|polic)",
        r"(?:blocked|rejected|refused|stopped|flagged) (?:\w+ ){0,4}?(?:by|for|due to|because of) (?:\w+ ){0,4}?"
        r"(?:safety|moderation|polic(?:y|ies)|guardrail|cybersecurity|recitation|harm)",
        r"(?:violat\w+|against|breach\w*) (?:\w+['’]?\w* ){0,5}?(?:usage|use|content|safety|acceptable use|community)"
        r" ?(?:polic|guideline|rules)",
        r"(?:in|not )appropriate content|prohibited[ _]content|responsible ai|(?:was|been|were) flagged",
        r"(?:blocked|flagged)\W+(?:\w+\W+)?(?:safety|recitation|prohibited)|considered high risk"
        r"|sensitive (?:content|words?|information|topic)|guardrail intervened",
        r"stop[_ ]?reason\W+(?:\w+\W+)?(?:refusal|safety|recitation|blocklist|spii|prohibited_content|sensitive)",
        r"敏感|违规|不安全|内容审核|安全审核|风险内容|不合规",
        unless=r"no endpoints (?:found|available) matching",
    ),
    # A quota of Google's is a rate that comes back; the same words at OpenAI mean that money is out.
    _rule(
        "billing",
        r"exceeded your (?:current|monthly|included|plan|account|allotted|available)? ?quota",
        r"check your plan and billing|billing details",
        unless=r"resource_exhausted|generativelanguage|generate_?content|ai\.google|quota metric|free_tier"
        r"|gemini|vertex|googleapis|rate[ -]?limits?\b|per[ -](?:minute|day)|retry in \d",
    ),
    _rule(
        "billing",
        rf"(?:insufficient|not enough|inadequate|negative|zero|low) (?!to ){_WORDS_3}"
        r"(?:credits?|balances?|funds?|quota balance|resource pack)\b",
        r"(?:credits?|balance|funds|prepayment|quota) (?:balance )?(?:\w+ ){0,3}?"
        r"(?:too low|depleted|insufficient|not enough|used up|run out|ran out|negative|below zero|not sufficient)",
        r"credits? (?:\w+ ){0,4}?(?:exhausted|expired|exceeded)",
        r"(?:out|run out|ran out|short) of (?:\w+ )?(?:credits?|funds?|balance|money|extra usage|usage credits)",
        r"(?:used up|used all|spent all|exhausted|exceeded) (?:\w+ ){0,5}?(?:points|credits?|balance|allowance)\b",
        r"(?:more|add|buy|purchase|no usable|usage|no remaining) credits\b|can only afford|no credits"
        r"|n[o']t (?:have|hold) (?:any |enough )?credits",
        r"payment (?:is )?required|payment method|pay(?:ment)? (?:has )?failed|past due|overdue|unpaid|in arrears",
        r"enable billing|billing (?:to be |is |has been |must be )?(?:not )?(?:enabled|disabled)",
        r"arrearage|recharge|top[ -]?up|prepa(?:id|yment)|billing (?:hard |soft )?(?:limit|account|issue|is not)",
        r"plans? & billing|billing plan|budget (?:has been |was |is )?exceeded|max(?:imum)? budget"
        r"|billing (?:cycle|quota) (?:\w+ )?(?:limit|exceed)",
        r"spend(?:ing)? (?:limit|cap|quota)|(?:usage|spend) cap|specified api usage limits"
        r"|hard limit (?:reached|exceeded)",
        r"key limit exceeded|not (?:available|supported|included) (?:on|in|with) (?:the|your) (?:free|current)",
        r"plan does not include|requires? a paid|subscription (?:has )?(?:expired|inactive|is not active)",
        r"余额|欠费|充值|额度|资源包|账单|付费|费用不足|点数不足",
        unless=r"速率|频率|rate limit reached|per[ -]minute",
    ),
    # Things that speak of sizes and are no overflow.
    _rule(
        "bad_request",
        rf"{_OUTPUT_LIMIT}[^.]{{0,40}}(?:too large|too high|too big|exceed|reached|must|should|invalid|cannot"
        rf"|greater|less|> ?\d)",
        rf"(?:range of|invalid|unsupported|value for|value of)[^.]{{0,30}}{_OUTPUT_LIMIT}|{_OUTPUT_LIMIT} ?(?:参数|不)",
        r"maximum (?:allowed )?number of output tokens|at most \d+ (?:completion|output) tokens",
        r"maximum tokens you requested exceeds",
        unless=r"context|prompt|input|messages|上下文|输入",
    ),
    _rule(
        "bad_request",
        r"minimum (?:\w+ ){0,3}?(?:tokens?|count|size|length)|too few tokens|(?:window|size) too small",
        r"budget[_ ]tokens|image(?!\w* and text)|pixels|\bpdf\b|dimensions? exceed|upload limit"
        r"|file (?:is )?too (?:large|big)",
        r"(?:array|list|enum|name|\bid|tool_call_id|description|title|metadata\w*)\W{1,4}(?:is )?too long",
        r"(?:tool|function|argument|parameter|property|field|file|schema)[ _](?:name|description|id)s?\b[^.;]{0,80}?"
        r"(?:longer|too long|exceed|at most|max)",
        r"invalid '(?!(?:input|prompt|instructions|messages\[\d+\]\.content)\b)[^']*'\W+(?:string|array) too long",
        r"too many (?:tools|functions|images|documents|messages|stop sequences|items|attachments)",
        r"tools?['`\"]?\W+(?:\w+ ){0,3}?exceed|cache_control|(?:argument|parameter)s? validation",
        unless=r"context (?:length|window)|prompt is too long|input tokens|per[ -]min",
    ),
    _rule(
        "overloaded",
        r"overload",
        r"high(?:er)? (?:\w+ )?(?:demand|load|traffic|volume of requests)|heavy (?:load|traffic)|peak load",
        r"(?:at|over|exceeding|insufficient|no|lack of|out of|exceeds?|limited|due to) (?:\w+ )?capacity",
        r"capacity (?:is |has been |was )?(?:exceeded|exhausted|unavailable|reached|constrain|limit)",
        r"(?:server|service|model|engine|system|api|upstream|cluster|backend)s? (?:is |are |was )?(?:\w+ly "
        r"|too |very )?"
        r"(?:busy|unavailable|not ready|loading|starting|warming)",
        r"temporar(?:y|ily) (?:unavailable|unable|out of|capacity)|service[ _]unavailable|under maintenance",
        r"\bis (?:currently )?loading\b|loading model|no (?:available|healthy) (?:\w+ )?(?:server|worker"
        r"|replica|instance|upstream|channel)",
        r"slow down\b(?! your| the| request)|api is busy|server busy|try again when|too many people",
        r"繁忙|过载|负载过高|访问量过大|服务不可用|拥挤|排队|忙碌",
    ),
    _rule(
        "rate_limit",
        r"rate[ _-]?limit",
        r"too[ _]many (?:concurrent |parallel |simultaneous )?(?:requests|connections|calls|queries)",
        r"too many (?:\w+ )?tokens(?:,| per (?:day|minute|hour|second)|\. (?:please )?(?:wait|slow|try))",
        r"(?:tokens?|requests?|calls?|queries|images|messages|prompts)[ _-](?:\w+ )?per[ _-](?:min|minute|day"
        r"|hour|sec|second|week|month)\b",
        r"\b(?:i|o)?(?:tpm|rpm|tpd|rpd|qps|qpm|rps|rph|tph)\b|per[ -]minute|/ ?min\b",
        r"throttl|slow down|(?:too )?(?:fast|frequent|quickly)\b|given timeframe|cooling down|cooldown",
        r"quota (?:\w+ ){0,5}?(?:exceed|exhaust|reach|limit|used)|exceed\w* (?:\w+[ ']+){0,6}?quota"
        r"|out of quota|quota will reset",
        r"resources? (?:has |have )?(?:been )?exhausted",
        r"(?:daily|weekly|monthly|hourly|usage|session|concurrency|concurrent|request|requests|api|hour|day"
        r"|minute|plan|message)"
        r" (?:\w+ )?limits?\b(?: \w+){0,3}? (?:reached|exceeded|exhausted|hit|met)",
        r"(?:reached|hit|exceeded|exhausted) (?:\w+['’]?\w* ){0,4}?(?:usage|daily|weekly|monthly|hourly|request"
        r"|message|concurrency)"
        r" (?:\w+ )?(?:limits?|quota|cap)",
        r"usage limit|limit exhausted|exhausted your capacity|max(?:imum)? (?:organization )?(?:concurren\w+"
        r"|rpm|tpm)",
        r"速率|频率|频繁|限流|并发|请求过多|次数(?:已)?(?:达|超|用)|调用(?:量|次数)|每分钟|使用上限",
    ),
    _rule(
        "timeout",
        r"\btime[ -]?(?:d[ -]?)?out\b|timed[ -]?out|e(?:socket)?timedout|timeout",
        r"deadline[ _]exceeded|took too long|und_err_(?:connect|headers|body)_timeout|超时",
        unless=r"(?:invalid|unsupported|unknown|value)[^.]{0,20}timeout",
    ),
    _rule(
        "context_overflow",
        rf"{_EXCESS}\W+{_WORDS_8}{_WINDOW}",
        rf"{_WINDOW}\W+{_WORDS_8}(?:exceed|overflow|reached|(?:is )?full\b)|(?:^|due to "
        rf"|because of )context overflow|context overflow:"
        rf"|context the overflows",
        rf"{_WINDOW}(?: limit)? (?:is|of)(?: only)? ?\W?\d",
        r"max(?:imum)? (?:\w+ ){0,2}?(?:length|len|window|limit)(?: limit)? (?:is|of|=|:)\W{0,3}\d",
        r"(?:longer|greater|larger) than (?:the )?(?:\w+['’]?\w* )?(?:context|max)|too large for model with",
        r"max(?:imum)? length of (?:\w+ ){0,3}(?:is|of) \d",
        rf"{_SIZE_SUBJECT} (?:[\w.()-]+ ){{0,5}}?(?:is |are |was |were |has become )?(?:\w+ )?too (?:long|large|big)",
        r"(?:long|large) for (?:the |this |requested |our )?model|prompt too (?:long|large)",
        r"too many (?:input |prompt |total |context )?tokens|tokens? limit (?:\w+ )?exceeded|size limit exceeded by",
        rf"{_TOKENS}\W[^.;]{{0,60}}?(?:{_EXCESS}|cannot exceed|must be (?:<|(?:less|fewer) than|at most|below|under)"
        rf"|too (?:large|long|many))"
        r"(?:[^.;]{0,60}?(?:max|limit|allow|context|window|model)|\W{0,4}\d)",
        r"exceed(?:s|ed|ing)?\W+(?:[\w.'-]+\W+){0,6}?(?:tokens?|length|input|prompt|context)[ _]?"
        r"(?:\w+ )?(?:limit|length|maximum|max|allowed|budget|size)",
        r"tokens?\W[^.;]{0,40}?exceeds? (?:the )?max",
        rf"{_SIZE_SUBJECT}(?: (?:size|length|tokens?|body))?[^.;]{{0,30}}? exceed\w*[^.;]{{0,30}}?"
        r"(?:max(?:imum)? (?:\w+ )?(?:length|size|tokens?|number of)|context|window|model)",
        rf"(?:reduce|shorten|trim|decrease)\W+(?:the |your )?(?:(?:total )?(?:length|size"
        rf"|number of tokens)[^.;]{{0,12}} )?(?:of )?(?:the |your )?{_SIZE_SUBJECT}\b",
        r"(?:input|prompt) length should be|(?:inputs?|prompts?)`? must have (?:less|fewer)"
        r"|current length is \d+ while limit",
        r"keep the first \d+ tokens|tokens to keep from the initial prompt|n_ctx|max_model_len|slot context",
        r"(?:at most|up to|only) \d[\d,]* (?:input|prompt|context) tokens",
        r"requested (?:about )?\d[\d,]* tokens[^.]{0,40}?(?:only|support|limit|max)",
        r"(?:prompt|input|context|token|message)s? (?:length|size|count|limit) (?:has been |was |is )?exceeded",
        rf"{_SIZE_SUBJECT}\b[^.]{{0,40}}\b\d[\d,]* (?:tokens|characters|bytes)\b[^.]{{0,80}}"
        r"(?:at (?:the )?most|may (?:hold|have|contain)|allowed|permitted)",
        r"(?:token|jeton|kontext|contexte?o?|トークン|コンテキスト|토큰).{0,60}?(?:超え|überschr|übersteig|dépass|exced|supera|초과)"
        r"|kontextfenster",
        r"string too long|maximum context length|input (?:exceeds|exceeded|over) ",
        r"(?:上下文|输入|提示词|请求|文本|内容|对话|消息|长度|tokens?|字数).{0,12}(?:过长|超出|超过|超限|太长|过大|上限|超长)",
        r"(?:超出|超过|超限).{0,8}(?:上下文|最大长度|长度|最大\s?tokens?|tokens?|窗口|字数)|压缩上下文",
        unless=r"internal error|too small|peak load|maximum usage size",
    ),
    _rule(
        "network",
        r"econn(?:reset|refused|aborted)|enotfound|eai_again|epipe|ehost(?:unreach|down)|enet(?:unreach|down"
        r"|reset)|und_err_socket",
        r"socket (?:hang up|closed|error|connection)|fetch failed|request to\s+(?:\S+\s+)?failed|failed to fetch"
        r"|other side closed"
        r"|(?:remote end|server|host) closed"
        r"|premature (?:close|end)",
        r"connect(?:ion)? (?:\w+ )?(?:error|reset|refused|closed|aborted|failed|lost|broken|dropped|terminated"
        r"|timed|was)",
        r"connection attempts failed|(?:cannot|can't|could not|couldn't|failed to"
        r"|unable to) (?:\w+ )?(?:connect|reach|resolve (?:\w+ )?(?:host|address|name))",
        r"peer closed|incomplete (?:chunked )?(?:read|response|message)|incomplete message body"
        r"|server disconnected|remoteprotocolerror",
        r"getaddrinfo|name or service not known|nodename nor servname|no such host|name resolution|\bdns\b"
        r"|host not found",
        r"network[ _](?:error|is unreachable|connection|failure|issue)|unreachable|broken pipe|unexpected eof"
        r"|\beof occurred",
        r"ssl[: _]|\btls\b|certificate|bad gateway|web server is down|invalid or incomplete response"
        r"|proxy (?:error|authentication)",
        r"payload is not completed|not enough data to satisfy|transfer ?encoding ?error",
        r"\bstreaming error|stream (?:\w+ )?(?:ended|closed|interrupted|was cut|disconnected)"
        r"|without sending any chunks"
        r"|^\W*terminated\b|goaway|upstream connect error",
        r"网络(?:错误|异常|连接)|连接(?:失败|中断|被)",
    ),
    _rule(
        "auth",
        r"(?:invalid|incorrect|missing|no|wrong|bad|expired|unknown|malformed|unset|without|provide|your|need)\W+"
        rf"{_WORDS_3}(?:x-)?api[ _-]?keys?\b",
        r"api[ _-]?keys?[ _](?:[\w'’]+ ){0,6}?(?:invalid|incorrect|missing|not|expired|revoked|disabled"
        r"|deactivated|deleted|required|needed|错误)",
        r"\bkey (?:has been |is |was )(?:disabled|revoked|deactivated|expired|invalid)",
        r"authenticat|unauthori[sz]ed|not authori[sz]ed|authori[sz]ation|credentials?|(?<!extra[_ ])forbidden"
        r"|access (?:is |was )?denied|log ?in\b",
        r"permissions?\b|missing scopes?|insufficient scope|(?:no|not have|n't have|without) (?:\w+ )?access"
        r"|access to (?:the |this )?model",
        r"(?:invalid|expired|revoked|missing) (?:access |auth |bearer |oauth |security |session "
        r"|refresh )?token\b(?! (?:count|limit|at|in))",
        r"token (?:has |is |was )?(?:been )?(?:expired|revoked|invalid)|security token|request signature",
        r"(?:account|organi[sz]ation|project|user) (?:has been |is |was )?(?:\w+ )?(?:deactivated|disabled"
        r"|suspended|banned|terminated|locked|denied|restricted)",
        r"(?:country|region|location|territory)\b[\w, ]{0,30} not (?:supported|available|allowed|permitted)",
        r"country, region|user not found|认证|鉴权|身份验证|令牌|密钥|无权|未授权|权限|api key.{0,4}(?:错误|无效)",
    ),
    _rule(
        "other",
        r"(?:model|deployment)s?\b(?:[ '\"`:\w./-]{0,80}?)(?:(?:was |is |has been |been )*(?:not found"
        r"|deactivated|deprecated|retired|decommissioned|removed)"
        r"|does(?: not|n't) exist|not exist)",
        r"\b(?:has )?crashed\b|process (?:has )?(?:terminated|exited|died)|exit (?:code|status)"
        r"|requires more \w+ memory|out of memory",
        r"(?:unknown|no such|not a valid|invalid) model\b|no endpoints found|模型不存在|not found for api version",
    ),
    _rule(
        "bad_request",
        r"tool_(?:use|result|call)|must be followed by|must alternate|thinking block|signature in"
        r"|reasoning is mandatory|requires? reasoning",
        r"(?:invalid|unsupported|unrecogni[sz]ed|unknown|unexpected|incorrect|illegal|missing|malformed) (?:\w+ )?"
        r"(?:request|param|argument|json|schema|value|type|format|body|messages?|role|input|content|field|name"
        r"|property|key|option)",
        r"param(?:eter)?s? (?:incorrect|invalid|error|is not|not)|invalid params|not valid json|failed to parse"
        r"|pars(?:e|ing) error|cannot parse",
        r"extra inputs are not permitted|validation error|field required|required (?:field|parameter|property)"
        r"|should match pattern|failed to satisfy constraint",
        r"must be (?:a|an|one of|greater|less|at least|at most|between|non-empty|set|provided|string"
        r"|in the range|positive)\b",
        r"expected (?:a |an )?[\w ]{1,30}, (?:but )?(?:got|received|found)|cannot be (?:empty|disabled|null"
        r"|blank|used|both)",
        r"(?:is|are) not (?:supported|allowed|permitted|a valid)|not support|bad request|schema is invalid|参数"
        r"|格式错误|请求错误",
    ),
)
