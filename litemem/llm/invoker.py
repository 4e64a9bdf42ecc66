"""A language model as the model that condenses histories."""

from __future__ import annotations

from collections.abc import AsyncIterator

from litemem.errors import RunFailed
from litemem.llm.client import LLMClient
from litemem.run import channel as ch
from litemem.run.transcript import transcript_of


def as_invoker(client: LLMClient) -> ch.ModelInvoker:
    """
    Make `litemem.summarize` and `litemem.compact` ask a language model.

    A conversation of one text is the prompt; a longer one is sent as a transcript. Tools aren't
    offered. A failure ends the channel with an error, as the protocol wants it.
    """

    async def invoke(
        conversation: ch.Conversation, options: ch.StreamOptions
    ) -> AsyncIterator[ch.Emission]:
        try:
            text = await client.complete(
                transcript_of(conversation.turns),
                system=conversation.system,
                max_tokens=options.max_output_tokens,
            )
        except RunFailed as error:
            yield ch.Failed(error=ch.ChannelError(kind="model_failed", message=str(error)))
            return
        yield ch.TextEmitted(delta=text)
        yield ch.Done(reply=ch.Reply(blocks=({"kind": "text", "text": text},)))

    return invoke
