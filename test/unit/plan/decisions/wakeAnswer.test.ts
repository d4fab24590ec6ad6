import assert from "node:assert/strict";
import fc from "fast-check";
import { type Member, mayRun } from "../../../../config/member/member.ts";
import { atMoment, isBetween, nextMoment, nextSleeps } from "../../../../plan/decisions/sleep.ts";
import { sleepersIn } from "../../../../plan/members/restless.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { member } from "../../samples.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "UTC", wakeFor: "2h" };
const bob = member({ member: "bob", type: "user", schedule });
const at = (time: string) => new Date(`2026-11-26T${time}:00.000Z`);

/** A cluster with bob's namespace, and a ConfigMap `wake` in it, made at a time. */
const home = (created?: string, annotations: Record<string, string> = {}) =>
  cluster({
    managedObjects: new Map([
      ["Namespace bob", { ...managedObject("bob"), annotations }],
      ...(created === undefined ? [] : [["ConfigMap bob/wake", { ...managedObject("bob"), created }] as const]),
    ]),
  });
const [asked, slept] = [at("22:00").toISOString(), { "kubecamp.dev/slept": at("20:00").toISOString() }];
const one = (live: ReturnType<typeof home>, now: Date, who: Member = bob) => atMoment([who], live, now)[0] ?? who;

