import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { resourceQuota } from "../../../../objects/resourceQuota.ts";
import { routeReadiness } from "../../../../plan/decisions/readiness.ts";
import { atMoment, isBetween, nextMoment } from "../../../../plan/decisions/sleep.ts";
import { memberObjects } from "../../../../plan/rows/manifest.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { alice, member, settings } from "../../samples.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
const bob = member({ member: "bob", type: "user", schedule });
const sleep = { since: "2026-11-26T19:00:00.000Z", until: "2026-11-27T06:00:00.000Z" };
const asleep: Member = { ...bob, standing: "asleep", sleep };
const [noon, night] = [new Date("2026-11-26T11:00:00Z"), new Date("2026-11-26T22:00:00Z")];

/** A cluster with bob's namespace. */
const home = (annotations: Record<string, string> = {}) =>
  cluster({ managedObjects: new Map([["Namespace bob", { ...managedObject("bob"), annotations }]]) });
const awakeUntil = (time: string) => home({ "kubecamp.dev/awake-until": time });

describe("who is asleep", () => {
  it("puts to sleep who has a schedule that says so at the moment", () => {
    assert.deepEqual(atMoment([alice, bob], home(), night), [alice, asleep]);
    assert.deepEqual(atMoment([alice, bob], home(), noon), [alice, bob]);
    assert.deepEqual(atMoment([bob], cluster(), night), [asleep]);
  });

  it("puts nobody to sleep who is suspended or expired: they stay so, day and night", () => {
    const others = [
      member({ member: "bob", type: "user", schedule, suspended: true }),
      member({ member: "carol", type: "user", schedule, expires: "2026-06-14" }),
    ];
    assert.deepEqual(atMoment(others, home(), night), others);
  });

  it("puts nobody to sleep whom the platform keeps awake, until that is over", () => {
    assert.deepEqual(atMoment([bob], awakeUntil("2026-11-26T22:00:01Z"), night), [bob]);
    assert.deepEqual(atMoment([bob], awakeUntil("2026-11-26T22:00:00Z"), night), [asleep]);
    assert.deepEqual(atMoment([bob], awakeUntil("tomorrow"), night), [asleep]);
  });

  it("knows the next change of who sleeps: the end of a night, a day, or being kept awake", () => {
    assert.deepEqual(nextMoment([alice, bob], home(), night), new Date(sleep.until));
    assert.deepEqual(nextMoment([alice, bob], home(), noon), new Date(sleep.since));
    assert.deepEqual(nextMoment([bob], awakeUntil("2026-11-26T23:00:00Z"), night), new Date("2026-11-26T23:00:00Z"));
    assert.equal(nextMoment([alice], home(), night), undefined);
  });

  it("knows the end of a lease over somebody as such a change", () => {
    const lease = { kind: "User", name: "oidc:tina", until: "2026-11-26T22:30Z" } as const;
    const lent = [bob, { ...alice, staff: { view: [lease], edit: [{ ...lease, until: "2026-11-26" }] } }];
    assert.deepEqual(nextMoment(lent, home(), night), new Date("2026-11-26T22:30:00Z"));
    assert.deepEqual(nextMoment(lent, home(), new Date("2026-11-26T22:30:00Z")), new Date("2026-11-27T00:00:00Z"));
    assert.deepEqual(nextMoment(lent.slice(1), home(), new Date("2026-11-27T00:00:00Z")), undefined);
  });
});

describe("a member who is asleep", () => {
  const partsOf = (one: Member) => memberObjects({ member: one, settings }).base.map(({ part }) => part);

  it("gives a sleeping member all objects of an active one, keys among them", () => {
    assert.deepEqual(partsOf(asleep), partsOf(bob));
    assert.ok(partsOf(asleep).includes("binding/edit"));
    assert.ok(partsOf(asleep).includes("others/view"));
    const ci = { subjects: ["github:repo:org/app:ref:refs/heads/main"], token: true } as const;
    assert.deepEqual(partsOf({ ...asleep, ci }), partsOf({ ...bob, ci }));
  });

  it("gives a sleeping member a quota without pods and Jobs, of a type without a quota too", () => {
    const { pods, "count/jobs.batch": jobs, "limits.cpu": cpu } = resourceQuota(asleep, settings).spec.hard;
    assert.deepEqual([pods, jobs, cpu], ["0", "0", resourceQuota(bob, settings).spec.hard["limits.cpu"]]);
    const admin: Member = { ...alice, schedule, standing: "asleep", sleep };
    assert.deepEqual(resourceQuota(admin, settings).spec.hard, { pods: "0", "count/jobs.batch": "0" });
    assert.ok(partsOf(admin).includes("quota"));
  });

  it("gives a sleeping member no path, and says since when and until when", () => {
    const decided = { member: asleep, service: undefined, obstacle: undefined };
    assert.deepEqual(routeReadiness(decided, settings, cluster()), {
      state: "asleep",
      reason: "asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich",
    });
  });

  it("keeps a member between day and night until a run has left its mark, and taken it away", () => {
    const slept = home({ "kubecamp.dev/slept": sleep.since });
    assert.deepEqual(
      [isBetween(asleep, home()), isBetween(asleep, slept), isBetween(bob, slept), isBetween(bob, home())],
      [true, false, true, false],
    );
    assert.equal(isBetween({ ...bob, standing: "suspended" }, slept), false);
  });
});
