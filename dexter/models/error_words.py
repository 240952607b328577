"""The vocabulary of failures other than of size: phrases by what they stand for, in many languages.

How they are read: `error_phrases`. What they mean where they stand together: `error_rules`.
"""

from __future__ import annotations

# ── safety ──

HARM = r"""
    safety | moderat | guardrail
    (?:usage|use|our|community|content|safety) (?:polic|guideline|rules|standards)
    content (?:filter|polic|management|exists|restrict|check|review|guideline|safety|inspection)
    polic(?:y|ies)\b | guidelines | harm | unsafe | inappropriate | prohibited | disallowed | violen | hate\b
    (?:sensitive|risky|offensive|toxic|illegal|objectionable)\b | sexual | self harm | recitation | copyright
    jailbreak | responsible ai | high risk | blocklist | spii\b | cyber | csam | biolog
    terms of (?:use|service) | richtlinie | politique | política | 敏感 | 违规 | 不安全 | 审核 | 风险 | 不合规
    安全策略 | 安全检查 | ポリシー | 정책
"""
STOPPED = r"""
    block | flag | filter | refus | reject | violat | declin | trigger | against | stop | detect | breach
    contain | prohibit | withheld | suppress | interven | restrict | caught | fail | deemed | considered
    (?:not|\w+n['’]t|cannot|unable)\s | classified | finish | reason | censor | removed? | conflict | disallow
    versto | enfre | viola | 触发 | 检测 | 包含 | 违反 | 拦截 | 拒绝 | 未通过 | 不合规 | 违规 | 違反 | ブロック
    위반
"""
FILTERED = r"""
    content (?:filter|moderation|policy violation) | prohibited content | responsible ai
    data inspection failed | censor | content exists risk | (?:was|been|were|is) (?:\w+ )?flagged
    exceeds? (?:\w+ )?(?:safety|harm) | stop reason\W+refusal | refusal$ | considered high risk | inhaltsfilter
    (?:safety|recitation|blocklist|spii)$ | (?:input|output|new|text) (?:\w+ )?sensitive | 不当内容 | 审核不通过
    敏感 | 违规 | 不合规 | 不安全
    (?:content|prompt|response|output|answer)\b (?:\w+ ){0,6}?(?:is|was|been) (?:\w+ )?(?:blocked|filtered|withheld)
"""

# ── money ──

MONEY = r"""
    credits?\b | balances?\b | funds\b | billing(?! (?:cycle|period)) | payments?\b | invoice | prepa(?:id|y)
    card\b | budget\b | spend(?:ing)?\b | wallet | (?:paid )?subscription\b(?! (?:key|access)) | trial\b(?! key)
    points\b | free (?:tier|trial|plan|quota|credits?|usage) | allowance | cost\b | dollars?\b | usd\b
    resource pack | token pack | license | extra usage | guthaben | crédit | solde | saldo | баланс | средств
    余额 | 额度 | 资源包 | 账单 | 费用 | 点数 | 套餐 | 残高 | 크레딧 | 잔액 | 잔고
"""
LACK = r"""
    insufficient | in?adequate | not (?:enough|sufficient) | exceed | exhaust | deplet | low on\b | negative
    (?:too|is|are|running|very) low\b | out of\b | r[au]n (?:out|dry|short) | expired?\b | below | zero\b | no\b
    (?:not|\w+n['’]?t) (?:\w+ )?have | past due | overdue | unpaid | outstanding | used (?:up|all) | spent
    consumed | reached | hit\b | requires?\b | required\b | needs?\b | more\b | add(?:ing)?\b | purchas | buy\b
    top(?:ped)? ?up | refill | reload | replenish | recharge | fail | declin | inactive | not active | suspend
    could not be (?:processed|charged) | cannot (?:cover|afford) | over\b | owe | limit | cap\b | remaining
    empty | ended\b | lapsed | cancel | does ?n[o']t (?:include|cover) | missing | disabled | arrears | \$?0\.0
    not (?:been )?(?:set up|enabled|configured) | insuficiente | insuffisant | unzureichend | nicht ausreichend
    недостаточно | 不足 | 耗尽 | 用完 | 用尽 | 到期 | 已欠 | 不够 | 부족
"""
_ENDED = r"(?:does n[o']t|doesn['’]t|has (?:expired|ended)|expired|is (?:not active|inactive)|required)"
UNPAID = rf"""
    payment (?:is )?required | pay(?:ment)? (?:method|failed) | past due | overdue | unpaid | in arrears
    billing (?:hard |soft )?(?:limit|error|issue|not active|account) | in debt | arrearage | recharge
    higher (?:monthly|spending|credit) limit | pay as you go | included usage | (?:can only|cannot) afford
    top up\b | key limit exceeded | specified (?:api )?usage limits
    (?:upgrade|switch|subscribe) to (?:a |the )?(?:paid|pro|plus|premium)
    (?:plan|tier|subscription) (?:\w+ )?{_ENDED}
    requires? (?:a |an )?(?:\w+ )?(?:plan|subscription|tier|payment|credit card)
    not (?:available|supported|included) (?:on|in|with|under|for) (?:the |your )?(?:free|current) | 欠费 | 充值
    余额 | 付费 | 额度(?:失败|不足)
"""
OWN_QUOTA = r"""
    exceeded (?:your )?(?:current|monthly|included|plan|account|allotted|available)? ?quota
    check your plan and billing | insufficient (?:\w+ )?quota
"""

