import assert from "node:assert/strict";
import { atMoment } from "../../../../plan/decisions/sleep.ts";
import { planMembers } from "../../../../plan/members/plan.ts";
import { overviewsOf } from "../../../../watch/board/overviews.ts";
import { configuration, storage, today } from "../../samples.ts";
import { LiveStack } from "../live/liveStack.ts";

const user = (name: string, more: object = {}) => ({ member: name, type: "user", ...more });
const stack = configuration({
  storage,
  staff: [{ group: "ta-cs101", role: "view" }],
  members: [
    user("ann", { buckets: [{ name: "data" }], expires: "2026-12-31", protect: true }),
    user("ben", { route: false }),
    user("cleo", { suspended: true }),
    user("dan", { expires: "2026-01-31" }),
    user("eve", { schedule: { sleep: "0 10 * * *", wake: "0 20 * * *" } }),
    user("fay"),
    user("gus"),
    user("hal"),
    user("ida", { buckets: [{ name: "data" }] }),
    user("jon", { route: { readiness: { requires: "endpoints" } } }),
  ],
});
const moment = new Date(`${today}T12:00:00Z`);

/** As the board has them, each with what is asked for. */
function seen(live: LiveStack) {
  const snapshot = live.snapshot();
  const { members, settings } = live.configuration;
  return overviewsOf(planMembers(atMoment(members, snapshot, moment), settings, snapshot), today);
}

describe("members as the watch sees them", () => {
  const live = new LiveStack(stack);
  live.delete("Service fay/fay-svc", "Ingress ingress-nginx/gus", "ConfigMap ida/data");
  live.mark("Namespace hal", { deletionTimestamp: new Date() });
  const overviews = seen(live);
  const of = (name: string) => overviews.find(({ member }) => member === name) ?? assert.fail(name);

  it("shows members on the board in the list's order, each in the plan's state", () => {
    assert.deepEqual(
      overviews.map(({ member, state, reason }) => [member, state, reason]),
      [
        ["ann", "ready", undefined],
        ["ben", "ready", undefined],
        ["cleo", "suspended", "suspended"],
        ["dan", "expired", "expired: the last day was 2026-01-31"],
        ["eve", "asleep", "asleep since 2026-06-15 10:00, until 2026-06-15 20:00 UTC"],
        ["fay", "pending", "no Service 'fay-svc' in namespace 'fay'"],
        ["gus", "pending", "the next up opens the path"],
        ["hal", "leaving", "the namespace is being deleted"],
        ["ida", "ready", undefined],
        [
          "jon",
          "pending",
          "no pod behind port 80 of Service 'jon-svc' is ready; see 'kubectl get pods -n jon -l app=web'",
        ],
      ],
    );
  });

  it("shows on the board what the cluster has of each member", () => {
    const { usage, pods, ...ann } = of("ann");
    assert.deepEqual(ann, {
      stack: "dev",
      member: "ann",
      namespace: "ann",
      type: "user",
      state: "ready",
      reason: undefined,
      route: { host: "camp.example.org", path: "/ann" },
      expires: "2026-12-31",
      leaves: undefined,
      protected: true,
      starter: undefined,
      buckets: [{ name: "data", bucketName: "ann-data", endpoint: "https://s3.example.org", ready: undefined }],
      staff: [{ role: "view", kind: "Group", name: "oidc:ta-cs101" }],
      ci: [],
    });
    assert.equal(pods, 3);
    assert.deepEqual(usage?.pods, { used: "3", hard: "50" });
    assert.equal(of("ben").route, undefined);
    assert.deepEqual(of("ida").buckets, []);
  });
});
