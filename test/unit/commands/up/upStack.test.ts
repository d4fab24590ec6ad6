import assert from "node:assert/strict";
import type { Line } from "../../../../commands/up/display.ts";
import { Clusters } from "../../../../commands/up/looking.ts";
import { upStack } from "../../../../commands/up/upStack.ts";

describe("a stack that can't be opened", () => {
  const whyOf = async (signal: AbortSignal) => {
    const entered: string[] = [];
    const line = { enter: (...words: string[]) => entered.push(words.join(" ")) } as unknown as Line;
    const open = () => Promise.reject(new Error("Command failed: pulumi stack export"));
    const asked = { members: [], all: false, refresh: false };
    const { outcome, reason = "" } = await upStack(line, {
      open,
      asked,
      clusters: new Clusters(() => undefined),
      signal,
    });
    return { outcome, reason: reason.split("\n", 1)[0], entered };
  };

  it("fails an up of a stack that can't be opened, with the reason", async () => {
    assert.deepEqual(await whyOf(new AbortController().signal), {
      outcome: "failed",
      reason: "Error: Command failed: pulumi stack export",
      entered: ["looks", "ended FAILED"],
    });
  });

  it("takes an interrupted up for stopped, though the stack could not be opened any more", async () => {
    assert.deepEqual(await whyOf(AbortSignal.abort()), {
      outcome: "cancelled",
      reason: "it was interrupted before it changed anything; run it again",
      entered: ["looks", "ended STOPPED"],
    });
  });
});
