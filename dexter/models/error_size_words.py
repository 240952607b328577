"""The vocabulary of sizes: what is measured, what bounds it, and how one says that it is too much.

How phrases are read: `error_phrases`. What they mean where they stand together: `error_rules`.
"""

from __future__ import annotations

INPUT = r"""
    prompts?\b | inputs?\b | messages?\b | conversations?\b | context\b | contents?\b | history\b | transcript
    quer(?:y|ies)\b | question | requests?\b | texts?\b | payload | body\b | entity\b | documents?\b
    sequences?\b | instructions?\b | chat\b | thread\b | session\b | dialog | tokens?\b | length\b | data\b
    eingabe | anfrage | nachricht | entrée | requête | invite\b | entrada | solicitud | mensaje | requisição
    запрос | контекст | 输入 | 提示 | 请求 | 文本 | 内容 | 对话 | 消息 | 会话 | 问题 | 上下文 | 長さ | 入力
    プロンプト | リクエスト | トークン | コンテキスト | 입력 | 프롬프트 | 요청 | 토큰 | 컨텍스트
"""
TOKENS = r"""
    tokens?\b | context\b | prompt\b | input\b | sequence\b | (?:n )?ctx\b | jeton | kontext | contexte?\b
    контекст | токен | トークン | コンテキスト | 토큰 | 컨텍스트 | 上下文 | 令牌数 | 长度 | 字数
"""
WINDOW = r"""
    context (?:\w+ )?(?:length|window|size|limit|budget|len|capacity|maximum)\b | ctx(?: (?:len|size))?\b
    max(?:imum)? (?:\w+ ){0,2}?(?:context|prompt|input|sequence|model|seq|position)\b
    (?:context|token|input|prompt|sequence|model)s? (?:\w+ )?(?:limit|budget|maximum|cap|capacity|allowance)s?\b
    model(?:['’]?s)? (?:\w+ )?(?:context|window|limit|maximum|capacity) | (?:token|attention) window | window\b
    kontext(?:fenster|länge) | fenêtre | ventana | janela | 上下文(?:长度|窗口)? | 窗口 | 最大长度 | 컨텍스트
    コンテキスト
"""
TOO_LONG = r"""
    too (?:long|large|big|lengthy) | zu lang | zu groß | trop (?:long|grand) | demasiado (?:larg|grand)
    muito (?:long|grande) | troppo (?:lung|grand) | слишком (?:длин|больш) | 过长 | 太长 | 超长 | 过大 | 長すぎ
    너무 (?:길|깁|긴)
"""
# "See above" and "over the network" pass nothing.
_OURS = r"(?:the |its |our |a |this |your )?(?:\w+['’]?s? ){0,2}?"
_BOUNDARY = rf"{_OURS}(?:max|limit|allow|context|window|capacity|cap\b|threshold|\d{{3}}|\d+k)"
PASSES = rf"""
    exceed | overflow(?:s|ed|ing|:|$|\.| error| detected) | surpass | overr[ua]n | overshoot | outgr[oe]
    (?:larger|longer|greater|bigger|more|higher) than(?! (?:one|a single|\d\d?)\b)
    (?:over|above|beyond|past)\b {_BOUNDARY} | past what | beyond what
    (?:not|\w+n['’]?t|cannot|never|no longer|unable to|fails? to) (?:\w+ )?(?:fit|accommodate|hold) | überschr
    übersteig | dépass | exced | supera | превыш | превыс | 超え | 超過 | 超出 | 超过 | 超限 | 초과
"""
_TAKES = r"(?:supports?|accepts?|allows?|handles?|takes?)"
EXCESS = rf"""{TOO_LONG}{PASSES}
    too (?:many|much|high|great) | excessive | >=? ?\(?(?:\d|max|context|limit|model|window|allowed)
    out of (?:range|bounds) | truncat | reached\b | hit\b | too small (?:for|to) | at most \d | up to \d
    only (?:{_TAKES}|has|holds?|fits?)\b
    (?:is|are|was|has been|been|now|context|window|cache) ?(?:full|exhausted)\b
    (?:not |in)sufficient (?:room|space|context)
    (?:not enough|no|no more|ran out of|out of|without) (?:\w+ )?(?:room|space|context)
    (?:must|should|has to|needs? to) (?:be|have) (?:<|less|fewer|at most|below|under|shorter|smaller|within)
    (?:must|should|has to|needs? to) (?:be|have) no (?:more|longer)
    (?:{_TAKES}|limited to|maximum of|max of|limit (?:of|is)|limit:) (?:\w+ )?(?:a )?(?:max(?:imum)? (?:of )?)?\(?\d
    demasiad | 过多 | 上限 | 너무 많
"""
SHORTEN = r"""
    reduc | shorten | trim | truncat | decreas | compact | compress | summari[sz]e | split | remove some
    cut down | kürze | raccourci | acort | reduzc | reduza | сократ | 减少 | 缩短 | 压缩 | 精简 | 短く | 줄이
"""
TO_SHORTEN = r"""
    (?:\w+ )?(?:prompt|input|message|conversation|context|history|request|content|quer|text|question) | 上下文
    输入
"""
WINDOW_NAMES = r"""
    ^context overflow | n ?ctx | max model len | slot context | keep the first \d+ tokens | tokens to keep
    string too long | too much (?:text|input|content|context) | overlong | of (?:this|that) (?:length|size)
    range of input length | (?:context|window|cache) (?:is )?(?:now )?full\b
    (?:input|prompt|request|payload|content|entity) too (?:long|large)
"""
# Room for the answer; `speak` has made one phrase of the parameter's names.
OUTPUT = r"""
    max output tokens | max(?:imum)? new tokens | maximum tokens you requested
    max(?:imum)? (?:\w+ )?(?:completion|output|generat\w+|response|answer|reply) ?(?:tokens?|length|limit)
    (?:output|completion|generated|generation) (?:tokens?|length|limit) | tokens? to (?:sample|generate|predict)
    (?:num|n) predict | max tokens (?:must|should|value|is|cannot|参数)
"""
ANSWER_TOO_LONG = r"(?:output|generated text|completion|response)\b (?:\w+ ){0,2}?(?:exceed|too (?:long|large))"
BOUND = r"""
    must | should | range | invalid | unsupported | not support | value | positive | greater | less | integer
    reached | cannot | at least | 参数 | 不
"""
# What has sizes of its own.
THINGS = r"""
    images?\b | pdf\b | pixels | dimensions?\b | files?\b(?! context) | attachments?\b | uploads?\b | audio
    voice | video | media\b | frames?\b | pages\b | names?\b | descriptions?\b | (?:call|tool|user|item) ids?\b
    title\b | metadata | enum\b | array\b | list\b | tools?\b | functions?\b | stop sequences? | fields?\b
    top (?:k|p|logprobs) | temperature | logprobs | labels?\b | number of (?:messages|items|choices)
"""
OTHER_SIZES = r"""
    minimum | too few | too short | too small(?! (?:for|to)) | batch ?size | physical batch
    (?:in|per) (?:the |this |\w+ )?batch | your batch | thinking budget | cache control | budget tokens
    at least \d+ tokens (?:are )?(?:required|needed) | cach(?:ed|ing|e key) | too (?:large|long|big) to process
    (?:argument|parameter)s? validation | input should (?:be|have)(?!.*tokens) | \d+ items\b
    (?:should|must) be (?:greater|more|larger|longer|higher)
    invalid '(?!(?:input|prompt|instructions|messages\[\d+\]\.content)')[^']*'\W+(?:string|array) too long
    too many (?:tools|functions|images|documents|messages|stop sequences|items|attachments|param|propert)
"""
# What has a size in time, in number or in depth.
OTHER_MEASURES = r"""
    (?:time|duration) limit | lifetime | retries | attempts | turns\b | iterations | redirects | depth | nesting
    memory exceed | out of memory | complexity | signature | content length exceeds body | buffer | query string
    uri\b | effort | price | (?:image|audio|video|vision|media) tokens\b(?!.*(?:text|prompt|total))
"""