# ── rates and load ──

RATE = r"""
    rate ?limit | rate (?:\w+ ){0,3}exceed | per ?(?:min|minute|day|hour|sec|second|week|month)\b | throttl
    / ?(?:min|minute|sec|second|hour|hr|day|s|m)\b | hourly | (?:sent|used|for) today
    (?:a|each|every|this|last|past) (?:minute|second|hour|day)\b
    [io]?(?:tpm|rpm|tpd|rpd|qps|qpm|rps|rph|tph)\b | 速率 | 频率 | 频繁 | 限流 | 每分钟 | 每秒 | 每天 | レート
    速度制限
"""
TOO_OFTEN = r"""
    too many (?:\w+ )?(?:requests|connections|calls|queries|sessions|generations|attempts) | slow down
    (?:too )?(?:fast|frequent(?:ly)?|quickly)\b | cool(?:ing)? ?down | given timeframe | burst\b | quota
    too many (?:\w+ )?tokens(?:,|\.? (?:please )?(?:wait|slow|try)) | usage limit | limit exhausted
    exhausted your capacity | max (?:organization )?(?:rpm|tpm) | (?:hit|reached) (?:your|the) limit
    requests? (?:\w+ )?(?:over|above|exceed\w*) (?:the )?(?:allowed|permitted) | 请求过多 | 并发
    次数(?:已)?(?:达|超|用) | 调用(?:量|次数) | 使用上限
"""
COUNTED = r"""
    daily | weekly | monthly | hourly | usage | session | concurren\w+ | parallel | simultaneous | requests
    message | api | calls? | hour | day | minute | plan | queries | tier
"""
CAP = r"""
    limits?\b(?! of \d+ tokens) | cap\b | quota | maximum number of (?:requests|concurrent|calls|parallel)
"""
BUSY = r"""
    overload | reason: overflow | high(?:er)? (?:\w+ )?(?:demand|load|traffic|volume|usage) | surge
    (?:server|service|engine|system|cluster)s? (?:(?:is|are|was|were) )?(?:\w+ )?(?:busy|saturated|under pressure)
    heavy (?:\w+ )?(?:demand|load|traffic) | peak (?:load|hours|demand|times?) | under maintenance
    temporar(?:y|ily) (?:unavailable|unable|out of|capacity) | (?:pending|queued) requests
    no (?:available|healthy|idle|free) (?:\w+ )?(?:server|worker|replica|instance|upstream|channel|backend|gpu|node)
    slow down\b(?! your| the| request) | try again when | queue (?:is |was )?(?:full|exceeded|too long) | 繁忙
    过载 | 负载 | 访问量过大 | 服务不可用 | 拥挤 | 排队 | 忙碌 | überlastet | surcharg | sobrecarg | 混雑
    過負荷 | 과부하 | перегру
"""
SHORT_OF = r"""
    at | over | insufficient | no | lack | out of | limited | due to | exceed | exhaust | reach | constrain
    unavailable | full | not enough | temporar
"""
SERVER = r"""
    (?:server|service|model|engine|system|api|upstream|cluster|backend|worker|replica|instance|gpu|resource)s?\b
    (?:provider|endpoint|deployment)s?\b
"""
UNREADY = r"""
    busy | (?:temporarily |currently )?unavailable | not (?:yet )?ready | warm(?:ing)? up | cold start
    (?:still |currently |being )?(?:loading|starting|warming|scaling|booting) | maintenance | shutting down
    restarting
"""
LATE = r"""
    timed? out | etimedout | esockettimedout | deadline (?:exceeded|expired) | took (?:too long|longer)
    exceeded (?:the |its )?(?:\w+ )?\d+ ?(?:s|sec|seconds|ms|min|minutes)\b | (?:processing|execution) time\b
    not (?:\w+ )?within (?:the )?(?:\w+ )?(?:time|\d+ ?s)
    (?:did not|didn['’]t|no|not) respon\w+ (?:\w+ )?(?:in|within|after) | 超时 | タイムアウト | 시간 ?초과
    zeitüberschreitung | délai
"""

