import assert from "node:assert/strict";
import type { Kind } from "../../../../cluster/kinds/kinds.ts";
import type { LiveService, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { starterPlan } from "../../../../plan/decisions/starterPlan.ts";
import { starterObstacles } from "../../../../plan/findings/decisions.ts";
import { liveObject, liveService } from "../../cluster/liveService.ts";
import { labelsOf, member, settings } from "../../samples.ts";
import { managedOf, planned, planOf, textOf } from "../planned.ts";

const managedObject = (change: Partial<ManagedObject> = {}) => liveObject({ labels: labelsOf("bob"), ...change });
const theirs = managedObject({ labels: {} });
const marked = managedObject({ annotations: { "kubecamp.dev/starter": "made" } });

/** A starter app that the member has, but for its Service. */
const there = { "ConfigMap bob/starter-pages": managedObject(), "Deployment bob/starter": managedObject() };

const pages = "ConfigMap bob/starter-pages";
const app = "Deployment bob/starter";
const role = "Role bob/kubecamp-edit";

const madeService = liveService({
  labels: labelsOf("bob"),
  annotations: { "kubecamp.dev/made": "2026-06-01T00:00:00.000Z" },
  selector: { app: "bob" },
});

const who = (starter: string, entry: object = {}) => member({ member: "bob", type: "user", starter, ...entry });

interface Live {
  readonly managedObjects?: Readonly<Record<string, ManagedObject>>;
  readonly service?: LiveService | undefined;
}

const live = ({ managedObjects = {}, service }: Live) => ({
  namespaces: new Map([["bob", { labels: labelsOf("bob"), terminating: false }]]),
  managedObjects: new Map(Object.entries(managedObjects)),
  services: new Map(service === undefined ? [] : [["bob/bob-svc", service]]),
});

const madeOf = (starter: string, there: Live = {}, entry: object = {}) => {
  const plan = starterPlan(who(starter, entry), settings, live(there));
  return plan && { ...plan, left: plan.left.map(({ kind }) => kind) };
};

/** A plan that makes all of an app. */
const whole = { wasMade: false, made: ["ConfigMap", "Deployment"], left: [], service: "made", marks: true };
const none = { wasMade: false, made: [], left: [], service: "none", marks: false };

describe("the plan of a starter app", () => {
  it("plans no starter app for who is to have none", () => {
    assert.equal(madeOf("off", { managedObjects: { ...there, [role]: marked } }), undefined);
  });

  for (const mode of ["once", "kept"]) {
    it(`makes a whole starter app where nothing is there, and has the role say so (${mode})`, () => {
      assert.deepEqual(madeOf(mode), { ...whole, mode });
    });

    it(`makes no starter app over what is somebody else's, and leaves that alone (${mode})`, () => {
      for (const [there, name] of [
        [{ managedObjects: { [app]: theirs } }, "Deployment 'bob/starter'"],
        [{ managedObjects: { [pages]: managedObject({ labels: labelsOf("ada") }) } }, "ConfigMap 'bob/starter-pages'"],
        [{ service: liveService() }, "Service 'bob/bob-svc'"],
      ] as const) {
        const { obstacle = "", ...plan } = madeOf(mode, there) ?? assert.fail("no plan");
        assert.deepEqual(plan, { ...none, mode });
        const why = `${name} is there, and it is not kubecamp's, or nobody can change it; have the member rename it`;
        assert.ok(obstacle.startsWith(why), obstacle);
      }
    });

    it(`makes no starter app where the quota has no room for a part of one (${mode})`, () => {
      const full = (resource: string) =>
        managedObject({ content: { status: { hard: { [resource]: "3" }, used: { [resource]: "3" } } } });
      for (const [resource, kind] of [
        ["count/configmaps", "ConfigMap"],
        ["count/deployments.apps", "Deployment"],
        ["count/services", "Service"],
      ] as const) {
        const there = { managedObjects: { "ResourceQuota bob/quota": full(resource) } };
        const plan = madeOf(mode, there, { maxObjects: 3 });
        // One that this run raises has it by then.
        assert.equal(madeOf(mode, there)?.obstacle, undefined);
        assert.deepEqual([plan?.made, plan?.marks], [[], false]);
        assert.match(plan?.obstacle ?? "", new RegExp(`^its ${kind} can't be made: the quota holds 3 ${kind}s of 3`));
      }
    });
  }

  it("finishes an interrupted starter app, as the member has it", () => {
    const expected = { ...whole, mode: "once", made: ["Deployment"], left: ["ConfigMap"] };
    const half = { [pages]: managedObject(), [role]: managedObject() };
    assert.deepEqual(madeOf("once", { managedObjects: half }), expected);
  });

  it("leaves a starter app made once to the member, and what they deleted deleted", () => {
    const after = { ...none, mode: "once", wasMade: true, marks: true };
    const of = (app: Record<string, ManagedObject>, service?: LiveService) =>
      madeOf("once", { managedObjects: { ...app, [role]: marked }, service });
    assert.deepEqual(of(there, madeService), { ...after, left: ["ConfigMap", "Deployment"], service: "left" });
    assert.deepEqual(of({ [pages]: managedObject() }), { ...after, left: ["ConfigMap"] });
    assert.deepEqual(of({ [app]: theirs }, liveService()), after);
    const looks = { "Role bob/kubecamp-view": marked };
    assert.equal(madeOf("once", { managedObjects: looks })?.made.length, 0);
  });

  it("puts a kept starter app back, whatever became of its labels", () => {
    const changed = managedObject({ labels: {}, applied: "abc" });
    const found = madeOf("kept", { managedObjects: { [app]: changed, [role]: marked }, service: liveService() });
    assert.deepEqual(found, { ...whole, mode: "kept", wasMade: true });
  });

  it("leaves a leaver's starter app as it is, and makes nothing", () => {
    const left = { standing: "suspended", leaves: "2026-07-15" } as const;
    for (const mode of ["once", "kept"]) {
      const planOf = (managedObjects: Readonly<Record<string, ManagedObject>>) => {
        const plan = starterPlan({ ...who(mode), ...left }, settings, live({ managedObjects, service: madeService }));
        return { ...plan, left: plan?.left.map(({ kind }) => kind) };
      };
      const nothing = { ...none, mode, service: "left" };
      assert.deepEqual(planOf({}), nothing);
      const found = planOf({ [app]: managedObject(), [role]: marked });
      assert.deepEqual(found, { ...nothing, left: ["Deployment"], wasMade: true, marks: true });
    }
  });

  it("leaves alone what a member made in place of a kept app, which Pulumi would delete by name", () => {
    const { obstacle, ...plan } = madeOf("kept", { managedObjects: { [app]: theirs, [role]: marked } }) ?? {};
    assert.deepEqual(plan, { ...whole, mode: "kept", wasMade: true, made: ["ConfigMap"], left: ["Deployment"] });
    assert.match(obstacle ?? "", /^Deployment 'bob\/starter' is there, and/);
    const fixed = managedObject({ applied: "abc", content: { immutable: true } });
    for (const mode of ["kept", "once"]) {
      assert.deepEqual(madeOf(mode, { managedObjects: { [pages]: fixed, [role]: marked } })?.left, ["ConfigMap"]);
    }
  });

  it("leaves alone a kept app's object too full for ours to fit, which would stop every run", () => {
    const kib = (count: number) => "x".repeat(count * 1024);
    const left = (live: Partial<ManagedObject>, key = pages) =>
      madeOf("kept", { managedObjects: { [key]: managedObject({ applied: "abc", ...live }), [role]: marked } })?.left;
    assert.deepEqual(left({ content: { data: { mine: kib(1024) } } }), ["ConfigMap"]);
    assert.deepEqual(left({ isLarge: true }), ["ConfigMap"]);
    assert.deepEqual(left({ isLarge: true }, app), ["Deployment"]);
    // A page of theirs may stay beside ours, and what stands in the place of ours is written over.
    assert.deepEqual(left({ content: { data: { "mine.md": kib(800), "index.md": kib(200) } } }), []);
  });

  it("lets Pulumi forget an app it can't read: the member's own stays, a kept one is made anew", () => {
    const ways = (mode: "once" | "kept") => {
      const live = managedObject({ applied: "abc", isMarked: true });
      const plan = madeOf(mode, { managedObjects: { [pages]: live, [app]: managedObject({}), [role]: marked } });
      return { made: plan?.made, left: plan?.left, obstacle: plan?.obstacle };
    };
    assert.deepEqual(ways("once"), { made: [], left: ["Deployment"], obstacle: undefined });
    const { obstacle, ...kept } = ways("kept");
    assert.deepEqual(kept, { made: ["Deployment"], left: [] });
    assert.match(
      obstacle ?? "",
      /^ConfigMap 'bob\/starter-pages' has a text that Pulumi takes for a mark of its own, and is left out; delete it/,
    );
  });

  it("reads a starter app from Pulumi's state where the cluster tells nothing", () => {
    const kinds: readonly Kind[] = ["ConfigMap", "Deployment", "Role", "Service"];
    const unread = (last: readonly string[] | undefined) => ({
      ...{ offline: true, kinds: new Map(kinds.map((kind) => [kind, ""])), last: last && new Set(last) },
    });
    const of = (mode: string, last: readonly string[] | undefined) => {
      const plan = starterPlan(who(mode), settings, { ...live({}), unread: unread(last) });
      return [plan?.made, plan?.left.map(({ kind }) => kind), plan?.service];
    };
    assert.deepEqual(of("once", []), [["ConfigMap", "Deployment"], [], "made"]);
    const state = ["bob/starter/pages", "bob/starter/deployment", "bob/service"];
    assert.deepEqual(of("once", state), [[], ["ConfigMap", "Deployment"], "left"]);
    assert.deepEqual(of("once", undefined), [[], ["ConfigMap", "Deployment"], "left"]);
    assert.deepEqual(of("kept", state), [["ConfigMap", "Deployment"], [], "made"]);
  });

  it("leaves a starter app as it is, and makes none, in a watch that may not read Deployments", () => {
    const unread = (...last: string[]) => ({
      ...{ offline: false, isLeftOut: true as const, last: new Set(last) },
      kinds: new Map<Kind, string>([["Deployment", "403"]]),
    });
    const of = (mode: string, snapshot: Parameters<typeof planned>[2]) => {
      const { starter, objects } = planned(who(mode), settings, snapshot);
      const parts = objects.filter(({ part }) => part.startsWith("starter/") || part === "service");
      return [starter?.obstacle, starter?.marks, parts.map(({ part, ignored }) => [part, ...ignored])];
    };
    const why = "not checked: this identity may not read Deployments";
    for (const mode of ["once", "kept"]) {
      assert.deepEqual(of(mode, { unread: unread() }), [why, false, []], mode);
    }
    const made = live({ managedObjects: { [role]: marked, [pages]: managedObject() }, service: madeService });
    const state = unread("bob/starter/pages", "bob/starter/deployment", "bob/service");
    assert.deepEqual(of("kept", { ...made, unread: state }), [
      why,
      true,
      [["service"], ["starter/pages"], ["starter/deployment", "*"]],
    ]);
  });
});

describe("a starter app", () => {
  it("leads a starter app to its own port where kubecamp makes the Service anyway", () => {
    const starter = { ...settings.starter, port: 3000 };
    const managed = who("once", { route: { readiness: { mode: "managed", targetPort: 9000 } } });
    const target = (there: Live) => {
      const plan = managedOf(managed, { ...settings, starter }, live(there));
      return plan && "service" in plan && plan.service.ports.at(-1)?.targetPort;
    };
    assert.equal(target({}), 3000);
    // They have replaced it.
    assert.equal(target({ managedObjects: { [role]: marked } }), 9000);
  });

  it("judges a starter app made once by the member's Service, which nobody mends", () => {
    const readinessOf = (mode: string, service?: LiveService) =>
      planned(who(mode), settings, live({ managedObjects: { ...there, [role]: marked }, service })).readiness;
    const bare = { ...madeService, selector: {} };
    const pending = (reason: string) => ({ state: "pending", reason });
    assert.deepEqual(readinessOf("once", bare), pending("Service 'bob-svc' has no selector"));
    assert.deepEqual(readinessOf("kept", bare), { state: "ready" });
    assert.deepEqual(readinessOf("once"), pending("no Service 'bob-svc' in namespace 'bob'"));
  });

  it("tells of each starter app that can't be made, by name", () => {
    const there = live({ managedObjects: { [app]: theirs } });
    const ada = member({ member: "ada", type: "user", starter: "once" });
    assert.equal(
      textOf(starterObstacles(planOf([who("once"), ada], settings, there))),
      "Starter apps that are missing or incomplete until you do this, or set their starter to off:\n" +
        "  bob: Deployment 'bob/starter' is there, and it is not kubecamp's, or nobody can change it; have the member rename it, or delete it if " +
        "nobody needs it ('kubectl delete -n bob deployment/starter')",
    );
    assert.equal(textOf(starterObstacles(planOf([who("once")], settings, live({})))), undefined);
  });
});
