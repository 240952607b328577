"""Strings that would act on a terminal if they got there: at least forty, each a trick of its own."""

from __future__ import annotations

ESCAPES: tuple[str, ...] = (
    "\x1b[2J",  # clear the screen
    "\x1b[H",  # cursor home
    "\x1b[1A\x1b[2K",  # over the line above
    "\x1b[31;1m",  # colour
    "\x1b[8m",  # hidden text
    "\x1b[?1049h",  # other screen
    "\x1b[?25l",  # no cursor
    "\x1b[?1000h",  # mouse reports
    "\x1b[?2004h",  # bracketed paste
    "\x1b[6n",  # report the cursor: typed into the shell
    "\x1b[c",  # report the device
    "\x1b[21t",  # report the title
    "\x1b[3;4r",  # scroll region
    "\x1b[5i",  # print
    "\x1b[20h",
    "\x1b[!p",  # soft reset
    "\x1bc",  # reset
    "\x1b7\x1b8",  # save, restore
    "\x1bM",  # line up
    "\x1b(0",  # line drawing letters
    "\x1b#8",  # screen of E
    "\x1b=",
    "\x1b]0;title\x07",  # title
    "\x1b]2;title\x1b\\",
    "\x1b]8;;http://evil.example\x07here\x1b]8;;\x07",  # link
    "\x1b]52;c;ZXZpbA==\x07",  # clipboard
    "\x1b]4;1;#ffffff\x07",  # palette
    "\x1b]9;note\x07",  # notification
    "\x1b]777;notify;a;b\x07",
    "\x1b]1337;File=name=eA==:AA==\x07",  # file download
    "\x1bP+q544e\x1b\\",  # DCS: ask for a capability
    "\x1bPq#0;2;0;0;0\x1b\\",  # sixel
    "\x1b_Gi=1;AAAA\x1b\\",  # APC: picture
    "\x1b^private\x1b\\",  # PM
    "\x1bXstring\x1b\\",  # SOS
    "\x9b2J",  # C1 CSI
    "\x9d0;title\x9c",  # C1 OSC
    "\x90q\x9c",  # C1 DCS
    "\x85\x84\x8d",  # C1 line breaks
    "safe\rOVER",  # over the line's beginning
    "abc\x08\x08\x08xyz",  # backspaces
    "\x07",  # bell
    "\x0b\x0c",  # vertical tab, form feed
    "\x0e\x0f",  # other letters
    "\x05",  # answer back
    "\x00",
    "\x7f",
    "\u202efdp.exe\u202c",  # right to left override
    "\u2066\u2067x\u2069",  # isolates
    "\u202a\u202b\u200e\u200f\u061c",
    "pay\u200bpal \u2060\ufeff\u00ad",  # nothing to be seen
    "\U000e0041\U000e0042",  # tag characters
    "\u2028\u2029",
    "[bold red]x[/bold red] [link=http://evil.example]y[/link]",  # Rich markup
    ":skull: [@click=app.bell]z[/]",
    "e" + "\u0301" * 60,  # a tower of accents
)
