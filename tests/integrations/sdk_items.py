"""One input item of each type that the OpenAI Agents SDK has, and of each kind of content."""

from __future__ import annotations

from typing import Any

Item = dict[str, Any]  # Any: JSON

PIXEL = "data:image/png;base64,iVBORw0KGgo="
CALL = {"call_id": "c1", "status": "completed"}

ITEMS: list[Item] = [
    {"role": "user", "content": "Plan three days in Porto."},
    {"role": "assistant", "content": "Day one: the tram.", "type": "message"},
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "type": "message",
        "content": [
            {"type": "input_text", "text": "What is this?"},
            {"type": "input_image", "image_url": PIXEL, "detail": "auto"},
            {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "low"},
            {"type": "input_image", "file_id": "file-1", "detail": "high"},
            {
                "type": "input_file",
                "file_data": "data:application/pdf;base64,JVBERi0=",
                "filename": "a",
            },
        ],
    },
    {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [
            {"type": "output_text", "text": "A pixel.", "annotations": [], "logprobs": []},
            {"type": "refusal", "refusal": "No more than that."},
        ],
    },
    {"type": "function_call", "name": "weather", "arguments": '{ "city":"Porto"}', **CALL},
    {"type": "function_call_output", "output": "sunny", "call_id": "c1"},
    {
        "type": "function_call_output",
        "call_id": "c1",
        "output": [
            {"type": "input_text", "text": "a"},
            {"type": "input_image", "image_url": PIXEL},
        ],
    },
    {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "Weigh tram and bus."}],
        "content": [{"type": "reasoning_text", "text": "The tram is older."}],
        "encrypted_content": "gAAAA",
    },
    {"type": "reasoning", "id": "rs_2", "summary": []},
    {
        "type": "file_search_call",
        "id": "fs_1",
        "queries": ["tram"],
        "status": "completed",
        "results": [
            {"file_id": "f", "filename": "a", "score": 0.5, "text": "t", "attributes": None}
        ],
    },
    {
        "type": "computer_call",
        "id": "cu_1",
        "action": {"type": "click", "button": "left", "x": 1, "y": 2},
        "pending_safety_checks": [],
        **CALL,
    },
    {
        "type": "computer_call_output",
        "call_id": "c1",
        "output": {"type": "computer_screenshot", "image_url": PIXEL},
        "acknowledged_safety_checks": None,
    },
    {
        "type": "web_search_call",
        "id": "ws_1",
        "action": {"type": "search", "query": "tram", "queries": ["tram"]},
        "status": "completed",
    },
    {"type": "tool_search_call", "arguments": {"goal": "weather"}, "execution": "client", **CALL},
    {"type": "tool_search_output", "tools": [], "execution": "client", **CALL},
    {"type": "compaction", "encrypted_content": "gAAAA", "id": "cmp_1"},
    {
        "type": "image_generation_call",
        "id": "ig_1",
        "result": "iVBORw0KGgo=",
        "status": "completed",
    },
    {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "code": "print(1)",
        "container_id": "cn_1",
        "outputs": [{"type": "logs", "logs": "1"}],
        "status": "completed",
    },
    {
        "type": "local_shell_call",
        "id": "ls_1",
        "action": {"type": "exec", "command": ["ls"], "env": {}, "timeout_ms": 1000},
        **CALL,
    },
    {"type": "local_shell_call_output", "id": "c1", "output": "a.txt"},
    {"type": "shell_call", "action": {"commands": ["ls"]}, **CALL},
    {
        "type": "shell_call_output",
        "call_id": "c1",
        "output": [{"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
    },
    {
        "type": "apply_patch_call",
        "operation": {"type": "create_file", "path": "a", "diff": "+a"},
        **CALL,
    },
    {"type": "apply_patch_call_output", "output": None, **CALL},
    {"type": "mcp_list_tools", "id": "ml_1", "server_label": "s", "tools": []},
    {
        "type": "mcp_approval_request",
        "id": "ma_1",
        "arguments": "{}",
        "name": "n",
        "server_label": "s",
    },
    {"type": "mcp_approval_response", "approval_request_id": "ma_1", "approve": True},
    {
        "type": "mcp_call",
        "id": "mc_1",
        "arguments": "{}",
        "name": "n",
        "server_label": "s",
        "output": "done",
    },
    {"type": "custom_tool_call", "call_id": "c1", "name": "run", "input": "x = 1"},
    {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
    {"type": "item_reference", "id": "msg_1"},
]