# ── connections ──

# What only a connection that was never made or did not hold says.
TRANSPORT = r"""
    econn | enotfound | eai again | epipe | ehost | enet | errno | max retries exceeded | connection pool
    ssl (?:eof )?error | connect call failed | cannot connect to host | getaddrinfo | remote protocol
    peer closed | socket hang up
"""
DISCONNECTED = r"""
    und err | socket | fetch failed | failed to fetch | other side closed | premature (?:close|end)
    incomplete (?:chunked )?(?:read|response|message) | server disconnected | name or service not known
    nodename nor servname | no such host | name resolution | dns\b | no route to host | network | unreachable
    host (?:not found|unreachable|is down) | broken pipe | unexpected eof | eof occurred | ssl | tls\b
    certificate | bad gateway | web server is down | proxy (?:error|authentication) | connect error
    payload is not completed | not enough data to satisfy | transfer ?encoding | goaway | terminated$
    http2?:? ?protocol error | streaming error | aborted$ | (?:remote end|server|host) closed | net::err
    internet disconnected | error sending request | stream error: | rst stream | nghttp2 | expected http/
    failed to resolve | invalid or incomplete response | without sending any | 网络 | 连接
    (?:cannot|could not|unable to) (?:reach|resolve (?:host|address|name|dns))
"""
BROKEN = r"""
    error | reset | refused | closed | aborted | fail | lost | broken | dropped | terminated | interrupt
    cannot | can['’]t | could not | \w+n['’]t | unable | severed | cut | was\b
"""
STREAM = r"stream(?:ing)?\b | response\b | body\b"
CUT_OFF = r"(?:ended|closed|interrupted|cut|disconnected|aborted|broke) | error decoding"

# ── models, keys and rights ──

