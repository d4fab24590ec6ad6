import assert from "node:assert/strict";
import { RunningWatch } from "../../watch/runningWatch.ts";
import type { Entry } from "../stack.ts";
import { own, useOwnProject } from "./ownProject.ts";

const ana: Entry = { member: "ana", type: "user" };
const ben: Entry = { member: "ben", type: "guest-user" };
const cleo: Entry = { member: "cleo", type: "guest-user" };

describe("a watch of a project with resources of its own", () => {
  let watch: RunningWatch | undefined;
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGTERM");
  });
  const project = useOwnProject("watchedown");
  const { stack } = project;

  it("takes edits of the project's module in its next rounds, and keeps the project's resources", async () => {
    await stack.configure([ana, ben]);
    watch = await RunningWatch.start(stack);
    for (const [round, term, list] of [
      [1, "spring", undefined],
      [2, "autumn", [ana, ben, cleo]],
      [3, "winter", [ana, cleo]],
    ] as const) {
      if (list !== undefined) {
        await project.notice(term);
        await stack.configure(list);
      }
      const before = round === 1 ? 0 : watch.lines.length;
      await watch.reported("up ended", { result: "succeeded", kind: "full" }, before);
      assert.equal(await project.term(), term);
      assert.deepEqual(await project.known(), own);
    }
    assert.equal(await watch.end("SIGTERM"), 0);
  });
});
