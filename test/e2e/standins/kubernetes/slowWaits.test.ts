import { equal, match, ok } from "node:assert/strict";
import { loadRecordings } from "./recordings.ts";
import { startSlowWaits } from "./slowWaits.ts";
import { useStage } from "./stage.ts";

describe("the stand-in takes a minute, as the official plugin does", function () {
  this.timeout(90_000);
  const stage = useStage("minute");

  it("to give up on a namespace that does not come (recorded step 26)", async () => {
    const { failure, seconds } = await startSlowWaits(stage().kubeconfig).missingNamespace;
    const recorded = loadRecordings()
      .steps.find(({ name }) => name.startsWith("26-"))
      ?.calls.at(-1);
    equal(failure.message, recorded && "error" in recorded ? recorded.error : "");
    equal(failure.initFailed, undefined);
    ok(seconds >= 63 && seconds <= 75, `${seconds} s`);
  });

  it("to give up on a ResourceQuota without a controller, whatever time-out it is given", async () => {
    const { failure, seconds } = await startSlowWaits(stage().kubeconfig).quotaWithoutController;
    match(failure.message, /"urn:.*::quota" was successfully created, .*Timeout occurred polling for 'quota'/);
    equal(failure.initFailed?.id, "any/quota");
    ok(seconds >= 60 && seconds <= 75, `${seconds} s`);
  });
});