MODEL = r"(?:model|deployment|engine)s?\b"
GONE = r"""
    not (?:be )?found | deactivated | deprecated | retired | decommissioned | removed | sunset | discontinued
    shut ?down | does (?:not|n['’]t) exist | doesn['’]t exist | not exist | could not be found | end of life
    (?:unloaded|not loaded)\b | too large to be loaded | no longer (?:available|supported|exist) | unknown\b
    no such | unrecogni[sz]ed | id(?:entifier)? is invalid | not a valid | not mapped | not deployed
    (?:requested|selected|specified|this) model is not (?:supported|available)
"""
CRASHED = r"""
    (?:invalid|unsupported|unknown) model | crashed\b | process (?:has )?(?:terminated|exited|died)
    exit (?:code|status) | requires more \w+ memory | out of memory | no endpoints found | 模型不存在
    模型已下线 | 未找到模型 | not found for api version
"""
KEY = r"""
    (?:api|access|secret|subscription|bearer|auth\w*|oauth|security|session|refresh) ?keys?\b
    (?:access|auth\w*|bearer|o?auth|security|session|refresh|api) ?tokens?\b | signature(?! in) | credentials?
    (?:expired|revoked|invalid) token\b | token (?=(?:has |is |was )?(?:been )?(?:expired|revoked|invalid))
    login | 密钥 | 令牌 | api ?-?schlüssel | clé | clave | ключ | キー | 키\b
"""
REFUSED = r"""
    invalid(?! request) | incorrect | missing | wrong | bad\b(?! request) | expired?\b | unknown | malformed
    unset | without\b | provide | revoked? | disabled | deactivated | deleted | required\b | requires?\b
    needed | no\b | not\b | \w+n['’]t\b | cannot | unable | fail | denied | refused | reject | leaked
    unrecogni[sz]ed | blocked | suspended | mismatch | unauthori[sz]ed | inactive | unverified | restricted
    lacks?\b | only\b | exception | ungültig | fehl | invalide | inválid | manquant | неверн | недейств | 错误
    无效 | 失效 | 过期 | 非法 | 缺少 | 不正确 | 未提供 | 不存在 | 無効 | 유효하지 | 잘못
"""
NO_RIGHT = r"""
    (?:un)?authenticat | unauthori[sz]ed | not authori[sz]ed | authori[sz]ation | forbidden | log ?in\b
    access (?:is |was )?denied | permissions?\b | missing scopes? | insufficient scope | user not found
    (?:no|not have|\w+n['’]t have|without|lack\w*) (?:\w+ )?access | access to (?:the |this )?model
    (?:invalid|wrong|incorrect|bad|missing|expired|valid) keys?\b | iam\b
    keys? (?:is |was |has )?(?:been )?(?:invalid|incorrect|disabled|revoked|deactivated|expired|not valid|not found)
    not (?:been )?(?:granted|permitted|entitled|whitelisted|allowlisted) | invalid grant | api key
    unrecognized client | oauth exception | 认证 | 鉴权 | 身份验证 | 无权 | 未授权 | 权限 | 認証 | 권한 | 인증
"""
WHO = r"account | organi[sz]ation | project | user | team | workspace | tenant"
SHUT_OUT = r"""
    deactivated | disabled | suspended | banned | terminated | locked | denied | restricted | blocked
    not allowed | verified | not (?:been )?(?:activated|submitted)
"""
WHERE = r"country | region | location | territor | ip(?: address)?\b"
NOT_SERVED = r"""
    not (?:\w+ )?(?:supported|available|allowed|permitted|whitelisted|authorized) | unsupported | blocked
    restricted | \w+n['’]t (?:supported|available)
"""

# ── requests ──

MALFORMED = r"""
    tool (?:use|result|call) | must be followed by | must alternate | thinking block | signature in
    reasoning is mandatory | requires? reasoning | extra inputs are not permitted | validation error
    field required | should match pattern | bad request | failed to satisfy constraint | not valid json
    failed to parse | pars(?:e|ing) error | cannot parse | expected | schema | should be
    must (?:be|contain|have|match|provide|include|not) | not support | cannot be | param(?:eter)? incorrect
    (?:is|are) (?:not (?:supported|allowed|permitted)|required) | missing (?:\w+ )?(?:field|param|property)
    参数 | 格式错误 | 请求错误
"""
WRONG = r"invalid | unsupported | unrecogni[sz]ed | unknown | unexpected | incorrect | illegal | missing"
PART = r"""
    request | param | argument | json | schema | value | type\b | format | body | messages? | role | input
    content | field | name | property | key\b | option
"""
