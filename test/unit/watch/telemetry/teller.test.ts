import assert from "node:assert/strict";
import { guardKey, type LiveGuard } from "../../../../cluster/read/snapshot.ts";
import type { Finding } from "../../../../watch/live/findings.ts";
import type { LiveSnapshot } from "../../../../watch/live/liveCluster.ts";
import { Cases } from "../../../../watch/schedule/cases.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import type { Notice } from "../../../../watch/telemetry/notices.ts";
import { Teller } from "../../../../watch/telemetry/teller.ts";
import { liveService } from "../../cluster/liveService.ts";
import { configuration } from "../../samples.ts";
import { emptySnapshot, fakeLog } from "../fakes.ts";
import { missing } from "../schedule/simulation.ts";

const sample = configuration({
  members: [
    { member: "bob", type: "user" },
    { member: "carol", type: "user", suspended: true },
  ],
});
const ingress = guardKey("Ingress", "bob", "ingress-nginx");
const policy = guardKey("NetworkPolicy", "isolation", "bob");
const opens: Finding = { member: "bob", what: "route opens", object: ingress, refresh: false };
const closes: Finding = { member: "bob", what: "route closes", object: ingress, refresh: false };
const guard: LiveGuard = { labels: {}, annotations: {}, resourceVersion: "1", applied: undefined, content: {} };
const live = { labels: {}, terminating: false };

/** A teller, and a cluster that a test changes between its looks. */
class Told {
  readonly #log = fakeLog();
  readonly #cases = new Cases();
  readonly metrics = new Metrics();
  readonly notices: Notice[] = [];
  readonly #teller = new Teller(this.#log.log, this.metrics, (notice) => this.notices.push(notice));
  now = 0;
  service: Parameters<typeof liveService>[0] | undefined;
  guards: string[] = [];

  /** A look at the cluster, a second after the last. */
  look(findings: readonly Finding[], { drift = true, tried = true } = {}): void {
    this.now += 1_000;
    const changes = this.#cases.see(findings, this.now, drift);
    const present = this.#cases.present;
    const snapshot: LiveSnapshot = {
      ...emptySnapshot,
      namespaces: new Map([["bob", live]]),
      services: new Map(this.service === undefined ? [] : [["bob/bob-svc", liveService(this.service)]]),
      guards: new Map(this.guards.map((key) => [key, guard])),
    };
    this.#teller.look({ configuration: sample, snapshot, changes, present, now: this.now });
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
  let told: Told;
  beforeEach(() => {
    told = new Told();
  });

  it("is nothing at the start, however many are pending; they are counted", async () => {
    told.look([]);
    told.look([]);
    assert.deepEqual(told.actions, []);
    assert.deepEqual(await told.members(), { ready: 0, pending: 1, suspended: 1 });
  });

  it("is that a route is open once all of it is there, and how long it took", async () => {
    told.look([]);
    told.service = {};
    told.look([opens]);
    assert.deepEqual(await told.members(), { ready: 0, pending: 1, suspended: 1 });
    // The Service beside the controller is there, the Ingress is not.
    told.look([missing("bob", ingress)], { tried: false });
    assert.deepEqual(told.actions, []);
    told.guards = [ingress];
    told.look([]);
    assert.deepEqual(told.actions, ["route opened bob 2"]);
    const message = "https://camp.example.org/bob/ leads to your Service.";
    assert.deepEqual(told.notices, [{ member: "bob", reason: "RouteOpened", message }]);
    const { values } = await told.metrics.routeOpen.get();
    assert.equal(values.find(({ metricName }) => metricName?.endsWith("_sum"))?.value, 2);
    assert.deepEqual(await told.members(), { ready: 1, pending: 0, suspended: 1 });
    told.look([]);
    assert.equal(told.notices.length, 1);
  });

  it("is not that it is open when the Service went away again before", () => {
    told.service = {};
    told.look([opens]);
    told.service = undefined;
    told.look([]);
    told.service = {};
    told.guards = [ingress];
    told.look([]);
    assert.deepEqual(
      told.actions.filter((action) => String(action).includes("opened")),
      [],
    );
  });

  it("is that a route is closed, and why, and not once more that it is pending", () => {
    told.service = {};
    told.guards = [ingress];
    told.look([]);
    told.service = undefined;
    told.look([closes]);
    told.guards = [];
    told.look([]);
    told.look([]);
    const reason = "no Service 'bob-svc' in namespace 'bob'";
    assert.deepEqual(told.actions, [`route closed bob 1 ${reason}`]);
    assert.deepEqual(told.notices, [
      { member: "bob", reason: "RouteClosed", message: `Your path is closed: ${reason}.` },
    ]);
  });

  it("is each new reason why a route can't be opened", () => {
    told.look([]);
    for (const service of [{ type: "ExternalName" }, { type: "ExternalName" }, { ports: [8080] }]) {
      told.service = service;
      told.now += 10_000;
      told.look([]);
    }
    assert.deepEqual(
      told.notices.map(({ reason, message }) => [reason, message]),
      [
        ["RoutePending", "Your path is not open: Service 'bob-svc' is of type ExternalName, not ClusterIP."],
        ["RoutePending", "Your path is not open: Service 'bob-svc' has no TCP port 80 (it has 8080)."],
      ],
    );
  });

  it("is what has come of it where somebody changes their Service all the time", () => {
    told.look([]);
    for (let at = 0; at < 25; at++) {
      told.service = at % 3 === 2 ? {} : { ports: [at] };
      told.look([]);
    }
    assert.equal(told.notices.length, 3);
    told.service = { ports: [8080] };
    told.now += 10_000;
    told.look([]);
    told.look([]);
    assert.equal(told.notices.length, 4);
    assert.match(told.notices.at(-1)?.message ?? "", /it has 8080/);
    assert.equal(told.actions.length, 4);
  });

  it("is what an up has put back that somebody deleted or changed", async () => {
    told.look([
      missing("bob", policy),
      { member: undefined, what: "changed", object: "ClusterRole x", refresh: false },
    ]);
    told.guards = [policy, "ClusterRole x"];
    told.look([]);
    assert.deepEqual(told.actions, ["drift repaired bob deleted 1", "drift repaired changed 1"]);
    const message = `${policy} was deleted by hand, and has been put back.`;
    assert.deepEqual(told.notices, [{ member: "bob", reason: "DriftRepaired", message, object: policy }]);
    const { values } = await told.metrics.driftRepaired.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.kind, value]),
      [
        ["NetworkPolicy", 1],
        ["ClusterRole", 1],
      ],
    );
  });

  it("is nothing of what was missing because it is new, what no up was run for, and what is gone for good", () => {
    told.look([missing("bob", policy)], { drift: false });
    told.guards = [policy];
    told.look([]);
    told.look([missing("bob", "Role bob/kubecamp-edit")], { tried: false });
    told.guards = [policy, "Role bob/kubecamp-edit"];
    told.look([]);
    told.look([missing("bob", "LimitRange bob/default-limits")]);
    told.look([]);
    assert.deepEqual(told.actions, []);
  });
});
