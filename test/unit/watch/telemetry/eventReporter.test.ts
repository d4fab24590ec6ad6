import assert from "node:assert/strict";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { noticeText } from "../../../../plan/words/notices.ts";
import type { Divergence } from "../../../../watch/live/findings.ts";
import type { LiveSnapshot } from "../../../../watch/live/liveObjects.ts";
import { Cases } from "../../../../watch/schedule/cases.ts";
import { EventReporter } from "../../../../watch/telemetry/eventReporter.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import type { Notice } from "../../../../watch/telemetry/notices.ts";
import { liveService } from "../../cluster/liveService.ts";
import { plannedBy } from "../../plan/planned.ts";
import { configuration, labelsOf } from "../../samples.ts";
import { emptySnapshot, fakeLog } from "../fakes.ts";
import { missing } from "../schedule/simulation.ts";

const sample = configuration({
  members: [
    { member: "bob", type: "user" },
    { member: "carol", type: "user", suspended: true },
  ],
});
const ingress = objectKey("Ingress", "bob", "ingress-nginx");
const policy = objectKey("NetworkPolicy", "isolation", "bob");
const opens: Divergence = { member: "bob", what: "route opens", object: ingress };
const closes: Divergence = { member: "bob", what: "route closes", object: ingress };
const managedObject: ManagedObject = {
  labels: {},
  annotations: {},
  resourceVersion: "1",
  applied: undefined,
  content: {},
};
const live = { labels: {}, terminating: false };

/** A teller, and a cluster that a test changes between its looks. */
class Reported {
  readonly #log = fakeLog();
  readonly #cases = new Cases();
  readonly metrics = new Metrics();
  readonly notices: Notice[] = [];
  readonly #teller = new EventReporter(this.#log.log, this.metrics, (notice) => this.notices.push(notice));
  now = 0;
  service: Parameters<typeof liveService>[0] | undefined;
  managedObjects: string[] = [];
  others: ReadonlyMap<string, ManagedObject> = new Map();

  /** A look at the cluster, a second after the last. */
  look(findings: readonly Divergence[], { drift = true, tried = true, configuration: of = sample } = {}): void {
    this.now += 1_000;
    const changes = this.#cases.see(findings, this.now, drift);
    const present = this.#cases.present;
    const snapshot: LiveSnapshot = {
      ...emptySnapshot,
      namespaces: new Map([["bob", live]]),
      services: new Map(this.service === undefined ? [] : [["bob/bob-svc", liveService(this.service)]]),
      managedObjects: new Map([...this.others, ...this.managedObjects.map((key) => [key, managedObject] as const)]),
    };
    this.#teller.look({ plan: plannedBy(of, snapshot), changes, present, now: this.now });
    for (const one of present) {
      one.tried = tried;
    }
  }

  get actions(): unknown[] {
    return this.#log.lines.map(({ action, member, change, seconds, reason }) =>
      [action, member, change, seconds, reason].filter((each) => each !== undefined).join(" "),
    );
  }

  async members(): Promise<unknown> {
    const { values } = await this.metrics.members.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.state, value]));
  }
}

