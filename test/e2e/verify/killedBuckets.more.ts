import assert from "node:assert/strict";
import { failingProxy } from "../buckets/failingProxy.ts";
import { useKeys } from "./keysStack.ts";
import { inUseUntil, RunningVerify } from "./runningVerify.ts";

/** Requests of a verification to the server. */
const moments = {
  "before it made a bucket": /^PUT \/kubecamp-verify-[^/]*-1\/?(\?x-id=CreateBucket)?$/,
  "before it gave the bucket to its user": /change-bucket-owner/,
  "while it tried keys": /^GET \/kubecamp-verify-[^/]*-2\/kubecamp-verify/,
  "while it removed all": /^DELETE \/kubecamp-verify-[^/]*-1\/?$/,
};

describe("a verification of buckets that is killed", () => {
  const { server, stack, configure, verify, onServer } = useKeys("lost-keys");

  for (const [moment, isMoment] of Object.entries(moments)) {
    it(`leaves nothing after the next one if it was killed ${moment}`, async () => {
      let killed: RunningVerify | undefined;
      const proxy = await failingProxy(server.endpoint, ({ method = "", url = "" }) => {
        const isIt = isMoment.test(`${method} ${url}`);
        if (isIt) {
          killed?.signal("SIGKILL");
        }
        return isIt;
      });
      await configure({ endpoint: proxy.endpoint });
      killed = new RunningVerify(stack, ["--only", "buckets"]);
      assert.equal(await killed.end(), null, killed.output);
      await proxy.close();
      assert.notDeepEqual(await onServer(), { buckets: [], keys: [] });
      await inUseUntil(stack, new Date(0));
      await configure();
      const { proofs, stderr } = await verify();
      assert.deepEqual(new Set(proofs.map(({ result }) => result)), new Set(["held"]), stderr);
      assert.deepEqual(await onServer(), { buckets: [], keys: [] });
    });
  }
});