describe("a member who asks to be awake", () => {
  it("is awake for as long as the schedule allows, from when they made the ConfigMap", () => {
    const live = home(asked, slept);
    const awake = one(live, at("22:01"));
    assert.deepEqual([awake.standing, awake.wakeAnswer?.granted?.wakes], ["active", asked]);
    assert.equal(awake.wakeAnswer?.granted?.until, "2026-11-27T00:00:00.000Z");
    assert.deepEqual(nextMoment([awake], live, at("22:01")), new Date("2026-11-27T00:00:00Z"));
    assert.deepEqual([...nextSleeps([awake], live, at("22:01")).values()], [new Date("2026-11-27T00:00:00Z")]);
    assert.equal(isBetween(awake, live), true);
    assert.deepEqual(sleepersIn([awake], live), [
      { member: "bob", since: undefined, keepsQuota: true, wakeAnswer: awake.wakeAnswer },
    ]);
  });

  it("stays awake from the start of the sleep if they asked by day, and is asked nothing by day", () => {
    const live = home(at("09:00").toISOString());
    assert.deepEqual(one(live, at("19:59")), bob);
    const awake = one(live, at("20:00"));
    assert.equal(awake.wakeAnswer?.granted?.until, at("22:00").toISOString());
    assert.equal(isBetween(awake, live), true);
  });

  it("wakes no second time in one sleep, and again in the next one", () => {
    const used = { ...slept, "kubecamp.dev/own-wakes": at("20:30").toISOString() };
    const refused = one(home(asked, used), at("22:01"));
    assert.deepEqual([refused.standing, refused.wakeAnswer], ["asleep", {}]);
    assert.deepEqual(sleepersIn([refused], home(asked, used)), [
      { member: "bob", since: at("20:00").toISOString(), keepsQuota: true, wakeAnswer: {} },
    ]);
    const before = { ...slept, "kubecamp.dev/own-wakes": "2026-11-25T20:30:00.000Z" };
    assert.equal(one(home(asked, before), at("22:01")).standing, "active");
  });

  it("wakes as often as the schedule allows", () => {
    const twice = member({ member: "bob", type: "user", schedule: { ...schedule, wakes: 2 } });
    const used = { ...slept, "kubecamp.dev/own-wakes": at("20:30").toISOString() };
    const { granted } = one(home(asked, used), at("22:01"), twice).wakeAnswer ?? {};
    assert.equal(granted?.wakes, `${at("20:30").toISOString()} ${asked}`);
  });

  it("is not counted a wake that was over before a run saw it", () => {
    const late = one(home(asked, slept), new Date("2026-11-27T00:00:00Z"));
    assert.deepEqual([late.standing, late.wakeAnswer], ["asleep", {}]);
  });

  it("is awake until the sleep ends at most: in the next one, they have to ask again", () => {
    const long = member({ member: "bob", type: "user", schedule: { ...schedule, wakeFor: "24h" } });
    const live = home("2026-11-27T06:59:00.000Z", slept);
    const { granted } = one(live, new Date("2026-11-27T06:59:30Z"), long).wakeAnswer ?? {};
    assert.equal(granted?.until, "2026-11-27T07:00:00.000Z");
  });

  it("is awake for no shorter than an admin keeps them", () => {
    const kept = { ...slept, "kubecamp.dev/awake-until": "2026-11-27T04:00:00.000Z" };
    assert.equal(one(home(asked, kept), at("22:01")).wakeAnswer?.granted?.until, "2026-11-27T04:00:00.000Z");
    const over = { ...slept, "kubecamp.dev/awake-until": at("21:00").toISOString() };
    assert.equal(one(home(asked, over), at("22:01")).wakeAnswer?.granted?.until, "2026-11-27T00:00:00.000Z");
  });

  it("is counted once if the run was killed before it removed the ConfigMap", () => {
    const noted = { ...slept, "kubecamp.dev/own-wakes": asked };
    const { granted } = one(home(asked, noted), at("22:05")).wakeAnswer ?? {};
    assert.deepEqual(granted, { until: "2026-11-27T00:00:00.000Z", wakes: asked });
  });

  it("is not heard once the ConfigMap is being deleted: a finalizer would keep it for ever", () => {
    const live = home(asked, slept);
    const kept = { ...managedObject("bob"), created: asked, terminating: true } as const;
    const managedObjects = new Map([...live.managedObjects, ["ConfigMap bob/wake", kept]]);
    const { standing, wakeAnswer } = one({ ...live, managedObjects }, at("22:01"));
    assert.deepEqual([standing, wakeAnswer], ["asleep", undefined]);
  });

  it("is not heard without wakeFor, while suspended, or for a ConfigMap elsewhere", () => {
    const { wakeFor: _, ...nights } = schedule;
    const others = [
      member({ member: "bob", type: "user", schedule: nights }),
      member({ member: "bob", type: "user", schedule, suspended: true }),
      member({ member: "eve", type: "user", schedule }),
    ];
    for (const who of others) {
      const { standing, wakeAnswer } = one(home(asked, slept), at("22:01"), who);
      assert.deepEqual([standing, wakeAnswer], [who.standing === "suspended" ? "suspended" : "asleep", undefined]);
    }
  });

  it("is never awake for longer in one sleep than the schedule allows, however they make it anew", () => {
    // By half hours, of which a wake has four.
    const halves = 22;
    const moves = fc.array(fc.tuple(fc.nat(halves - 1), fc.constantFrom("make", "delete", "run")), { maxLength: 60 });
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 3 }), (unsorted, wakes) => {
        const who = member({ member: "bob", type: "user", schedule: { ...schedule, wakes } });
        const todo = new Map(Map.groupBy(unsorted, ([time]) => time));
        let [created, annotations]: [string | undefined, Record<string, string>] = [undefined, {}];
        let awake = 0;
        for (let time = 0; time < halves; time++) {
          const now = new Date(at("20:00").getTime() + time * 30 * 60_000);
          for (const [, move] of todo.get(time) ?? []) {
            if (move === "run") {
              const { granted, ...refused } = one(home(created, annotations), now, who).wakeAnswer ?? {};
              assert.deepEqual(refused, {});
              annotations = granted
                ? { "kubecamp.dev/awake-until": granted.until, "kubecamp.dev/own-wakes": granted.wakes }
                : annotations;
            }
            created = move === "make" ? (created ?? now.toISOString()) : undefined;
          }
          // Only what a run has noted counts: nobody is awake before one.
          awake += mayRun(one(home(undefined, annotations), now, who)) ? 1 : 0;
        }
        assert.ok(awake <= wakes * 4, `${awake} half hours`);
      }),
      { numRuns: 50 },
    );
  });
});
