"""Chinese rules: what a verb phrase says of its subject. The phrase comes without adverbs and negation."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.rules import Rule
from desk_assistant.memory.extract.zh import words


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_VAGUE: Final = _re(r"^(?:它|这|那|你|他|她|这个|那个|这些|那些|这种|那种|这样|那样|什么|怎么|一下|一点|自己|别人|点)(?!.{3})|^(?:这|那|你)(?:个|些|种|么|的|们|说|给|写|回|帮)?")


def is_value(value: str) -> bool:
    """Refuse what only points ("这个", "你的回答")."""
    return bool(value) and not _VAGUE.match(value) and len(value) <= 32


def is_short(value: str) -> bool:
    """Accept a value of up to sixteen characters that does not only point."""
    return is_value(value) and len(value) <= 16


def is_place(value: str) -> bool:
    """Accept a value that can be a place."""
    return is_value(value) and len(value) <= 20 and not re.match(r"一起|一块|这里|这儿|那里|那儿|哪|家$|家里$|外面$|公司$|学校$|路上|心里", value)


def is_occupation(value: str) -> bool:
    """Tell whether a noun phrase names a line of work."""
    return bool(re.search(rf"{words.JOB_ENDINGS}$", value)) and len(value) <= 20


def is_name(value: str) -> bool:
    """Tell whether a value can be somebody's full name."""
    return bool(re.fullmatch(rf"(?:[{words.SURNAMES}]|欧阳|诸葛|司马|上官|慕容|令狐|皇甫|尉迟)[一-鿿]{{1,3}}|[一-鿿]{{2,4}}|[一-鿿]{{2,5}}·[一-鿿]{{1,6}}|[A-Z][A-Za-z'. -]{{1,30}}", value)) and not re.search(
        rf"{words.JOB_ENDINGS}$|人$|的|了|不|想|说|很|做|们$", value
    )


def is_surnamed(value: str) -> bool:
    """Tell whether a value is a full name beyond doubt enough for "我是…"."""
    return bool(re.fullmatch(rf"(?:[{words.SURNAMES}]|欧阳|诸葛|司马|上官)[一-鿿]{{1,2}}", value)) and is_name(value)


def is_tool(value: str) -> bool:
    """Accept what one uses lastingly: something with a name of its own, or a known kind of thing."""
    return is_short(value) and bool(category(value) or re.search(r"[A-Za-z0-9]", value) or len(value) >= 2) and not re.match(r"来|过|完|手|力|心|功|餐|不|到|上|得|在|一下|脑|钱|英文|中文", value)


_BE: Final = r"(?:是|就是|算是|乃是)"

