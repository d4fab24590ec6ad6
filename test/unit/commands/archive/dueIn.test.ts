import assert from "node:assert/strict";
import { dueIn } from "../../../../commands/archive/dueIn.ts";
import type { Settings } from "../../../../config/settings.ts";
import { homeStackOf } from "../../../../config/shards.ts";
import { configuration } from "../../samples.ts";

describe("those whose day has come", () => {
  const { settings, members } = configuration({
    members: ["ana", "kay", "leo"].map((name) => ({ member: name, type: "user" })),
  });
  const due = members.map((member) => (member.name === "ana" ? member : { ...member, isUnarchived: true as const }));
  const names = (own: Settings) => dueIn({ settings: own, members: due }).map(({ name }) => name);

  it("members whose day has come are archived by runs of their own shard, and by no other", () => {
    assert.deepEqual(names(settings), ["kay", "leo"]);
    const shards = { family: "camp", count: 2 };
    const byShard = ["camp-0", "camp-1"].map((stack) => names({ ...settings, stack, shards }));
    assert.deepEqual(byShard.flat().sort(), ["kay", "leo"]);
    assert.deepEqual(
      byShard.map((some) => some.map((name) => homeStackOf(name, shards))),
      [byShard[0]?.map(() => "camp-0"), byShard[1]?.map(() => "camp-1")],
    );
  });
});
