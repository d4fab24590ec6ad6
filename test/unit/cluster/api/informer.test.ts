import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { V1Service } from "@kubernetes/client-node";
import { type Informer, type InformerWaiting, startInformer } from "../../../../cluster/api/informer.ts";
import type { ApiTarget } from "../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { unknowns } from "../../../../config/names/pulumiMarks.ts";
import { RunError } from "../../../../config/values/runError.ts";
import { HeldTime } from "../../heldTime.ts";
import { until } from "../../until.ts";
import { type Answer, FakeApiServer, json, stream } from "../fakeApiServer.ts";

const service = (name: string, resourceVersion: string): V1Service => ({
  metadata: { name: `${name}-svc`, namespace: name, resourceVersion, managedFields: [{ manager: "kubectl" }] },
});
const list = (resourceVersion: string, ...items: V1Service[]): Answer =>
  json({ kind: "ServiceList", metadata: { resourceVersion }, items });
/** Of a list with two Services. */
const both = ["alice/alice-svc none -> 1", "bob/bob-svc none -> 2"];
const event = (type: string, object: object) => ({ type, object });
const status = (code: number, message: string) => ({ kind: "Status", code, message });
/** A stream that goes on until the test ends it, or sends more. */
const open = (...lines: object[]) => {
  const opened = Promise.withResolvers<Parameters<Answer>[1]>();
  const answer: Answer = (request, response) => {
    stream(...lines)(request, response);
    opened.resolve(response);
  };
  return { answer, opened: opened.promise };
};
const closed =
  (...lines: (object | string)[]): Answer =>
  (request, response) => {
    stream(...lines)(request, response);
    response.end();
  };
const bookmark = event("BOOKMARK", { metadata: { resourceVersion: "6" } });
const broken: Answer = (request) => request.socket.destroy();
const hangs: Answer = () => undefined;

