"""Chinese signs of a manner."""

from __future__ import annotations

from typing import Final

SIGNS: Final = {
    "register": {
        "casual": r"哈哈|嘿嘿|嘻嘻|呗|咋|啥|嘛[，。！？]|搞定|老铁|兄弟|牛啊|厉害了|绝了|太赞|233+|666+|咱|好滴|好嘞",
        "formal": r"烦请|敬请|恳请|劳烦|谨此|此致|敬礼|兹|敬启|不胜感激|请问您|麻烦您|感谢您|请您",
        "technical": (
            r"接口|报错|堆栈|编译|线程|并发|延迟|吞吐|部署|重构|回滚|分支|单元测试"
            r"|正则|源码|内核|前端|后端|配置文件|数据库索引"
        ),
    },
    "length": {
        "short": r"简短点|短一点|短点|简单说|长话短说|一句话(?:说|概括|总结)|太长了|精简|说重点|简洁(?:点|一些)",
        "long": (
            r"详细(?:点|一些|说说|讲讲|解释)|展开(?:讲|说)|再细一点|具体(?:点|一些|说说)"
            r"|说得更多|深入(?:讲|说)|太短了|一步一步"
        ),
    },
    "address": {"polite": r"您(?!好[，。！!]?$)"},
}
SENTENCES: Final = {
    "language": {"en": "用英文交流", "zh": "用中文交流", "both": "中英文都用"},
    "register": {"casual": "喜欢随意的语气", "formal": "喜欢正式的语气", "technical": "喜欢用准确术语的技术性回答"},
    "length": {"short": "喜欢简短的回答", "long": "喜欢详细的回答"},
    "address": {"polite": "用“您”称呼对方"},
}
TOPICS: Final = "常聊{topics}"
AND: Final = "、"