VERBS: Final[tuple[Rule, ...]] = (
    Rule("allergic_to", _re(r"对(?P<o>.+?)(?:严重|重度|轻度|有点|有些|特别|很|都|也|会|有)*过敏"), "对{o}过敏", negated_text="对{o}不过敏", confidence=0.95, many=True, cut="none", guard=is_value),
    Rule("allergic_to", _re(r"(?:有)?(?P<o>[一-鿿]{2,6}?)(?:严重|轻度)?过敏(?!性)"), "{o}过敏", negated_text="对{o}不过敏", confidence=0.88, cut="none", guard=lambda v: is_value(v) and not re.match(r"会|没|不|皮肤|容易|又|最近", v)),
    Rule("likes", _re(r"对(?P<o>.+?)(?:很|特别|非常|超级?)?(?:感兴趣|有兴趣|着迷|上瘾)"), "对{o}感兴趣", negated_as="dislikes", negated_text="对{o}没兴趣", confidence=0.85, many=True, cut="none", guard=is_value),
    Rule("dislikes", _re(r"对(?P<o>.+?)(?:很|特别|非常|一点)?(?:没兴趣|没有兴趣|不感兴趣|无感|反感|厌恶)"), "对{o}没兴趣", confidence=0.85, many=True, cut="none", guard=is_value),
    Rule("name", _re(r"(?:的?(?:名字|姓名|真名|本名|大名|全名)(?:就)?(?:是|叫)|名叫|姓名:?|大名)(?P<o>.+)"), "叫{o}", confidence=0.93, guard=is_name),
    Rule("name", _re(r"叫做?(?P<o>.+)"), "叫{o}", confidence=0.92, guard=is_name),
    Rule("name", _re(r"姓(?P<o>[一-鿿]{1,2})$"), "姓{o}", confidence=0.85),
    Rule("name", _re(rf"{_BE}(?P<o>[一-鿿]{{2,4}})$"), "叫{o}", confidence=0.7, guard=is_surnamed, others=False),
    Rule("nickname", _re(r"(?:的)?(?:外号|绰号|小名|昵称|网名|英文名|笔名|乳名)(?:是|叫做?|:)(?P<o>.+)"), "外号{o}", confidence=0.92, guard=is_short),
    Rule("birthday", _re(r"(?:的)?(?:生日|出生日期)(?:是在|就是|是|在|:)?(?P<o>(?:农历|阴历|阳历|公历)?[\d一二三四五六七八九十年月日号零〇腊正初廿/.-]{3,})"), "生日{o}", confidence=0.93, cut="none"),
    Rule("birthday", _re(r"(?P<o>\d{2,4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)(?:出生|生的|生人|生)"), "生于{o}", confidence=0.88, cut="none"),
    Rule("age", _re(r"(?:的)?(?:年龄|岁数)(?:是|为|:)?(?P<o>\d{1,3})"), "{o}岁", confidence=0.92, cut="none"),
    Rule("age", _re(r"(?:今年|刚满|刚|快|已经|都|就)?(?:满)?(?P<o>\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:周)?岁"), "{o}岁", confidence=0.9, cut="none"),
    Rule("allergic_to", _re(r"(?:的)?过敏(?:源|原)(?:是|有)(?P<o>.+)"), "对{o}过敏", confidence=0.9, many=True),
    Rule("born_in", _re(r"(?:出生[在于]|(?:\d{2,4}年)?生[在于]|的出生地是)(?P<o>.+)"), "出生在{o}", confidence=0.92, guard=is_place),
    Rule("born_in", _re(r"在(?P<o>[一-鿿A-Za-zø·]{2,16})(?:出生|出世)"), "出生在{o}", confidence=0.92, guard=is_place),
    Rule("grew_up_in", _re(r"(?:在(?P<o>.+?)(?:长大|度过(?:的)?童年))"), "在{o}长大", confidence=0.9, cut="none", guard=is_place),
    Rule("from", _re(r"(?:的)?(?:老家|家乡|籍贯|祖籍|故乡)(?:就)?(?:是|在|:)?(?P<o>.+)"), "老家{o}", confidence=0.9, guard=is_place),
    Rule("from", _re(r"(?:来自|从)(?P<o>[一-鿿A-Za-z]{2,12})(?:来的?)?$"), "来自{o}", confidence=0.85, guard=is_place),
    Rule("from", _re(rf"{_BE}(?:土生土长的?|地道的?|纯)?(?P<o>[一-鿿]{{2,10}})人$"), "{o}人", negated_text="不是{o}人", confidence=0.88, guard=lambda v: is_place(v) and not re.search(r"(?:一个|种|的|名|位|负责|主持|候选|当事|创始|合伙|中间|年轻|老|普通|同龄|经纪|独立投资|北漂|机器|性格|内向|外向|早起|夜|好|坏|爱|养蜂|媒体|代理|发起)$|^(?:一|个|两|本|第)", v)),
    Rule("lives_in", _re(r"(?:的)?(?:住址|家)(?:就)?(?:是在|在)(?P<o>.+)"), "住在{o}", confidence=0.82, guard=is_place),
    Rule("lives_in", _re(r"(?:居住|定居|住|租房|租住|安家|落户|暂居|常驻)(?:在|于)(?P<o>.+)"), "住在{o}", negated_text="不住在{o}", confidence=0.93, guard=is_place, slot="valid_from"),
    Rule("lives_in", _re(r"在(?P<o>.{2,14}?)(?:定居|生活|居住|住|安了?家|常驻|租房)"), "住在{o}", negated_text="不住在{o}", confidence=0.88, cut="none", guard=is_place, slot="valid_from"),
    Rule("lives_in", _re(r"(?:刚|才|已经)?(?:从(?P<f>[一-鿿A-Za-z]{2,10}))?(?:搬家|搬|迁|移居|移民)(?:到|去|回|至|来)(?:了)?(?P<o>.+)"), "住在{o}", confidence=0.9, guard=is_place, slot="valid_from"),
    Rule("employer", _re(r"(?:在|于)(?P<o>[^,。]{2,24}?)(?:上班|工作|任职|就职|供职|实习|打工|入职)"), "在{o}工作", negated_text="不在{o}工作", confidence=0.9, cut="none", slot="valid_from", guard=lambda v: is_place(v) and not re.match(r"家", v)),
    Rule("employer", _re(r"(?:入职|加入|跳槽到|跳槽去|供职于|就职于|任职于)(?:了)?(?P<o>.+)"), "在{o}工作", confidence=0.88, slot="valid_from", guard=is_short),
    Rule("job", _re(r"(?:在|于)(?:[^,。]{1,24}?)(?:当|做|担任|任|干)(?P<o>.+)"), "做{o}", confidence=0.9, slot="valid_from", guard=lambda v: is_occupation(v) or re.fullmatch(r"[一-鿿A-Za-z+#]{2,12}(?:开发|设计|研发|管理|研究|教学|销售|测试|运维|策划|运营)", v) is not None),
    Rule("job", _re(r"(?:的)?(?:职业|工作|本职工作|本职|职位|职务|岗位|专职|身份)(?:就)?(?:是|为|:)(?:一[名个位])?(?P<o>.+)"), "职业{o}", confidence=0.9, guard=is_short),
    Rule("job", _re(rf"(?:{_BE}|当|担任|做)(?:了)?(?:一[名个位枚只]|个|名|位)?(?P<o>[^,。]*?{words.JOB_ENDINGS})$"), "是{o}", negated_text="不是{o}", confidence=0.92, cut="none", guard=lambda v: is_value(v) and "是" not in v and not re.match(r"我|他|她|你", v), slot="valid_from"),
    Rule("job", _re(rf"(?:{_BE})(?:专门)?(?:做|搞|干|从事)(?P<o>.+?)(?:方面|相关|这一?行|工作)?的$"), "做{o}", negated_text="不做{o}", confidence=0.9, cut="none", guard=is_value),
    Rule("job", _re(r"(?:从事|主业是|专职做|负责)(?P<o>.+?)(?:方面的?工作|相关的?工作|工作|行业|这一行)?$"), "从事{o}", negated_text="不从事{o}", confidence=0.82, cut="none", guard=is_short),
    Rule("job", _re(r"(?:做|搞|干)(?:了)?(?P<o>[一-鿿A-Za-z+#]{1,10}?(?:开发|设计|研发|研究|测试|运维|策划|运营|销售|教育|外贸|投资|量化|算法|交易|装修|餐饮|自媒体|电商|会计|翻译|直播|维修|产品|策略|咨询|教研|播音|财务|法务|人事))(?:的|了|工作)*"), "做{o}", negated_text="不做{o}", confidence=0.86, cut="none"),
    Rule("employer", _re(r"(?:的)?(?:公司|单位|雇主|工作单位|工作地|工作地点|工作的地方)(?:就)?(?:是|叫|在|是在)(?P<o>.+)"), "在{o}工作", confidence=0.85, guard=is_short),
    Rule("school", _re(r"(?:在|就读于|毕业于|考上了?|考进了?|念的是)(?P<o>[^,。]*?(?:大学|学院|中学|高中|小学|附中|一中|二中|交大|北大|清华|浙大|复旦))(?:读书|上学|念书|读|上|学习|毕业)?(?!教|当|做|工作|任|上班)"), "就读于{o}", confidence=0.85, cut="none", guard=is_short),
    Rule("studies", _re(r"(?:的)?(?:专业|学的专业)(?:就)?(?:是|为|:)(?P<o>.+)"), "学{o}专业", confidence=0.9, guard=is_short),
    Rule("studies", _re(r"(?:在|正在)?(?:读|念|攻读)(?P<o>[^,。]*(?:专业|硕士|博士|本科|研究生|研|博|学|MBA|系)(?:研究生|学位)?)$"), "在读{o}", confidence=0.85, guard=lambda v: is_short(v) and not re.search(r"大学$|小学$|中学$|文学$", v)),
    Rule("learning", _re(r"(?:在|正在|正|最近在|开始|刚开始|报名|报班)(?:自)?(?:学习|学|练|备考|考)(?P<o>.+)"), "在学{o}", negated_text="不学{o}", confidence=0.82, many=True, guard=is_short),
    Rule("speaks", _re(rf"(?:会(?:说|讲)|能说|能讲|讲|说|懂|精通|会|的母语是)(?:一?点|流利的?|一些|简单的)?(?P<o>{words.LANGUAGES}.*)"), "会{o}", negated_text="不会{o}", confidence=0.9, many=True),
    Rule("choosing", _re(r"(?:在|正在|正|还在)?(?:选型|选购|挑选|选|挑|对比|比较|纠结|物色|考虑(?:买|换|用))(?:一[款个台部套]|一下)?(?P<o>.+)"), "在选{o}", confidence=0.84, guard=lambda v: is_short(v) and not re.match(r"择|了|完|好|出|中", v)),
    Rule("favourite", _re(r"(?:最|特别)(?:喜欢|爱|钟爱|中意)的(?P<q>[一-鿿A-Za-z]{1,8}?)(?:就)?(?:是|叫|还是|:)(?P<o>.+)"), "最喜欢的{q}是{o}", confidence=0.92, guard=is_value),
    Rule("favourite", _re(r"(?:常|爱|平时|一直|现在|平常|固定|首选|最常|惯)?(?P<v>喝|吃|穿|看|听|玩|抽)的(?P<q>[一-鿿]{0,4}?)(?:就)?(?:是|还是)(?P<o>.+)"), "{v}的{q}是{o}", confidence=0.82, guard=is_short),
    Rule("favourite", _re(r"的?(?:首选|常点|必点|固定|默认|惯用|常用)(?:的)?(?P<q>饮料|饮品|早餐|早饭|午餐|晚餐|零食|咖啡|茶|菜|字体|颜色|编辑器|输入法|[一-鿿]{2,4})(?:就)?(?:是|:)(?P<o>.+)"), "首选{q}是{o}", confidence=0.86, guard=is_short),
    Rule("dislikes", _re(r"(?:最|很|特别|非常|真的|超级?|有点|比较|一直)*(?:讨厌|反感|厌恶|受不了|嫌弃|恨|烦|怕|害怕|恐惧|排斥|嫌|忍不了|看不惯|吃不惯|喝不惯|听不惯)(?P<o>.+)"), "讨厌{o}", negated_as="likes", negated_text="不讨厌{o}", confidence=0.88, many=True, guard=lambda v: is_value(v) and not re.match(r"我|是", v)),
    Rule("likes", _re(r"(?:最|很|特别|非常|真的|超级?|挺|比较|一直|更|蛮|好|太)*(?:喜欢上了?|爱上了?|迷上了?|喜欢|热爱|喜爱|钟爱|酷爱|偏爱|享受|痴迷于?|迷恋|钟情于?|爱好|偏好|中意|爱|倾向于)(?P<o>.+)"), "喜欢{o}", negated_as="dislikes", negated_text="不喜欢{o}", confidence=0.88, many=True, guard=lambda v: is_value(v) and not re.match(r"我|是|你|人$|情|心", v)),
    Rule("diet", _re(r"(?:是|一直是|算是)?(?:一[个名位])?(?P<o>(?:素食主义者|素食者|纯素食?者?|蛋奶素|生酮|清真|鱼素|半素))"), "{o}", negated_text="不是{o}", confidence=0.9, cut="none"),
    Rule("diet", _re(r"(?:只|一直|长期)?(?:吃)(?P<o>全素|纯素|素|斋|清真|生酮|无麸质)(?:了|的|食)?"), "吃{o}", negated_text="不吃{o}", confidence=0.9, cut="none"),
    Rule("avoids", _re(r"(?:能|敢|太|怎么|再|会)?(?P<v>吃|喝|碰|抽|沾)(?:得了|任何)?(?P<o>.+)"), "", negated_as="avoids", negated_text="不{v}{o}", confidence=0.9, many=True, guard=lambda v: is_short(v) and not re.match(r"惯|了$|饭了|起|到|亏|过$|下|饱|完", v)),
    Rule("favourite", _re(r"(?:现在|平时|一般|通常|都|只|改|最近|每天|主要|就|一直|早就)+(?P<v>喝|吃)(?P<o>[^,。]{1,12})"), "{v}{o}", confidence=0.7, guard=lambda v: is_short(v) and not re.match(r"完|过|了|得|饭|不", v)),
    Rule("condition", _re(rf"(?:患有|患|有|得了|得过|确诊了?|查出了?|是)(?:轻度|重度|慢性|先天性|严重的?|一点|点)*(?P<o>{words.CONDITIONS})"), "有{o}", negated_text="没有{o}", confidence=0.9, cut="none"),
    Rule("condition", _re(r"(?P<o>恐高|色盲|色弱|近视|怀孕|乳糖不耐受?|晕车|晕船|失眠|耳背)(?:了|的)?(?:\d+度)?$"), "{o}", negated_text="不{o}", confidence=0.8, cut="none"),
    Rule("pet", _re(rf"(?:养|领养|收养|有|买|捡|添)(?:了|着|过)?(?:一|两|三|四|五|六|几|\d+)?(?:只|条|匹|头|缸|个|窝|对)?(?P<o>(?:(?:叫|名叫)[“\"]?[^,。的]{{1,8}}?[”\"]?的)?[一-鿿]{{0,6}}?{words.PETS}(?:[,]?(?:名字)?(?:叫|名叫)做?[“\"]?[^,。]{{1,8}}[”\"]?)?)"), "养{o}", negated_text="没有养{o}", confidence=0.9, cut="none"),
    Rule("relation", _re(rf"有(?:了)?(?:一|两|三|四|五|\d+)?(?:个|位|对)(?P<o>(?P<q>{words.RELATIONS}))(?:,?(?:名字)?叫(?P<name>{words.NAME}|[一-鿿]{{2,4}}))?"), "有{o}", negated_text="没有{o}", confidence=0.85, cut="none", others=False),
    Rule("marital_status", _re(r"(?:已经|还|目前|现在|是)*(?P<o>已婚|未婚|单身|离异|离婚了?|丧偶|订婚了?)(?!率|证)"), "{o}", negated_text="不是{o}", confidence=0.85, cut="none"),
    Rule("uses", _re(r"(?:的)?(?P<q>数据库|向量库|向量数据库|编辑器|操作系统|系统|主力语言|编程语言|开发语言|技术栈|框架|后端|前端|浏览器|消息队列|中间件|开发工具|IDE)(?:主要|现在|目前|一直)?(?:用的是|用的|是|用|跑在|选的是|选用|采用|:)(?P<o>.+)"), "{q}用{o}", confidence=0.88, many=True, guard=is_tool),
    Rule("detail", _re(r"用的(?P<q>手机|电脑|笔记本|相机|耳机|键盘|鼠标|平板|手表|输入法|车|字体|显示器|[一-鿿]{2,4})(?:就)?(?:是|:)(?P<o>.+)"), "用的{q}是{o}", confidence=0.86, guard=is_short),
    Rule("uses", _re(r"(?:的)?(?:[一-鿿]{0,4}(?:项目|团队|公司|服务|系统|组|产品|后台|业务|代码|前端|后端))?(?:里|都|主要|现在|目前|一直|全部|平时|基本|日常|通常|常|长期|还)*(?:使用|用的是|用的|采用|用着|用惯了|习惯用|惯用|用上了|跑在|部署在|基于|用|改用|换用)(?P<o>.+)"), "用{o}", negated_text="不用{o}", confidence=0.85, many=True, guard=is_tool),
    Rule("owns", _re(r"(?:有|买了|拥有|开的是|开着|开|骑的是|骑|入手了|新买了)(?:一|两|\d+)?(?:辆|台|部|套|把|架|艘|栋|间|块|亩|架)(?P<o>.+)"), "有{o}", negated_text="没有{o}", confidence=0.82, guard=lambda v: is_short(v) and not re.match(r"车票", v)),
    Rule("owns", _re(r"开的(?:车)?是(?:一辆)?(?P<o>.+)"), "开{o}", confidence=0.85, guard=is_short),
    Rule("schedule", _re(r"(?P<o>(?:有|要|约了|预约了|参加)[^,。]{0,14}?(?:会议|例会|周会|晨会|组会|会|课|考试|面试|复诊|体检|预约|航班|飞机|火车|高铁|约会|聚会|婚礼|讲座|培训|值班|比赛|演出|手术|牙医|答辩|汇报))(?:要)?(?:开|上|参加|赶)?"), "{o}", confidence=0.72, cut="none", slot="due", others=False),
    Rule("decision", _re(r"(?:决定|选定|敲定|定下来|确定|商定|最终选择|最后选择|最终选了|最后选了|选择了|选了|定了)(?:了)?(?:是|要|就)?(?P<o>.+)"), "决定{o}", negated_text="", confidence=0.84, slot="valid_from", guard=lambda v: is_value(v) and not re.match(r"没|不了", v)),
    Rule("plan", _re(r"(?:打算|计划|准备|预计|考虑|正在准备|筹备|盘算|有计划|有打算)(?:着|要|在)?(?P<o>.+)"), "打算{o}", negated_text="不打算{o}", confidence=0.78, slot="due", guard=is_value),
    Rule("task", _re(r"(?:还|都)?(?:必须|得|需要|要记得|务必|该|应该要|一定要|不能忘了|别忘了|记得)(?:在)?(?P<o>(?!到|了|你|很|注意|说|知道|意|承认|问).{2,})"), "要{o}", confidence=0.7, slot="due", others=False, guard=is_value),
    Rule("is", _re(rf"(?:{_BE})(?:一[个名位枚]|个|名|位)?(?P<o>左撇子|右撇子|内向|外向|夜猫子|早起的人|路痴|社恐|社牛|独生子女?|独生女|单亲|双胞胎|退休人员|急性子|慢性子|完美主义者|[IE][NS][TF][JP]|[一-鿿]{{1,8}}(?:爱好者|发烧友|迷|控|粉丝|党员|教徒|主义者|患者|族|新手|老手|型血|座|狂))(?:的人|的)?"), "是{o}", negated_text="不是{o}", confidence=0.85, cut="none"),
    Rule("is", _re(r"(?P<o>(?:性格|脾气)(?:比较|很|特别|偏)?[一-鿿]{1,6}|退休(?:了)?|[ABO]{1,2}型血|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|(?:身高|体重)(?:是|有)?\d[\d.]*(?:cm|厘米|公分|米|kg|公斤|斤)?)"), "{o}", confidence=0.84, cut="none"),
    Rule("detail", _re(r"(?:的|们的|家的|那个|那)(?P<q>[一-鿿A-Za-z0-9]{1,12}?)(?:的名字|名字)?(?:就)?(?:是|叫做?|设为|设在|:)(?P<o>.+)"), "{q}是{o}", confidence=0.74, guard=is_short),
)
"""Tried in this order; the first that matches speaks for the clause."""
