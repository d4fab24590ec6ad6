import assert from "node:assert/strict";
import { join } from "node:path";
import type { V1FlowSchema } from "@kubernetes/client-node";
import { repository } from "../../../../sandbox/paths.ts";
import { ApiProxy, type Passed } from "../../support/cluster/apiProxy.ts";
import { type Entry, useStack } from "../stack.ts";

const [few, many] = [4, 16];

const listOf = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ member: `m-${index}`, type: "guest-user" }));

/** A run's requests, counted by verb and path, with `*` in place of a member's name. */
interface Counted {
  /** The program's reads. */
  readonly program: Readonly<Record<string, number>>;
  /** The program's writes. */
  readonly programWrites: Readonly<Record<string, number>>;
  /** The plugin's writes. */
  readonly writes: Readonly<Record<string, number>>;
  /** The plugin's reads, without counts: those depend on how long the API server takes. */
  readonly questions: readonly string[];
  /** Lists among them, apart from those in a member's namespace. */
  readonly lists: Readonly<Record<string, number>>;
  /** Bytes that the program was answered with. */
  readonly bytes: number;
}

type Runs = Readonly<Record<(typeof names)[number], Counted>>;
const names = ["create", "added", "removed"] as const;

/** Open routes in one run: nobody has to make a Service first. */
const settings = { route: { host: "camp.test", readiness: { mode: "managed" } }, offboarding: { maxRemovals: 500 } };

describe(`what runs ask of the API server for ${few} members and for ${many}`, () => {
  const stack = useStack("counted");
  const proxy = new ApiProxy();
  let ofFew: Runs | undefined;
  let ofMany: Runs | undefined;
  let ofPreview: Counted | undefined;
  /** Paths of what the program was told to ask for later. */
  const putOff = new Set<string>();
  let env: Record<string, string> = {};

  before(async () => {
    env = await stack.behind(proxy);
    await run(0, up);
    ofFew = await counted(few);
    ofMany = await counted(many);
  });
  after(() => proxy.stop());

  // A namespace takes five seconds to go, so all of them go at once.
  const up = ["up", "--yes", "--skip-preview", "--parallel", "100"];

  async function run(members: number, args: readonly string[]): Promise<Counted> {
    await stack.configure(listOf(members), settings);
    proxy.passed.length = 0;
    const { exitCode, output } = await stack.run(args, env);
    assert.equal(exitCode, 0, output);
    return countedOf(proxy.passed);
  }

  async function counted(members: number): Promise<Runs> {
    const create = await run(members, up);
    ofPreview ??= await previewOfBusy();
    return { create, added: await run(members + 1, up), removed: await run(0, up) };
  }

  const both = (): [Runs, Runs] => [ofFew ?? assert.fail(), ofMany ?? assert.fail()];

  /** An API server that answers each request once with "retry after a second". */
  async function previewOfBusy(): Promise<Counted> {
    proxy.hooks = {
      before: async ({ agent, url }) => {
        const isNew = agent === "kubecamp" && !putOff.has(url.pathname);
        if (isNew) {
          putOff.add(url.pathname);
        }
        return isNew ? { status: 429, headers: { "retry-after": "1" } } : undefined;
      },
    };
    const preview = await run(few, ["preview", "--expect-no-changes"]);
    proxy.hooks = {};
    return preview;
  }

  it("asks in an unchanged preview only for lists, which a busy API server may put off", () => {
    const { program, writes } = ofPreview ?? assert.fail();
    assert.deepEqual(writes, {});
    assert.deepEqual([...new Set(Object.values(program))], [1]);
    const paths = Object.keys(program).map((key) => key.split(" ")[1]);
    assert.deepEqual(paths.sort(), [...putOff].sort());
  });

  it("has the program ask for each list once, and for the Service of each path that opens", () => {
    const [less, more] = both();
    const only = ({ program }: Counted, ofAll: boolean) =>
      Object.fromEntries(Object.entries(program).filter(([key]) => isOfAll(key) === ofAll));
    for (const name of names) {
      assert.deepEqual(only(more[name], true), only(less[name], true));
      assert.deepEqual([...new Set(Object.values(only(more[name], true)))], [1], name);
    }
    for (const [runs, members] of [
      [less, few],
      [more, many],
    ] as const) {
      const service = (times: number) => ({ "GET /api/v1/namespaces/*/services": times });
      assert.deepEqual(
        names.map((name) => only(runs[name], false)),
        [service(members), service(1), {}],
      );
    }
  });

  it("has the plugin write each object once, and nothing of members who do not change", () => {
    const [less, more] = both();
    const created = each(few, less.create.writes);
    assert.deepEqual([Object.keys(created).length, ...new Set(Object.values(created))], [11, 1]);
    for (const writes of [each(many, more.create.writes), less.added.writes, more.added.writes]) {
      assert.deepEqual(writes, created);
    }
    const removed = each(few + 1, less.removed.writes);
    // Objects in a member's namespace go with it, apart from their key.
    assert.deepEqual([Object.keys(removed).length, ...new Set(Object.values(removed))], [5, 1]);
    assert.deepEqual(each(many + 1, more.removed.writes), removed);
  });

  it("has the program write only to end the access of who leaves", () => {
    const [less, more] = both();
    for (const { create, added, removed } of [less, more]) {
      assert.deepEqual([create.programWrites, added.programWrites], [{}, {}]);
      assert.deepEqual(Object.keys(removed.programWrites).sort(), [
        "PATCH /apis/rbac.authorization.k8s.io/v1/clusterrolebindings/kubecamp:counted:*:view-guest",
        "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/*/rolebindings/kubecamp-edit",
      ]);
    }
    assert.deepEqual(each(many + 1, more.removed.programWrites), each(few + 1, less.removed.programWrites));
  });

  it("has the plugin ask for the same lists and watches, whatever the number of members", () => {
    const [less, more] = both();
    for (const name of names) {
      assert.deepEqual([more[name].questions, more[name].lists], [less[name].questions, less[name].lists]);
    }
    const besideController = "GET /api/v1/namespaces/ingress-nginx";
    // Events tell why something is not ready yet.
    const events = ["GET /api/v1/events", `${besideController}/events`];
    const lists = [
      `${besideController}/services`,
      "GET /apis/networking.k8s.io/v1/namespaces/ingress-nginx/ingresses",
      "GET /apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    ];
    assert.deepEqual(
      names.map((name) => more[name].questions.filter(isOfAll)),
      [events, events, [...events, ...lists].sort()],
    );
  });

  it("gives runs and members flow-control levels of their own, as the page says", async () => {
    for (const name of ["flow-control.yaml", "flow-control-members.yaml"]) {
      const manifest = join(repository, "deploy", name);
      const applied = await stack.sandbox.kubectl(["apply", "--dry-run=server", "-f", manifest]);
      assert.equal(applied.exitCode, 0, applied.stderr);
      assert.match(applied.stdout, /^flowschema.* created/m);
    }
    const level = async (schema: string) => {
      const { spec } = await stack.sandbox.get<V1FlowSchema>("flowschema", schema);
      return [spec?.priorityLevelConfiguration.name, spec?.matchingPrecedence];
    };
    assert.deepEqual(await Promise.all(["service-accounts", "global-default"].map(level)), [
      ["workload-low", 9000],
      ["global-default", 9900],
    ]);
  });

  it("reads no more bytes for each of many members: long lists come compressed", () => {
    const [less, more] = both();
    const each = ({ create, added }: Runs, members: number) => (added.bytes - create.bytes) / members;
    assert.ok(each(more, many) < each(less, few) * 1.1, `${each(less, few)} and ${each(more, many)} bytes`);
  });
});

/** How often for each of so many members. */
const each = (times: number, counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, count / times]));

