import assert from "node:assert/strict";
import { type ApiServer, withApiServer } from "../../../../cluster/api/client.ts";
import { findApiTarget } from "../../../../cluster/api/kubeconfig/kubeconfig.ts";
import type { ListRequest, Waiting } from "../../../../cluster/api/requests.ts";
import { readWorkloads } from "../../../../cluster/read/workloads.ts";
import { RunError } from "../../../../config/values/runError.ts";
import { HeldTime } from "../../heldTime.ts";
import { type Answer, FakeApiServer, json, useApiServer } from "../fakeApiServer.ts";

const path = "/api/v1/namespaces/bob/pods?fieldSelector=status.phase!%3DFailed";
const stopPods = { what: "stop the pods of member 'bob'", method: "DELETE", path } as const;
const fine = json({ kind: "Status", status: "Success" });

describe("writing to the API server", () => {
  const server = new FakeApiServer();
  before(() => server.start());
  beforeEach(() => server.reset());
  after(() => server.stop());

  const pauses: number[] = [];
  const through = <T>(work: (api: ApiServer) => Promise<T>, waiting: Partial<Waiting> = {}) => {
    pauses.length = 0;
    const cluster = { server: server.url };
    const target = { source: "the kubeconfig", server: server.url, cluster, user: { token: "secret" } };
    return withApiServer(target, { pause: async (milliseconds) => pauses.push(milliseconds), ...waiting }, work);
  };
  const stops = (waiting?: Partial<Waiting>) => through((api) => api.write(stopPods), waiting);

  it("sends a DELETE without a body, signed in, to the path with its query", async () => {
    server.answers("pods", fine);
    await stops();
    const sent = { method: "DELETE", url: path, contentType: undefined, body: "", token: "Bearer secret" };
    assert.deepEqual(server.writes, [sent]);
  });

  it("sends a PATCH with its body as JSON, as a merge patch or the kind of patch that is named", async () => {
    server.answers("bob", json({ kind: "Namespace" }), json({ kind: "Namespace" }));
    const body = { metadata: { ownerReferences: null } };
    const request = { what: "take the owner from namespace 'bob'", path: "/api/v1/namespaces/bob", body };
    await through(async (api) => {
      await api.write({ ...request, method: "PATCH" });
      await api.write({ ...request, method: "PATCH", contentType: "application/apply-patch+yaml" });
    });
    const sent = { method: "PATCH", url: "/api/v1/namespaces/bob", body: JSON.stringify(body), token: "Bearer secret" };
    const types = ["application/merge-patch+json", "application/apply-patch+yaml"];
    assert.deepEqual(
      server.writes,
      types.map((contentType) => ({ ...sent, contentType })),
    );
  });

  it("repeats a write only where the API server has not begun that, and when the server says", async () => {
    server.answers("pods", json({}, 429, { "retry-after": "1" }), json({}, 503, { "retry-after": "2" }), fine);
    await stops();
    assert.deepEqual(pauses, [1000, 2000]);
    assert.equal(server.asked.length, 3);
  });

  const final: Record<string, [Answer, RegExp]> = {
    "a 503 without Retry-After": [json({ message: "no leader" }, 503), /503 no leader\nRun again when/],
    "a 500, though with a Retry-After": [json({}, 500, { "retry-after": "1" }), /500/],
    "a 504": [json({ message: "timed out" }, 504), /504 timed out/],
    "a 409": [json({ message: "the object has been modified" }, 409), /409 .* modified\nSomebody else .* run again/],
    "a connection that breaks": [(request) => request.socket.destroy(), /Can't stop the pods/],
  };
  for (const [what, [answer, words]] of Object.entries(final)) {
    it(`doesn't repeat a write after ${what}`, async () => {
      server.answers("pods", answer, fine);
      await assert.rejects(stops(), words);
      assert.deepEqual(pauses, []);
      assert.equal(server.asked.length, 1);
    });
  }

  it("says of a failed write what could not be done, where, why, and the way out", async () => {
    server.answers("pods", json({ message: 'pods is forbidden: User "x" cannot deletecollection' }, 403));
    await assert.rejects(stops(), {
      message:
        `Can't stop the pods of member 'bob' on the API server ${server.url}: ` +
        '403 pods is forbidden: User "x" cannot deletecollection\n' +
        "Give the identity in the kubeconfig the right to do that, then run again.",
    });
  });
});

describe("a conversation with the API server", () => {
  const server = new FakeApiServer();
  before(() => server.start());
  after(() => server.stop());

  const target = () => ({ source: "it", server: server.url, cluster: { server: server.url }, user: {} });

  it("says once that kubecamp waits for the API server, and not while nothing is asked", async () => {
    const time = new HeldTime();
    const said: string[] = [];
    const services = { what: "the Services", path: "/api/v1/services", kind: "Service" };
    server.answers("services", async (request, response) => {
      await time.pass(5_000);
      json({ kind: "ServiceList", items: [] })(request, response);
    });
    try {
      await withApiServer(target(), { notify: (message) => said.push(message) }, async (api) => {
        await time.pass(5_000);
        assert.deepEqual(said, []);
        await api.list(services);
      });
      assert.deepEqual(said, [`Waiting for the API server ${server.url}: the Services`]);
    } finally {
      time.release();
    }
  });

  it("stops waiting for the API server's answer at the caller's signal", async () => {
    const stop = new AbortController();
    server.answers("services", () => stop.abort());
    const list = { what: "the Services", path: "/api/v1/services", kind: "Service" };
    await assert.rejects(
      withApiServer(target(), { signal: stop.signal }, (api) => api.list(list)),
      /^Error: Can't read the Services/,
    );
  });
});

describe("a list of the API server's", () => {
  const server = useApiServer();
  const list = { what: "the Jobs", path: "/apis/batch/v1/jobs", kind: "Job" };
  const read = (request: Partial<ListRequest> = {}) =>
    withApiServer(findApiTarget(undefined), {}, (api) => api.list<object>({ ...list, ...request }));
  const page = (items: readonly object[], more = ""): Answer =>
    json({ kind: "JobList", metadata: { continue: more }, items });
  const job = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

  it("reads a list in smaller pages where one has more than 8 MiB, and leaves its rest unread", async () => {
    const asked: (string | null)[] = [];
    const noting =
      (answer: Answer): Answer =>
      (request, response) => {
        asked.push(new URL(request.url ?? "", server.url).searchParams.get("limit"));
        answer(request, response);
      };
    const large = Array.from({ length: 10 }, (_, at) => job(`j-${at}`, { annotations: { a: "x".repeat(2 ** 20) } }));
    const [some, others] = [large.slice(0, 5), large.slice(5)];
    server.answers("jobs", ...[page(large), page(some, "token"), page(others)].map(noting));
    assert.deepEqual(await read(), large);
    assert.deepEqual(asked, ["500", "62", "124"]);
  });

  it("gives a list without field managers, as what the caller keeps of each page", async () => {
    const managedFields = [{ manager: "kubectl", fieldsV1: { "f:data": {} } }];
    const pages = [page([job("a", { managedFields }), job("b")], "token"), page([job("c")])];
    server.answers("jobs", ...pages, ...pages, ...pages);
    assert.deepEqual(await read(), [job("a"), job("b"), job("c")]);
    const keep: ListRequest["keep"] = ({ metadata }) => (metadata?.name === "b" ? undefined : metadata?.name);
    assert.deepEqual(await read({ keep }), ["a", "c"]);
    const enough = () => {
      throw new RunError("enough");
    };
    await assert.rejects(read({ keep: enough }), { message: "enough" });
    assert.equal(server.asked.length, 5);
  });

  it("reads of workloads what their images are judged by, and nothing else", async () => {
    const containers = [{ name: "main", image: "evil", env: [{ name: "a", value: "b" }] }];
    const volumes = [{ name: "v", image: { reference: "evil" } }];
    const spec = { imagePullSecrets: [{}, {}], containers, volumes };
    const whole = { metadata: { name: "j", namespace: "bob", uid: "u", labels: { a: "b" } } };
    server.answers("jobs", page([{ ...whole, spec: { suspend: true, template: { metadata: {}, spec } } }]));
    server.answers("namespaces", json({ kind: "NamespaceList", items: [] }));
    server.answers("podtemplates", json({ kind: "PodTemplateList", items: [] }));
    const empty = ["CronJob", "DaemonSet", "Deployment", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"];
    for (const kind of empty) {
      server.answers(`${kind.toLowerCase()}s`, json({ kind: `${kind}List`, items: [] }));
    }
    const { workloads } = await readWorkloads(findApiTarget(undefined));
    const images = { containers: [{ name: "main", image: "evil" }], volumes };
    const kept = { metadata: { name: "j", namespace: "bob", uid: "u" }, spec: { template: { spec: images } } };
    assert.deepEqual(workloads.Job, [kept]);
  });
});