describe("an informer", () => {
  const server = new FakeApiServer();
  before(() => server.start());
  after(() => server.stop());

  let stop: AbortController;
  let time: HeldTime | undefined;
  const reported: string[] = [];
  const pauses: number[] = [];
  const cuts: number[] = [];
  beforeEach(() => {
    server.reset();
    stop = new AbortController();
    reported.length = 0;
    pauses.length = 0;
    cuts.length = 0;
  });
  afterEach(() => {
    stop.abort();
    time?.release();
    time = undefined;
  });

  const target = (url = server.url, cluster = {}, user = {}): ApiTarget => ({
    source: "the kubeconfig",
    server: url,
    cluster: { server: url, ...cluster },
    user: { token: "secret", ...user },
  });
  const follow = (waiting: Partial<InformerWaiting> = {}, at = target(), selectors = {}): Informer<V1Service> =>
    followAt(() => at, waiting, selectors);
  const followAt = (at: () => ApiTarget, waiting: Partial<InformerWaiting> = {}, selectors = {}): Informer<V1Service> =>
    startInformer<V1Service>(
      at,
      { ...{ what: "the Services", path: "/api/v1/services", kind: "Service" }, ...selectors },
      {
        change: (key, object, before) => {
          const { resourceVersion: now = "gone" } = object?.metadata ?? {};
          reported.push(`${key} ${before?.metadata?.resourceVersion ?? "none"} -> ${now}`);
        },
        trouble: ({ message }) => reported.push(`trouble: ${message.split("\n")[0]}`),
        cut: (fruitless) => cuts.push(fruitless),
        well: () => reported.push("well"),
      },
      {
        signal: stop.signal,
        settled: 20,
        pause: async (milliseconds) => {
          pauses.push(milliseconds);
          await sleep(1);
        },
        ...waiting,
      },
    );
  /** Answers of the lists of Services, and of the watches. */
  const answers = (lists: readonly Answer[], ...watches: readonly Answer[]) => {
    server.answers("services", ...lists);
    server.answers("watch services", ...watches);
  };
  const reportedAre = async (...lines: string[]) => {
    await until(
      () => reported.length >= lines.length,
      () => reported.join("\n"),
    );
    assert.deepEqual(reported.splice(0), lines);
  };
  const pausedLongerAndLonger = (times: number) => {
    const most = (at: number) => Math.min(500 * 2 ** at, 30_000);
    const isWithin = (pause: number, at: number) => pause >= most(at) / 2 && pause <= most(at);
    assert.ok(pauses.length >= times && pauses.slice(0, times).every(isWithin), String(pauses));
  };
  const trouble = (verb: string, why: string) =>
    `trouble: Can't ${verb} the Services from the API server ${server.url}: ${why}`;

  it("makes an informer list, and watch on from there, with all that the API server needs", async () => {
    const urls: (string | undefined)[] = [];
    const bobs = service("bob", "6");
    const managedFields = [{ manager: "kubectl" }, { manager: unknowns[0] ?? "", fieldsV1: { "f:data": {} } }];
    const more = open(event("ADDED", { metadata: { ...bobs.metadata, managedFields } }));
    const noting =
      (answer: Answer): Answer =>
      (request, response) => {
        urls.push(request.url);
        answer(request, response);
      };
    answers([noting(list("5", service("alice", "1")))], noting(more.answer));
    const selectors = { labelSelector: "kubecamp.dev/stack=dev", fieldSelector: "metadata.name=bob-svc" };
    const { items, synced } = follow({}, target(), selectors);
    await synced;
    await reportedAre("alice/alice-svc none -> 1", "bob/bob-svc none -> 6");
    const watching = new URL(urls[1] ?? "", server.url);
    const timeout = Number(watching.searchParams.get("timeoutSeconds"));
    watching.searchParams.delete("timeoutSeconds");
    assert.deepEqual(
      [urls[0], watching.pathname, Object.fromEntries(watching.searchParams)],
      [
        "/api/v1/services?labelSelector=kubecamp.dev%2Fstack%3Ddev&fieldSelector=metadata.name%3Dbob-svc&limit=500",
        "/api/v1/services",
        { ...selectors, watch: "true", resourceVersion: "5", allowWatchBookmarks: "true" },
      ],
    );
    assert.ok(timeout >= 300 && timeout <= 600, `${timeout} s`);
    assert.deepEqual(server.tokens, ["Bearer secret", "Bearer secret"]);
    // Of field managers, only names that Pulumi can't read are kept.
    const kept = { ...bobs.metadata, managedFields: [{ manager: unknowns[0] }] };
    assert.deepEqual(items.get("bob/bob-svc")?.metadata, kept);
    assert.equal(items.get("alice/alice-svc")?.metadata?.managedFields, undefined);
  });

  it("tells of changed and deleted objects, and watches on from a bookmark after a cut", async () => {
    const first = open();
    server.answers("services", list("5", service("alice", "1"), service("bob", "2")));
    let next: string | undefined;
    server.answers("watch services", first.answer, (request, response) => {
      next = new URL(request.url ?? "", server.url).searchParams.get("resourceVersion") ?? "";
      stream()(request, response);
    });
    const { items } = follow();
    const response = await first.opened;
    for (const line of [
      event("MODIFIED", service("alice", "7")),
      event("DELETED", service("bob", "8")),
      event("BOOKMARK", { kind: "Service", metadata: { resourceVersion: "12" } }),
    ]) {
      response.write(`${JSON.stringify(line)}\n`);
    }
    await reportedAre(...both, "alice/alice-svc 1 -> 7", "bob/bob-svc 2 -> gone");
    response.end();
    await until(() => next !== undefined);
    assert.equal(next, "12");
    assert.deepEqual([...items.keys()], ["alice/alice-svc"]);
    assert.deepEqual([server.asked, reported], [["services", "watch services", "watch services"], []]);
  });

  it("lists anew after 410 Gone, however said, and tells only of objects that differ by then", async () => {
    const gone = status(410, "too old resource version");
    const lists = [
      list("5", service("alice", "1"), service("bob", "2")),
      list("20", service("alice", "6"), service("carol", "9")),
      list("30", service("alice", "6")),
    ];
    const changed = closed(event("MODIFIED", service("alice", "6")));
    answers(lists, changed, json(gone, 410), closed(bookmark, event("ERROR", gone)));
    follow();
    const carols = ["carol/carol-svc none -> 9", "carol/carol-svc 9 -> gone"];
    await reportedAre(...both, "alice/alice-svc 1 -> 6", "bob/bob-svc 2 -> gone", ...carols);
    const [first, then] = [["services", "watch services"], ["watch services"]];
    assert.deepEqual(server.asked.slice(0, 6), [...first, ...then, ...first, "services"]);
  });

  it("lists anew after a line that is no event: from the same version, it would come again", async () => {
    const nameless = closed(event("ADDED", { metadata: { resourceVersion: "6" } }));
    answers([list("5", service("alice", "1")), list("20", service("alice", "6"))], nameless, open().answer);
    follow();
    await reportedAre("alice/alice-svc none -> 1", "alice/alice-svc 1 -> 6");
  });

  it("keeps objects through an outage, tells of that once, and then of what has really gone", async () => {
    const first = open(bookmark);
    const known: string[][] = [];
    const lists: Answer[] = [
      list("5", service("alice", "1"), service("bob", "2")),
      json(status(403, "services is forbidden"), 403),
      json(status(500, "etcdserver: no leader"), 500),
      ...[json({}, 200), json({ kind: "ServiceList", items: [] }, 200)],
      (request, response) => {
        known.push([...items.keys()]);
        list("30", service("alice", "1"))(request, response);
      },
    ];
    answers(lists, first.answer, broken, broken, json(status(410, "too old resource version"), 410));
    const { items } = follow({ settled: 60_000 });
    const response = await first.opened;
    await until(() => reported.length === 2);
    await sleep(20);
    response.destroy();
    await reportedAre(...both, trouble("read", "403 services is forbidden"), "bob/bob-svc 2 -> gone");
    assert.deepEqual(known, [["alice/alice-svc", "bob/bob-svc"]]);
    assert.deepEqual([...items.keys()], ["alice/alice-svc"]);
  });

  const refusals: [what: string, answer: Answer, why: string][] = [
    ["403", json(status(403, "services is forbidden"), 403), "403 services is forbidden"],
    ["a login page", closed("<html>", "Sign in", "</html>"), "the connection was closed at once."],
    ["an error event", closed(event("ERROR", status(500, "cache is gone"))), "500 cache is gone"],
    ["nothing at all", broken, "other side closed"],
  ];
  for (const [what, answer, why] of refusals) {
    it(`tells once, and pauses longer each time, where a watch gets ${what}`, async () => {
      answers(Array(11).fill(list("5", service("alice", "1"))), ...Array(10).fill(answer));
      follow();
      await reportedAre("alice/alice-svc none -> 1", trouble("watch", why), "well");
      pausedLongerAndLonger(10);
    });
  }

  it("takes a watch's silent connection for dead, and watches on from there", async () => {
    time = new HeldTime();
    const watches = ["6", "8"].map((version) => open(event("MODIFIED", service("alice", version))).answer);
    answers([list("5", service("alice", "1"))], ...watches);
    follow();
    await reportedAre("alice/alice-svc none -> 1", "alice/alice-svc 1 -> 6");
    await time.pass(90_000);
    await reportedAre("alice/alice-svc 6 -> 8");
    assert.deepEqual(server.asked, ["services", "watch services", "watch services"]);
  });

  describe("whose connections are cut", () => {
    /** Connections that end so many milliseconds after their headers and lines. */
    const cutAfter = (milliseconds: number, lines: (at: number) => object[] = () => []) => {
      const versions: (string | null)[] = [];
      const watches = Array.from({ length: 40 }, (_, at): Answer => {
        return (request, response) => {
          versions.push(new URL(request.url ?? "", server.url).searchParams.get("resourceVersion"));
          stream(...lines(at))(request, response);
          setTimeout(() => response.destroy(), milliseconds);
        };
      });
      answers([list("5", service("alice", "1"))], ...watches);
      return versions;
    };
    const pausedShortly = () => assert.ok(Math.max(...pauses) <= 500, String(pauses));
    const listed = () => server.asked.filter((kind) => kind === "services").length;

    it("lists once though connections are cut, and goes on from the last event or bookmark", async () => {
      const kind = (at: number) => (at % 2 === 0 ? "MODIFIED" : "BOOKMARK");
      const versions = cutAfter(40, (at) => [event(kind(at), service("alice", String(at + 6)))]);
      follow();
      await until(() => cuts.length >= 12);
      assert.deepEqual(versions.slice(0, 12), ["5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"]);
      assert.equal(listed(), 1);
      pausedShortly();
      assert.deepEqual(new Set(cuts), new Set([0]));
    });

    it("pauses ever longer between cut connections that bring nothing, which is no outage", async () => {
      cutAfter(40);
      follow({ settled: 1 });
      await until(() => cuts.length >= 12);
      pausedLongerAndLonger(12);
      const found = [listed(), cuts.slice(0, 12), reported];
      assert.deepEqual(found, [1, [...Array(12).keys()], ["alice/alice-svc none -> 1"]]);
    });

    it("lists anew after a long silence: the API server may no longer know the version", async () => {
      cutAfter(40);
      server.answers("services", list("5", service("alice", "1")), list("3", service("alice", "2")));
      follow({ settled: 1, unheard: 1 });
      await reportedAre("alice/alice-svc none -> 1", "alice/alice-svc 1 -> 2");
    });

    it("pauses shortly after a connection that has lasted, though nothing has come through", async () => {
      cutAfter(40);
      follow({ settled: 1, lasting: 5 });
      await until(() => pauses.length >= 12);
      pausedShortly();
    });
  });

  it("reads a watch's line that comes in pieces, and an object of many", async () => {
    const lines = open();
    answers([list("5")], lines.answer);
    const { items } = follow();
    const response = await lines.opened;
    const named = { metadata: { ...service("zoë", "6").metadata, annotations: { long: "é".repeat(100_000) } } };
    const bytes = Buffer.from(`${JSON.stringify(event("ADDED", named))}\n`);
    // Within a letter of two bytes.
    const middle = bytes.indexOf(Buffer.from("ë")) + 1;
    response.write(bytes.subarray(0, middle));
    await sleep(30);
    response.write(bytes.subarray(middle));
    await reportedAre("zoë/zoë-svc none -> 6");
    assert.equal(items.get("zoë/zoë-svc")?.metadata?.annotations?.long?.length, 100_000);
  });

  it("keeps and tells of the selected objects alone, and watches on from where the others are", async () => {
    answers(
      [list("5", service("alice", "1"), service("bob", "2"))],
      closed(event("DELETED", service("bob", "6")), event("ADDED", service("bob", "7"))),
      open(event("MODIFIED", service("bob", "8")), event("MODIFIED", service("alice", "9"))).answer,
    );
    const { items } = follow({}, target(), { isMeant: (key: string) => key.startsWith("alice/") });
    await reportedAre("alice/alice-svc none -> 1", "alice/alice-svc 1 -> 9");
    assert.deepEqual([...items.keys()], ["alice/alice-svc"]);
    assert.deepEqual(server.asked, ["services", "watch services", "watch services"]);
  });

  it("lets no informer wait for ever for the beginning of an answer", async () => {
    time = new HeldTime();
    answers([list("5"), list("5")], hangs, open(bookmark).answer);
    follow();
    await until(() => server.asked.includes("watch services"));
    await time.pass(30_000);
    await reportedAre(trouble("watch", "not done within 30 seconds."), "well");
  });

  it("signs an informer in anew for every connection, so that a new token is used", async () => {
    const tokenFile = join(server.folder, "token");
    await writeFile(tokenFile, "first");
    const first = open();
    answers([list("5")], first.answer);
    follow({}, target(server.url, {}, { token: undefined, tokenFile }));
    const response = await first.opened;
    await sleep(40);
    await writeFile(tokenFile, "second");
    response.end();
    await until(() => server.tokens.length === 3);
    assert.deepEqual(server.tokens, ["Bearer first", "Bearer first", "Bearer second"]);
  });

  it("asks a command for credentials once, and again after the API server refused these", async () => {
    const command = join(server.folder, "login");
    const script = 'printf \'{"status":{"token":"%s"}}\' "$$"';
    await writeFile(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    answers([list("5")], closed(bookmark), json(status(401, "Unauthorized"), 401));
    const exec = { command, apiVersion: "client.authentication.k8s.io/v1beta1" };
    follow({}, target(server.url, {}, { token: undefined, exec }));
    await until(() => server.tokens.length === 4);
    assert.deepEqual(reported, []);
    const [first, second, third, last] = server.tokens;
    assert.deepEqual([first === second, second === third, third === last], [true, true, false]);
  });

  it("tells of a kubeconfig for as long as that can't be read", async () => {
    let isWritten = false;
    server.answers("services", list("5", service("alice", "1")));
    followAt(() => {
      if (!isWritten) {
        throw new RunError("Correct the kubeconfig, then run again.");
      }
      return target();
    });
    await until(() => pauses.length > 1);
    assert.deepEqual(reported.splice(0), ["trouble: Correct the kubeconfig."]);
    isWritten = true;
    await reportedAre("alice/alice-svc none -> 1", "well");
  });

  it("sends an informer's requests through the kubeconfig's proxy", async () => {
    server.answers("services", list("5"));
    await follow({}, target("http://api.camp.test", { "proxy-url": server.url })).synced;
  });

  for (const [what, ...queue] of [
    ["a list hangs", hangs],
    ["a watch hangs", list("5"), hangs],
    ["a watch is silent", list("5"), stream()],
    ["the informer pauses", json({}, 403)],
  ] as const) {
    it(`ends an informer at once with the signal while ${what}, and says no more`, async () => {
      const [first, ...watches] = queue;
      answers([first], ...watches);
      const reason = new Error("enough");
      const pausing = Promise.withResolvers<void>();
      const { synced } = follow({
        pause: (milliseconds, signal) => {
          pausing.resolve();
          return sleep(milliseconds * 100, undefined, { signal });
        },
      });
      const under = queue.length;
      await (what === "the informer pauses" ? pausing.promise : until(() => server.asked.length === under));
      await sleep(30);
      reported.length = 0;
      stop.abort(reason);
      await until(() => server.underWay === 0);
      if (under === 1) {
        await assert.rejects(synced, reason);
      }
      assert.deepEqual([reported, server.asked.length], [[], under]);
    });
  }
});
