import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { comingOf, nearOf } from "../../../../plan/findings/coming.ts";
import { noticeText } from "../../../../plan/words/notices.ts";
import { managedObject } from "../../cluster/operators.ts";
import { bob, configuration, member, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

type Amounts = Readonly<Record<string, string>>;

const look = (hard: Amounts, used: Amounts, of: { readonly member?: Member; readonly percent?: number } = {}) => ({
  members: [of.member ?? bob],
  settings:
    of.percent === undefined ? settings : configuration({ members: [], notify: { quotaPercent: of.percent } }).settings,
  snapshot: { managedObjects: new Map([["ResourceQuota bob/quota", managedObject({}, { status: { hard, used } })]]) },
  now: new Date("2026-06-15T12:00:00Z"),
});
const near = (...args: Parameters<typeof look>) => nearOf(look(...args), "quotaNearlyFull");

describe("a quota that is nearly full", () => {
  it("tells of a quota that is nearly full with what is used and what is refused", () => {
    const used = { "limits.cpu": "950m", "limits.memory": "100Mi" };
    const found = near({ "limits.cpu": "1", "limits.memory": "1Gi" }, used);
    const facts = { resource: "limits.cpu", used: "950m", hard: "1", ratio: 0.95, refused: "pods" };
    const object = "ResourceQuota bob/quota";
    assert.deepEqual(found, [{ code: "quotaNearlyFull", member: "bob", object, facts }]);
    assert.equal(textOf(found), "Quotas that are nearly full:\n  bob: limits.cpu 950m of 1 (95 %)");
    assert.deepEqual(found.map(noticeText), [
      "Your quota is nearly full: limits.cpu 950m of 1 (95 %). Once it is, new pods are refused.",
    ]);
    assert.deepEqual(near({ "requests.storage": "1Gi" }, { "requests.storage": "1Gi" }).map(noticeText), [
      "Your quota is full: requests.storage 1Gi of 1Gi (100 %). New PersistentVolumeClaims are refused until there is room.",
    ]);
  });

  it("tells of a nearly full quota from the percentage of the settings on", () => {
    const at = (used: string, percent?: number) =>
      near({ "limits.cpu": "1" }, { "limits.cpu": used }, percent === undefined ? {} : { percent }).length;
    const counts = [at("899m"), at("900m"), at("1"), at("500m", 50), at("499m", 50), at("999m", 100)];
    assert.deepEqual(counts, [0, 1, 1, 1, 0, 0]);
  });

  it("tells of no nearly full quota of few objects, set by others, or of what nobody may use", () => {
    assert.deepEqual(near({ persistentvolumeclaims: "1", pods: "9" }, { persistentvolumeclaims: "1", pods: "9" }), []);
    assert.equal(near({ pods: "10" }, { pods: "9" }).length, 1);
    const gold = "gold.storageclass.storage.k8s.io";
    assert.equal(near({ [`${gold}/requests.storage`]: "5" }, { [`${gold}/requests.storage`]: "5" }).length, 1);
    assert.deepEqual(near({ "services.nodeports": "0" }, { "services.nodeports": "0" }), []);
    assert.deepEqual(near({ "count/foos.example.org": "10" }, { "count/foos.example.org": "10" }), []);
    assert.deepEqual(near({ "limits.cpu": "1" }, {}), []);
  });

  it("tells of no nearly full quota of a suspended member or a member without one", () => {
    const suspended = member({ member: "bob", type: "user", suspended: true });
    assert.deepEqual(near({ "limits.cpu": "1" }, { "limits.cpu": "1" }, { member: suspended }), []);
    assert.deepEqual(comingOf({ ...look({}, {}), snapshot: { managedObjects: new Map() } }), []);
  });

  it("forgets a nearly full quota once much less is used, not while its use goes up and down", () => {
    const forgotten = (used: string) =>
      comingOf(look({ "limits.cpu": "1" }, { "limits.cpu": used })).map(({ isForgotten, step }) => [isForgotten, step]);
    assert.deepEqual(forgotten("950m"), [[false, 10]]);
    assert.deepEqual(forgotten("850m"), [[false, undefined]]);
    assert.deepEqual(forgotten("799m"), [[true, undefined]]);
  });
});
