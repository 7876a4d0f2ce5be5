"""Words that declare, negate, hedge and abstain. Patterns are data: one entry, one test.

All patterns run on tidied text (no run of white space is longer than one character) and none nests quantifiers,
so matching takes time linear in the reply.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

_ADVERBS = (
    r"(?: (?:then|thus|therefore|clearly|definitely|certainly|probably|most likely|likely|simply|actually|indeed|also"
    r"|option|choice|letter|the))?"
)
_LINK = rf"(?:(?: ?[*_]{{0,3}} ?(?:->|→|[:=])|(?: is| would be| should be| must be| has to be| will be){_ADVERBS} ?:?))"
_MARK = r" ?[:=]? ?"

#: Language or form -> what stands right before a declared answer. The last one in a reply counts.
DECLARATIONS: dict[str, str] = {
    "english": (
        rf"(?<![^\W_])(?:answer|ans|choice|option|letter|selection|response|solution)"
        rf"(?: (?:letter|option|choice))?{_LINK}"
    ),
    "english_dash": r"(?<!\w)answer (?:-|–|—) ",
    "english_bare": r"(?:^|\n)(?:final |correct |my )?answer(?: option| choice)? (?=[A-Z](?!\w))",
    "english_choose": (
        r"(?<!\w)(?:i|we)(?: would|'d|’d|'ll|’ll| will| must| have to)? "
        r"(?:choose|pick|select|go with|chose|picked|selected|vote for|answer|say)"
        r"(?: with)?(?: the)?(?: option| answer| choice| letter)?:?(?= )"
    ),
    "choose_other": r"(?<!\w)(?:ich wähle|je choisis|elijo|escolho|scelgo|ik kies|wybieram|я выбираю)(?: la| a)? ?:?",
    "boxed": r"\\boxed(?=\{)",
    "tag": r"<(?:final_)?answer>",
    "hashes": r"####",
    "chinese": r"(?:答案|选择|選擇|选项|選項|选|選)(?:应该|應該)?(?:是|为|為)?" + _MARK,
    "japanese": r"(?:正解|答え|回答|解答)(?:は|が)?" + _MARK,
    "korean": r"(?:정답|답|답변)(?:은|는|이)?" + _MARK,
    "german": r"(?<!\w)(?:antwort|lösung)(?:(?: ?\*{0,3} ?[:=])| (?:ist|lautet)(?: also| somit| daher)?:?)",
    "french": r"(?<!\w)(?:réponse|option)(?: correcte| finale)?(?: ?\*{0,3} ?[:=]| est(?: donc)?(?: la)? ?:?)",
    "spanish": (
        r"(?<!\w)(?:respuesta|opción|alternativa)(?: correcta| final)?(?: ?\*{0,3} ?[:=]| es(?: la)?(?: letra)? ?:?)"
    ),
    "portuguese": (
        r"(?<!\w)(?:resposta|opção|alternativa)(?: correta| certa| final)?(?: ?\*{0,3} ?[:=]| é(?: a)?(?: letra)? ?:?)"
    ),
    "italian": r"(?<!\w)(?:risposta|opzione)(?: corretta| giusta| finale)?(?: ?\*{0,3} ?[:=]| è(?: la)? ?:?)",
    "dutch": r"(?<!\w)antwoord(?: ?\*{0,3} ?[:=]| is ?:?)",
    "russian": r"(?<!\w)ответ(?: ?\*{0,3} ?[:=]| ?[-–—] )",
    "polish": r"(?<!\w)odpowiedź(?: ?\*{0,3} ?[:=]| to ?:?)",
    "nordic": r"(?<!\w)svar(?:et)?(?: ?\*{0,3} ?[:=]| är ?:?| er ?:?)",
    "turkish": r"(?<!\w)(?:cevap|yanıt)(?: ?\*{0,3} ?[:=])",
    "vietnamese": r"(?<!\w)đáp án(?: đúng)?(?: ?\*{0,3} ?[:=]| là ?:?)",
    "indonesian": r"(?<!\w)jawaban(?:nya)?(?: ?\*{0,3} ?[:=]| adalah ?:?)",
    "arabic": r"(?:الإجابة|الجواب)(?: الصحيحة| الصحيح)?(?: هي| هو)?" + _MARK,
    "hindi": r"उत्तर(?: है)?" + _MARK,
}
_DECLARED = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in DECLARATIONS.items()), re.IGNORECASE)

#: Declarations that a text in ASCII cannot hold.
_BEYOND_ASCII = frozenset({"chinese", "japanese", "korean", "russian", "polish", "vietnamese", "arabic", "hindi"})
_DECLARED_ASCII = re.compile(
    "|".join(f"(?P<{name}>{pattern})" for name, pattern in DECLARATIONS.items() if name not in _BEYOND_ASCII),
    re.IGNORECASE,
)

#: In the same clause before a declaration, these mean it is none.
_NEGATED = re.compile(
    r"(?<!\w)(?:not|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|wouldn['’]?t|can['’]?t|cannot|never|neither|nor|none"
    r"|doubt|instead of|rather than|wrong|incorrect|ignore|pretend|nicht|kein|ne|pas|no es|não|non)(?!\w)"
    r"|不是|ではない|아니",
    re.IGNORECASE,
)
#: In the same sentence, these make it a supposition.
_SUPPOSED = re.compile(
    r"(?<!\w)(?:unless|if|whether|suppose|supposing|assume|assuming|falls|ob|si|se)(?!\w)", re.IGNORECASE
)
#: A comma ends a clause, unless the next word carries the thought on.
_CLAUSE_END = re.compile(r", (?!that\b|dass\b|que\b|che\b|though\b|however\b)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;。！？；]\s|[。！？；]|\n|, (?:so|but|therefore|thus|hence) ", re.IGNORECASE)
#: A sentence is looked at this far back.
_LOOK_BACK = 240
MAX_DECLARATIONS = 64
#: Right before a declaration, these mean that a list of options follows: ``each option: A ...``.
_LISTS = re.compile(
    r"(?<!\w)(?:each|every|any|all|other|following|chaque|jede|cada|ogni)(?: \w{1,8})? $", re.IGNORECASE
)


#: Every declaration in ASCII begins with one of these, or with one of ``_LEADS`` and then one of these.
_KEYS = (
    "ans", "choice", "option", "letter", "selection", "response", "solution", "je choisis", "elijo", "escolho",
    "scelgo", "ik kies", "wybieram", "\\boxed{", "<answer>", "<final_answer>", "####", "antwo", "alternativa",
    "respuesta", "resposta", "risposta", "opzione", "svar", "cevap", "jawaban",
    "choose", "pick", "select", "go with", "chose", "vote for", "say",
)  # fmt: skip
_WILL = ("", " would", "'d", "'ll", " will", " must", " have to")
_LEADS = (
    *(f"{who}{will} " for who in ("i", "we") for will in _WILL),
    *(f"\n{kind}" for kind in ("", "final ", "correct ", "my ")),
)


def _declared(text: str) -> Iterator[re.Match[str]]:
    """All declarations, from left to right; what ``finditer`` gives.

    A pattern of many words is slow to look for at every place of a long text; the words themselves are not.
    """
    if not text.isascii():
        yield from _DECLARED.finditer(text)
        return
    lowered = text.lower()
    starts = {0}
    for key in _KEYS:
        at = lowered.find(key)
        while at >= 0:
            starts.add(at)
            if lowered.endswith(_LEADS, 0, at):
                starts.update(at - len(lead) for lead in _LEADS if lowered.endswith(lead, 0, at))
            at = lowered.find(key, at + 1)
    end = 0
    for start in sorted(starts):
        if start >= end and (match := _DECLARED_ASCII.match(text, start)) is not None:
            yield match
            end = match.end()


def declarations(text: str) -> Iterator[tuple[str, int]]:
    """Name and end of the declarations that their own sentence does not negate, the last one first.

    At most ``MAX_DECLARATIONS``: a reply that declares more often repeats itself, and reading stays linear.
    """
    last = deque(_declared(text), MAX_DECLARATIONS)
    for match in reversed(last):
        before = text[max(0, match.start() - 16) : match.start()]
        if not _LISTS.search(before) and not negated_before(text, match.start()):
            yield str(match.lastgroup), match.end()


def negated_before(text: str, position: int) -> bool:
    """Whether the part of the sentence before ``position`` negates or supposes what follows."""
    before = text[max(0, position - _LOOK_BACK) : position]
    sentence = clause = 0
    for match in _SENTENCE_END.finditer(before):
        sentence = clause = match.end()
    for match in _CLAUSE_END.finditer(before, sentence):
        clause = match.end()
    return _NEGATED.search(before, clause) is not None or _SUPPOSED.search(before, sentence) is not None


#: Words that speak against taking a text at its face: it hedges, negates or goes on to something else.
UNSURE = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|without|except|unlike|instead|rather|if|whether|might|may|could|maybe"
    r"|perhaps|possibly|either|or|but|however|although|though|cannot|than)(?!\w)|n['’]t(?!\w)|\?",
    re.IGNORECASE,
)
#: An abstention that goes on like this is not one.
TURNS = re.compile(
    r"(?<!\w)(?:but|however|although|though|nevertheless|still|yet|best guess|if i had to|i would guess|i['’]d guess"
    r"|i would say|i['’]d say|most likely|probably|likely|closest|aber|jedoch|mais|pero|mas|ma)(?!\w)|但|しかし|하지만",
    re.IGNORECASE,
)

_ABILITY = (
    r"(?:can ?not|can['’]?t|could not|couldn['’]?t|(?:am |is |are |was )?(?:unable|not able) to"
    r"|(?:is |are )?impossible to|(?:is |are )?not possible to|no way (?:to|of))"
)
_KNOWING = (
    r"(?:tell|say|determined?|know|known|answer(?:ed)?|judged?|decided?|infer(?:red)?|see|seen|identify|identified"
    r"|conclude|read|made out|make out|established?|ascertain(?:ed)?|deduced?|discern(?:ed)?|verify|verified|knowing"
    r"|telling|determining)"
)
#: Seeing no picture at all is a fault of the run, not a judgement of the question.
_NO_PICTURE = r" (?:any|an|the|this|your) (?:image|picture|photo|attachment|file)s?(?!\w)"
_SUBJECT = (
    r"(?:(?:i|we|you|one|it|this|that|there|(?:the|this|that) (?:\w+ ){1,5}?)(?:['’]m |['’]s |['’]re | ?am | ?is"
    r" | ?are | ?was | ?has | ?do | ?does | ?))?"
)
_OPENERS = (
    r"(?:(?:sorry|unfortunately|i['’]m sorry|i am sorry|i['’]m afraid|i am afraid|honestly|actually|well|so|therefore"
    r"|answer|(?:based on|from|given|in|looking at|according to) (?:the|this|that) (?:[\w-]+ ){0,3}?[\w-]+),? ?:? ?)?"
)
#: What abstains in English, each anchored at the start of a sentence (after an opener and a subject).
ABSTENTIONS: dict[str, str] = {
    "none_of": r"none (?:of|from) (?:the |these |those |all |them|above|A, |A or )",
    "none_of_bare": r"none of (?:these|those|them)(?!\w)",
    "not_any_of": r"not (?:one |any )?of the (?:above|options|choices|answers)",
    "no_option": (
        r"(?:there (?:is|are) |there['’]s )?no (?:correct|right|valid|suitable|matching|applicable|appropriate) "
        r"(?:option|answer|choice)"
    ),
    "all_wrong": r"(?:all|all of|every one of)(?: of)?(?: the| these)? (?:options|choices|answers) (?:are|is) (?:all )?"
    r"(?:incorrect|wrong|false|irrelevant)",
    "not_listed": (
        r"(?:the )?(?:correct |right )?(?:answer|option) (?:is not|isn['’]t) "
        r"(?:listed|given|among|provided|available|present|included|one of|in the (?:options|choices|list))"
    ),
    "cannot_know": rf"{_SUBJECT}{_ABILITY} (?:be )?(?:\w+ly )?{_KNOWING}(?!\w)(?!{_NO_PICTURE})",
    "dont_know": r"(?:i |we )?(?:really |honestly |simply )?(?:do not|don['’]?t|dont) know(?!\w)",
    "no_idea": r"(?:i have |i['’]ve )?no (?:idea|clue)(?!\w)",
    "unanswerable": r"(?:(?:it|this|that|the \w+|this \w+|the question \w+) )?(?:is |['’]s )?"
    r"(?:unanswerable|not answerable|indeterminate|indeterminable|undeterminable|undecidable)(?!\w)",
    "not_enough": (
        r"(?:there (?:is|are) |there['’]s |we have |i have |it has |the \w+ (?:has|contains|gives|provides|offers) )?"
        r"(?:not enough|insufficient|too little|no sufficient) (?:\w+ )?"
        r"(?:information|info|evidence|data|details?|context)"
    ),
    "not_sufficient": r"the (?:\w+ ){1,3}?(?:is|are) (?:insufficient|not (?:enough|sufficient)) (?:to|for)(?!\w)",
    "irrelevant": (
        r"(?:the )?(?:given |provided )?"
        r"(?:image and (?:the )?question|question and (?:the )?image|image|picture|question)"
        r" (?:are|is) (?:completely |totally )?(?:irrelevant|unrelated|not related)"
    ),
    "abstain": r"(?:i |we )(?:will |would |must |have to |choose to )?abstain(?!\w)",
}
_ABSTAINS = re.compile(
    rf"\W{{0,4}}{_OPENERS}(?:it['’]?s |it is |that |the (?:correct |final )?answer is )?"
    rf"(?:{'|'.join(f'(?P<{name}>{pattern})' for name, pattern in ABSTENTIONS.items())})",
    re.IGNORECASE,
)
#: What abstains in other languages.
FOREIGN_ABSTENTIONS: dict[str, str] = {
    "german": (
        r"kein(?:e|er|es)? der (?:oben |obigen |genannten |vorstehenden |antworten|optionen|möglichkeiten)"
        r"|lässt sich (?:\w+ ){0,4}?nicht (?:sagen|bestimmen|feststellen|beantworten|erkennen)"
        r"|weiß ich nicht|ich weiß (?:es )?nicht|nicht (?:beantwortbar|bestimmbar)"
        r"|kann (?:\w+ ){0,5}?nicht (?:bestimmt|beantwortet|festgestellt) werden"
    ),
    "french": (
        r"aucune (?:de ces|des) (?:réponses|options|propositions)|(?:je )?ne sais pas"
        r"|impossible (?:à|de) (?:déterminer|dire|savoir|répondre)"
        r"|on ne peut pas (?:le )?(?:déterminer|savoir|dire)"
    ),
    "spanish": (
        r"ningun[ao] de (?:las|los) (?:anteriores|opciones|respuestas)|no (?:lo )?sé(?!\w)"
        r"|no se puede (?:determinar|saber|responder)|es imposible (?:determinar|saber|decir)"
    ),
    "portuguese": (
        r"nenhuma das (?:anteriores|opções|alternativas|respostas)|não sei(?!\w)"
        r"|não (?:é possível|se pode|dá para) (?:determinar|saber|dizer|responder)"
    ),
    "italian": (
        r"nessuna delle (?:precedenti|opzioni|risposte)|non (?:lo )?so(?!\w)"
        r"|non (?:è possibile|si può) (?:determinare|stabilire|dire|sapere|rispondere)"
    ),
    "chinese": (
        r"以上(?:都|皆|均)(?:不|非|没)|(?:都|均)不(?:对|對|是|正确|正確)|不知道|没有正确(?:答案|选项)"
        r"|(?:无法|無法|不能|难以|難以)(?:确定|確定|判断|判斷|回答|得知|看出)"
    ),
    "japanese": (
        r"わかりません|分かりません|わからない|判断できません|判断できない"
        r"|該当なし|該当するものはありません|どれでもない|答えられません"
    ),
    "korean": r"알 수 없|모르겠|판단할 수 없|정답이 없|보기 중 없|해당 없음",
}
_ABSTAINS_FOREIGN = re.compile(
    "|".join(f"(?P<{name}>{pattern})" for name, pattern in FOREIGN_ABSTENTIONS.items()), re.IGNORECASE
)
#: One of these is in every abstention of another language that is written in ASCII.
_FOREIGN_KEYS = (
    "kein", "nicht", "aucune", "ne sais pas", "impossible d", "on ne peut pas", "ningun", "no se puede", "es imposible",
    "nenhuma", "nessuna", "non ",
)  # fmt: skip


def _foreign(sentence: str) -> re.Match[str] | None:
    """How a sentence abstains in another language."""
    if sentence.isascii():
        lowered = sentence.lower()
        if not any(key in lowered for key in _FOREIGN_KEYS):
            return None
    return _ABSTAINS_FOREIGN.search(sentence)


#: A refusal in words: its own kind of unreadable, neither an abstention nor an answer.
_REFUSES = re.compile(
    r"(?<!\w)(?:can['’]?t|can ?not|won['’]?t|will not|unable to|not able to) (?:\w+ )?"
    r"(?:assist|help|comply|fulfil|fulfill|engage|participate|process|support|discuss|provide"
    r"|continue|respond|do that)(?!\w)"
    r"|(?<!\w)(?:against|violates?) (?:my|the|our) (?:\w+ )?(?:policy|policies|guidelines)(?!\w)",
    re.IGNORECASE,
)
#: Text that a program wrote, not a model: never an abstention.
_MACHINE = re.compile(
    r"\W*(?:\w*error|exceptions?|fail(?:ed|ure)?|timeout|timed out|rate limit\w*|http\w*|traceback|connection"
    r"|api|request|warning|null|undefined|\w+_\w+_\w+)(?!\w)",
    re.IGNORECASE,
)
#: What a failed call looks like when it was stored as if it were a reply.
_ERROR_TEXT = re.compile(
    r"\W{0,4}(?:[\w.]{0,60}(?:error|exception)(?: code)?(?: ?[:(\[]|$| - | \d{3})"
    r"|traceback \(most|http(?:/\d(?:\.\d)?)? \d{3}(?!\d)"
    r"|failed to (?:obtain|get|fetch|connect|call|generate|parse)|rate limit|(?:request |connection )?timed? ?out"
    r"|connection (?:error|reset|refused|aborted|failed)|(?:api|request|server|call) (?:call )?(?:failed|error)"
    r"|too many requests|internal server|service unavailable|bad gateway|quota exceeded)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[.!?;]\s|[。！？；\n]")
#: An abstention is looked for in the first sentences only.
_SENTENCES_READ = 3


def failed_call(text: str) -> bool:
    """Whether this is the message of a failed call that was stored as if it were a reply."""
    return _ERROR_TEXT.match(text.lstrip()) is not None


def refusal(text: str) -> bool:
    """Whether a short text declines to be of service (a safety refusal)."""
    return len(text) <= 400 and _REFUSES.search(text) is not None


def abstention(text: str, *, foreign: bool = True) -> str | None:
    """Name of the wording by which a tidied text abstains, or None.

    Anchored at the start of one of the first sentences; a text that then turns (``but``, ``my best guess``), that a
    machine wrote (``Error: ...``) or that refuses service does not abstain.
    """
    if _MACHINE.match(text[:120]) or TURNS.search(text) or refusal(text):
        return None
    start = 0
    for _ in range(_SENTENCES_READ):
        end = _SENTENCES.search(text, start)
        stop = end.start() if end else len(text)
        sentence = text[start:stop].strip()[:_LOOK_BACK]
        match = _ABSTAINS.match(sentence)
        if match is None and foreign:
            match = _foreign(sentence)
        if match is not None:
            return str(match.lastgroup)
        if end is None:
            break
        start = end.end()
    return None