describe("what is told of a look at the cluster", () => {
  let reported: Reported;
  beforeEach(() => {
    reported = new Reported();
  });

  it("reports nothing of a watch's start, and counts pending members", async () => {
    reported.look([]);
    reported.look([]);
    assert.deepEqual(reported.actions, []);
    assert.deepEqual(await reported.members(), { ready: 0, pending: 1, asleep: 0, suspended: 1 });
  });

  it("reports a route as open once all its objects are there, and how long that took", async () => {
    reported.look([]);
    reported.service = {};
    reported.look([opens]);
    assert.deepEqual(await reported.members(), { ready: 0, pending: 1, asleep: 0, suspended: 1 });
    // The Service beside the controller is there, the Ingress is not.
    reported.look([missing("bob", ingress)], { tried: false });
    assert.deepEqual(reported.actions, []);
    reported.managedObjects = [ingress];
    reported.look([]);
    assert.deepEqual(reported.actions, ["route opened bob 2"]);
    const facts = { url: "https://camp.example.org/bob/" };
    assert.deepEqual(reported.notices, [{ code: "routeOpened", member: "bob", facts }]);
    const { values } = await reported.metrics.routeOpen.get();
    assert.equal(values.find(({ metricName }) => metricName?.endsWith("_sum"))?.value, 2);
    assert.deepEqual(await reported.members(), { ready: 1, pending: 0, asleep: 0, suspended: 1 });
    reported.look([]);
    assert.equal(reported.notices.length, 1);
  });

  it("reports no part of a route that is opening as put back", () => {
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc" };
    const gateway = { kind: "gateway", gateway: { name: "public", namespace: "edge" } };
    const route = { ...gateway, host: "{member}.example.org", tls: { issuer: "camp" }, login };
    const at = { configuration: configuration({ route, members: [{ member: "bob", type: "user" }] }) };
    const set = objectKey("ListenerSet", "bob", "edge");
    const first = objectKey("SecurityPolicy", "bob", "bob");
    const door = objectKey("HTTPRoute", "bob", "bob");
    reported.service = {};
    reported.look([{ ...opens, object: door }], at);
    reported.managedObjects = [set];
    reported.look(
      [first, door, policy].map((object) => missing("bob", object)),
      at,
    );
    reported.managedObjects = [set, first, policy];
    reported.look([missing("bob", door)], at);
    reported.managedObjects = [set, first, policy, door];
    reported.look([], at);
    assert.deepEqual(reported.actions, ["drift repaired bob deleted 1", "route opened bob 3"]);
  });

  it("reports a route as closed, and why, and not as pending after that", () => {
    reported.service = {};
    reported.managedObjects = [ingress];
    reported.look([]);
    reported.service = undefined;
    reported.look([closes]);
    reported.managedObjects = [];
    reported.look([]);
    reported.look([]);
    const reason = "no Service 'bob-svc' in namespace 'bob'";
    assert.deepEqual(reported.actions, [`route closed bob 1 ${reason}`]);
    assert.deepEqual(reported.notices, [{ code: "routeClosed", member: "bob", facts: { reason } }]);
    assert.deepEqual(reported.notices.map(noticeText), [`Your path is closed: ${reason}.`]);
  });

  it("reports a namespace that is being deleted, at each change what keeps that, and the end", async () => {
    const ending = async () =>
      (await reported.metrics.endingNamespaces.get()).values.map(({ labels, value }) => [labels.member, value]);
    const home = (...held: string[]): ManagedObject => ({
      ...managedObject,
      labels: labelsOf("eve"),
      terminating: true,
      content: { status: { conditions: held.map((message) => ({ status: "True", message })) } },
    });
    for (const namespace of [home(), home("3 pods"), home("2 pods"), home("2 claims")]) {
      reported.others = new Map([
        ["Namespace eve", namespace],
        ["Namespace amy", { ...namespace, labels: { ...namespace.labels, "kubecamp.dev/stack": "prod" } }],
      ]);
      reported.look([]);
    }
    assert.deepEqual(reported.actions, ["namespace ending ", "namespace ending 3 pods", "namespace ending 2 claims"]);
    assert.deepEqual(await ending(), [["eve", 1]]);
    reported.others = new Map();
    reported.look([]);
    assert.deepEqual([reported.actions.at(-1), await ending()], ["namespace gone", []]);
  });

  it("reports each new reason why a route can't be opened", () => {
    reported.look([]);
    for (const service of [{ type: "ExternalName" }, { type: "ExternalName" }, { ports: [8080] }]) {
      reported.service = service;
      reported.now += 10_000;
      reported.look([]);
    }
    assert.deepEqual(
      reported.notices.map((notice) => [notice.code, noticeText(notice)]),
      [
        ["routePending", "Your path is not open: Service 'bob-svc' is of type ExternalName, not ClusterIP."],
        ["routePending", "Your path is not open: Service 'bob-svc' has no TCP port 80 (it has 8080)."],
      ],
    );
  });

  it("reports what an up has put back that somebody deleted or changed", async () => {
    reported.look([missing("bob", policy), { member: undefined, what: "changed", object: "ClusterRole x" }]);
    reported.managedObjects = [policy, "ClusterRole x"];
    reported.look([]);
    assert.deepEqual(reported.actions, ["drift repaired bob deleted 1", "drift repaired changed 1"]);
    const facts = { change: "deleted" };
    assert.deepEqual(reported.notices, [{ code: "driftRepaired", member: "bob", object: policy, facts }]);
    assert.deepEqual(reported.notices.map(noticeText), [`${policy} was deleted by hand, and was restored.`]);
    const { values } = await reported.metrics.driftRepaired.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.kind, value]),
      [
        ["NetworkPolicy", 1],
        ["ClusterRole", 1],
      ],
    );
  });

  it("reports no drift of objects that are new, without an up, or gone for good", () => {
    reported.look([missing("bob", policy)], { drift: false });
    reported.managedObjects = [policy];
    reported.look([]);
    reported.look([missing("bob", "Role bob/kubecamp-edit")], { tried: false });
    reported.managedObjects = [policy, "Role bob/kubecamp-edit"];
    reported.look([]);
    reported.look([missing("bob", "LimitRange bob/default-limits")]);
    reported.look([]);
    assert.deepEqual(reported.actions, []);
  });

  it("reports a member as asleep or awake once an up is through, and no drift", async () => {
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
    const sleep = { since: "2026-11-26T19:00:00.000Z", until: "2026-11-27T06:00:00.000Z" };
    const awake = configuration({ members: [{ member: "bob", type: "user", schedule }] });
    const asleep = { ...awake, members: awake.members.map((bob) => ({ ...bob, standing: "asleep" as const, sleep })) };
    const finding = (what: "falls asleep" | "wakes"): Divergence => ({
      member: "bob",
      what,
      object: "Namespace bob",
    });
    reported.managedObjects = ["Namespace bob"];
    reported.look([finding("falls asleep")], { configuration: asleep });
    reported.look([], { configuration: asleep });
    assert.deepEqual(await reported.members(), { ready: 0, pending: 0, asleep: 1, suspended: 0 });
    reported.look([finding("wakes")], { configuration: awake });
    reported.look([], { configuration: awake });
    assert.deepEqual(reported.actions, ["fell asleep bob 1", "woke up bob 1"]);
    assert.deepEqual(reported.notices.map(noticeText), [
      "Your pods are stopped, and new ones refused: asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich. " +
        "Everything else stays.",
      "You are awake: your controllers create your pods again.",
    ]);
    // The configuration has changed since: the next up is about that.
    reported.look([finding("falls asleep")], { configuration: asleep });
    reported.look([], { configuration: awake });
    assert.equal(reported.notices.length, 2);
  });

  it("tells who may not wake how often they may, and who falls asleep how to wake", () => {
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", wakeFor: "1h30m", wakes: 2 };
    const stack = configuration({ members: [{ member: "bob", type: "user", schedule }] });
    const sleep = { since: "2026-11-26T20:00:00.000Z", until: "2026-11-27T07:00:00.000Z" };
    const asleep = { ...stack, members: stack.members.map((bob) => ({ ...bob, standing: "asleep" as const, sleep })) };
    for (const [what, object] of [
      ["wake refused", "ConfigMap bob/wake"],
      ["falls asleep", "Namespace bob"],
    ] as const) {
      reported.look([{ member: "bob", what, object }], { configuration: asleep });
      reported.look([], { configuration: asleep });
    }
    assert.deepEqual(reported.actions, ["wake refused bob", "fell asleep bob 1"]);
    assert.deepEqual(reported.notices.map(noticeText), [
      "Your ConfigMap 'wake' was removed: you may wake for 1h30m 2 times in one sleep, counted from when you make it.",
      "Your pods are stopped, and new ones refused: asleep since 2026-11-26 20:00, until 2026-11-27 07:00 UTC. " +
        "Everything else stays. To wake for 1h30m: kubectl create configmap wake.",
    ]);
  });

  it("tells nobody how to wake who has woken before in this sleep, or may make no ConfigMap", () => {
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", wakeFor: "2h" };
    const sleep = { since: "2026-11-26T20:00:00.000Z", until: "2026-11-27T07:00:00.000Z" };
    const used = { "kubecamp.dev/own-wakes": "2026-11-26T20:00:00.000Z" };
    for (const [home, annotations, tells] of [
      ["edit", {}, true],
      ["edit", used, false],
      ["view", {}, false],
    ] as const) {
      const stack = configuration({
        memberTypes: { own: { home } },
        members: [{ member: "bob", type: "own", schedule }],
      });
      const asleep = {
        ...stack,
        members: stack.members.map((bob) => ({ ...bob, standing: "asleep" as const, sleep })),
      };
      reported.others = new Map([["Namespace bob", { ...managedObject, annotations }]]);
      reported.look([{ member: "bob", what: "falls asleep", object: "Namespace bob" }], { configuration: asleep });
      reported.look([], { configuration: asleep });
      const text = reported.notices.splice(0).map(noticeText).join();
      assert.equal(/To wake for 2h/.test(text), tells, text);
    }
  });

  it("reports the end of a lease in the log alone, and no drift", () => {
    const object = "RoleBinding bob/kubecamp:staff-assist";
    reported.managedObjects = [object];
    reported.look([{ member: "bob", what: "staff ends", object }]);
    reported.look([]);
    assert.deepEqual(reported.actions, ["staff ended bob 1"]);
    assert.deepEqual(reported.notices, []);
  });
});
