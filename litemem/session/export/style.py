"""How an exported page looks, in light and in dark."""

from typing import Final

STYLE: Final = (
    ":root{color-scheme:light dark;--line:#8884;--side:#8881}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.4rem}h2{font-size:.8rem;font-weight:600;opacity:.7;margin:0 0 .3rem}"
    "article{border-left:4px solid var(--line);padding:.4rem .8rem;margin:.8rem 0}"
    "article.user{border-color:#3b82f6}article.assistant{border-color:#22a06b}"
    "article:target{background:var(--side)}p{white-space:pre-wrap;margin:.3rem 0}"
    "p,pre,summary{overflow-wrap:anywhere}pre{white-space:pre-wrap;font-size:.85rem}"
    "summary{cursor:pointer;font-size:.85rem;opacity:.8}img{max-width:100%}"
    "details.branch{border:1px dashed var(--line);padding:.3rem .8rem;margin:.8rem 0 .8rem 2rem}"
    "details.cut{border-top:2px dashed #d97706;margin:1.2rem 0}.failed summary{color:#dc2626}"
    + "".join(f".in{n}{{margin-left:{n * 1.5:g}rem}}" for n in range(1, 9))
)
"""CSS alone: without a script a page can do nothing but be read."""
