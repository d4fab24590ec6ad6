import assert from "node:assert/strict";
import { UnconfirmedError } from "../../../../cluster/api/errors.ts";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { planMembers } from "../../../../plan/members/plan.ts";
import type { LiveSnapshot } from "../../../../watch/live/liveObjects.ts";
import type { AdminMessage, Channel } from "../../../../watch/notify/channels.ts";
import { Notifier } from "../../../../watch/notify/notifier.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import type { Notice } from "../../../../watch/telemetry/notices.ts";
import { configuration, labelsOf } from "../../samples.ts";
import { emptySnapshot, fakeLog } from "../fakes.ts";

const annotation = "kubecamp.dev/notices";
const minutes = 60_000;

/** A watch's notifier on a cluster that is a test's; `restart` makes it forget what it did not write. */
class Told {
  readonly #log = fakeLog();
  readonly metrics = new Metrics();
  readonly events: Notice[] = [];
  readonly sent: AdminMessage[] = [];
  /** Annotations by namespace, as the cluster has them. */
  readonly annotations = new Map<string, string>();
  /** Namespaces of which the API server refuses writes. */
  readonly refused = new Set<string>();
  /** Namespaces of which the answers to writes are lost, and whether these are carried out. */
  readonly unconfirmed = new Map<string, boolean>();
  writes = 0;
  /** Calls, in order. */
  readonly did: string[] = [];
  fails = false;
  /** Called when an annotation has been written. */
  written = () => {};
  readonly lost = new AbortController();
  clock = 0;
  date = new Date("2026-06-15T12:00:00Z");
  stack: Configuration = configuration({
    members: [
      { member: "bob", type: "user", expires: "2026-06-29" },
      { member: "carol", type: "user", expires: "2026-06-18" },
      { member: "eve", type: "user" },
    ],
  });
  homes = ["bob", "carol", "eve"];
  /** UIDs of namespaces that were made again. */
  readonly uids = new Map<string, string>();
  labels: Readonly<Record<string, string>> = {};
  #notifier = this.#start();

  restart(): void {
    this.#notifier = this.#start();
  }

  #start(): Notifier {
    const { log } = this.#log;
    const mail: Channel = {
      name: "mail",
      secrets: ["top-secret"],
      send: async (message) => {
        this.did.push("send");
        if (this.fails) {
          throw new Error("no mail for top-secret");
        }
        this.sent.push(message);
      },
    };
    return new Notifier({
      ...{ log, metrics: this.metrics },
      notify: (notice) => {
        this.did.push("event");
        return this.events.push(notice) > 0;
      },
      channelsOf: () => [mail],
      write: async (writes) => {
        this.writes++;
        this.did.push("remember");
        const refused = new Map<string, Error>();
        for (const [name, { uid, before, after }] of writes) {
          if (this.refused.has(name)) {
            refused.set(name, new Error("403"));
          } else if (before !== this.annotations.get(name) || uid !== this.#uidOf(name)) {
            refused.set(name, new Error("422"));
          } else if (this.unconfirmed.get(name) !== false) {
            after === undefined ? this.annotations.delete(name) : this.annotations.set(name, after);
          }
          if (this.unconfirmed.has(name) && !refused.has(name)) {
            refused.set(name, new UnconfirmedError("lost"));
          }
        }
        this.written();
        return refused;
      },
      lost: this.lost.signal,
      now: () => this.clock,
      date: () => this.date,
    });
  }

  #uidOf(name: string): string {
    return this.uids.get(name) ?? `${name}-1`;
  }

  /** @param shown annotations as the informer shows them, if it is behind */
  async look(shown: ReadonlyMap<string, string> = this.annotations): Promise<void> {
    const managed = this.homes.map((name): [string, ManagedObject] => {
      const value = shown.get(name);
      const annotations = value === undefined ? {} : { [annotation]: value };
      const labels = labelsOf(name);
      return [
        objectKey("Namespace", name),
        { labels, annotations, resourceVersion: "1", applied: undefined, content: {} },
      ];
    });
    const snapshot: LiveSnapshot = {
      ...emptySnapshot,
      namespaces: new Map(
        this.homes.map((name) => [
          name,
          { labels: { ...labelsOf(name), ...this.labels }, terminating: false, uid: this.#uidOf(name) },
        ]),
      ),
      managedObjects: new Map(managed),
    };
    this.#notifier.look(planMembers(this.stack.members, this.stack.settings, snapshot));
    await this.#notifier.flush();
  }

  lines(action: string) {
    return this.#log.lines.filter((line) => line.action === action);
  }
}