/** How a client learns what the API server has. */
function isDiscovery(key: string): boolean {
  return /^GET \/(api|apis|version|openapi\/.*)$/.test(key);
}

/** Collections that are no member's. */
function isOfAll(question: string): boolean {
  return !question.includes("*") && !isDiscovery(question);
}

function countedOf(passed: readonly Passed[]): Counted {
  const keys = passed.map(({ method, url, agent }) => ({
    isProgram: agent === "kubecamp",
    method,
    isList: method === "GET" && url.searchParams.get("watch") !== "true",
    key: `${method} ${decodeURIComponent(url.pathname).replaceAll(/\bm-\d+/g, "*")}`,
  }));
  const counts = (of: readonly { key: string }[]) => {
    const found: Record<string, number> = {};
    for (const { key } of of) {
      found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  };
  const ofPlugin = keys.filter(({ isProgram }) => !isProgram);
  return {
    program: counts(keys.filter(({ isProgram, method }) => isProgram && method !== "PATCH")),
    programWrites: counts(keys.filter(({ isProgram, method }) => isProgram && method === "PATCH")),
    writes: counts(ofPlugin.filter(({ method }) => method !== "GET")),
    questions: [...new Set(ofPlugin.flatMap(({ method, key }) => (method === "GET" ? [key] : [])))].sort(),
    lists: counts(ofPlugin.filter(({ isList, key }) => isList && isOfAll(key))),
    bytes: passed.reduce((sum, { agent, bytes }) => sum + (agent === "kubecamp" ? bytes : 0), 0),
  };
}