const about = (all: readonly { readonly member?: string }[]) => all.map(({ member }) => member);
const keys = (value: string | undefined) =>
  (JSON.parse(value ?? "[]") as object[]).map((one) => ({ ...one, text: "" }));

describe("what comes", () => {
  let told: Told;
  beforeEach(() => {
    told = new Told();
  });

  it("remembers a notice, then tells each member by an Event and admins in one message", async () => {
    await told.look();
    // A watch that is killed in between must not tell it twice.
    assert.deepEqual(told.did, ["remember", "event", "event", "send"]);
    assert.deepEqual(about(told.events), ["bob", "carol"]);
    assert.deepEqual(
      told.sent.map(({ text }) => text),
      ["Expires soon: carol on 2026-06-18 (in 3 days), bob on 2026-06-29 (in 14 days)"],
    );
    assert.deepEqual(
      [...told.annotations].map(([name, value]) => [name, keys(value)]),
      [
        ["bob", [{ key: "expires 2026-06-29", step: 14, text: "" }]],
        ["carol", [{ key: "expires 2026-06-18", step: 3, text: "" }]],
      ],
    );
  });

  it("tells a notice once, also after the watch has started again", async () => {
    await told.look();
    await told.look();
    told.restart();
    told.clock += 60 * minutes;
    await told.look();
    assert.deepEqual([told.events.length, told.sent.length, told.writes], [2, 1, 1]);
    told.date = new Date("2026-06-26T00:00:00Z");
    await told.look();
    assert.deepEqual([about(told.events), told.sent.length], [["bob", "carol", "bob"], 2]);
  });

  it("sends a failed message again, in growing pauses and after a new start of the watch", async () => {
    told.fails = true;
    await told.look();
    assert.equal(told.events.length, 2);
    assert.deepEqual(keys(told.annotations.get("bob")), [
      { key: "expires 2026-06-29", step: 14, text: "", unsent: ["mail"] },
    ]);
    assert.deepEqual(
      told.lines("message failed").map(({ level, channel, reason }) => [level, channel, reason]),
      [["warn", "mail", "no mail for [secret]"]],
    );
    const failures = async () =>
      (await told.metrics.messages.get()).values.find(
        ({ labels: { channel, result } }) => channel === "mail" && result === "failed",
      )?.value;
    await told.look();
    assert.equal(await failures(), 1);
    told.clock += minutes;
    await told.look();
    assert.equal(await failures(), 2);
    told.clock += minutes;
    await told.look();
    assert.equal(await failures(), 2);
    told.fails = false;
    told.restart();
    await told.look();
    assert.deepEqual([told.sent.length, told.events.length], [1, 2]);
    assert.deepEqual(keys(told.annotations.get("bob")), [{ key: "expires 2026-06-29", step: 14, text: "" }]);
    told.restart();
    await told.look();
    assert.equal(told.sent.length, 1);
  });

  it("tells admins in one message what comes within five minutes", async () => {
    told.homes = ["bob"];
    await told.look();
    told.homes = ["bob", "carol"];
    await told.look();
    assert.deepEqual([about(told.events), told.sent.length], [["bob", "carol"], 1]);
    told.clock += 5 * minutes;
    await told.look();
    assert.deepEqual(
      told.sent.map(({ findings }) => about(findings)),
      [["bob"], ["carol"]],
    );
  });

  it("tells no notice that can't be written down, and tells others'", async () => {
    told.refused.add("bob");
    await told.look();
    await told.look();
    assert.deepEqual([about(told.events), told.sent.map(({ findings }) => about(findings))], [["carol"], [["carol"]]]);
    assert.equal(told.lines("notices refused").length, 1);
    assert.equal(told.writes, 1);
    told.refused.clear();
    told.clock += 5 * minutes;
    await told.look();
    assert.deepEqual(about(told.events), ["carol", "bob"]);
  });

  for (const isWritten of [true, false]) {
    const what = isWritten ? "an answer" : "an annotation";
    it(`tells a notice once though ${what} is lost that remembers the notice`, async () => {
      told.homes = ["bob"];
      told.unconfirmed.set("bob", isWritten);
      await told.look();
      assert.deepEqual([told.events, told.sent, told.lines("notices refused").length], [[], [], 1]);
      told.unconfirmed.clear();
      for (let looks = 0; looks < 3; looks++) {
        told.clock += minutes;
        await told.look();
      }
      assert.deepEqual([about(told.events), told.sent.length], [["bob"], 1]);
      assert.deepEqual(keys(told.annotations.get("bob")), [{ key: "expires 2026-06-29", step: 14, text: "" }]);
    });
  }

  it("waits with a notice that can't be written down, also if others' message failed", async () => {
    told.refused.add("bob");
    told.fails = true;
    await told.look();
    await told.look();
    // Carol's day, then that her message failed.
    assert.equal(told.writes, 2);
  });

  it("tells no notice once the watch has lost its Lease", async () => {
    told.written = () => told.lost.abort();
    await told.look();
    await told.look();
    assert.deepEqual(told.did, ["remember"]);
  });

  it("tells no notice in an absent or another stack's namespace, and tells all in a new one", async () => {
    told.labels = { "kubecamp.dev/stack": "other" };
    await told.look();
    assert.deepEqual([told.events, told.writes], [[], 0]);
    told.labels = {};
    await told.look();
    told.homes = ["carol"];
    told.annotations.delete("bob");
    await told.look();
    told.homes = ["bob", "carol"];
    await told.look();
    assert.deepEqual(about(told.events), ["bob", "carol", "bob"]);
    // Between two looks.
    told.uids.set("bob", "bob-2");
    told.annotations.delete("bob");
    await told.look();
    assert.deepEqual(about(told.events), ["bob", "carol", "bob", "bob"]);
  });

  it("tells no notice again before the watch has seen what another wrote", async () => {
    await told.look();
    told.restart();
    told.clock += 5 * minutes;
    await told.look(new Map());
    assert.deepEqual([about(told.events), told.sent.length], [["bob", "carol"], 1]);
    assert.deepEqual(
      told.lines("notices refused").map(({ reason }) => reason),
      ["422"],
    );
    told.clock += minutes;
    await told.look();
    assert.deepEqual([told.events.length, told.sent.length, told.writes], [2, 1, 2]);
  });

  it("trusts the written notices while the informer is behind", async () => {
    await told.look();
    const before = new Map(told.annotations);
    told.date = new Date("2026-06-26T00:00:00Z");
    await told.look(new Map());
    assert.deepEqual(about(told.events), ["bob", "carol", "bob"]);
    await told.look(before);
    assert.equal(told.events.length, 3);
  });

  it("forgets a notice of the last day once there is no last day", async () => {
    await told.look();
    told.stack = configuration({ members: ["bob", "carol"].map((member) => ({ member, type: "user" })) });
    await told.look();
    assert.deepEqual([...told.annotations], []);
    assert.equal(told.events.length, 2);
  });

  it("measures the time to everybody's last day, near or not", async () => {
    told.date = new Date();
    const day = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
    told.stack = configuration({ members: [{ member: "bob", type: "user", expires: day }] });
    await told.look();
    assert.match(await told.metrics.registry.metrics(), /^kubecamp_member_expires_seconds\{member="bob"\} 8[67]\d{5}/m);
    assert.deepEqual(told.events, []);
  });
});
