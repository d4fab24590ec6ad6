import assert from "node:assert/strict";
import { readCluster } from "../../../../cluster/read/read.ts";
import { configuration } from "../../samples.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

const of = (type: object) => configuration({ members: [], memberTypes: { lab: type } }).settings;
const devices = { "nvidia.com/gpu": 1 };
const pool = { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated" }] };

describe("reading nodes and devices", () => {
  const server = useApiServer();
  const [labels, taint] = [{ pool: "gpu" }, { key: "dedicated", effect: "NoSchedule" }];
  const a = {
    metadata: { name: "a", labels },
    spec: { taints: [taint] },
    status: { allocatable: { cpu: "4", "nvidia.com/gpu": "8", "amd.com/gpu": "0" } },
  };
  const nodes = json({ kind: "NodeList", items: [a, { metadata: { name: "b" }, spec: {} }] });
  const read = [
    { name: "a", labels, taints: [{ ...taint, value: "" }], devices: ["nvidia.com/gpu"] },
    { name: "b", labels: {}, taints: [], devices: [] },
  ];
  const discovery = (...names: string[]) => {
    const answer = json({ kind: "APIResourceList", resources: names.map((name) => ({ name })) });
    server.answers("v1", answer, answer);
  };
  const asked = () => server.asked.filter((kind) => ["nodes", "deviceclasses"].includes(kind));

  it("reads nodes and devices where a setting names some", async () => {
    assert.equal((await readCluster([], of({}))).hardware, undefined);
    assert.deepEqual(asked(), []);
    server.answers("nodes", nodes);
    discovery();
    assert.deepEqual((await readCluster([], of({ pool }))).hardware, { nodes: read, refused: new Map() });
    assert.deepEqual(asked(), ["nodes"]);
  });

  it("reads DeviceClasses where the API server has that kind", async () => {
    server.answers("nodes", nodes, nodes);
    discovery();
    const without = (await readCluster([], of({ devices }))).hardware;
    assert.deepEqual(without, { nodes: read, deviceClasses: [], refused: new Map() });
    discovery("deviceclasses");
    const gpu = { metadata: { name: "gpu.nvidia.com" }, spec: { extendedResourceName: "nvidia.com/gpu" } };
    const items = [gpu, { metadata: { name: "tpu" }, spec: {} }];
    server.answers("deviceclasses", json({ kind: "DeviceClassList", items }));
    assert.deepEqual((await readCluster([], of({ devices }))).hardware?.deviceClasses, [
      { name: "gpu.nvidia.com", extendedResource: "nvidia.com/gpu" },
      { name: "tpu", extendedResource: undefined },
    ]);
  });

  it("stops no run that may not list nodes and devices", async () => {
    const forbidden = json({ message: "nodes is forbidden" }, 403);
    for (const run of ["up", "preview"] as const) {
      server.answers("nodes", forbidden);
      discovery();
      const { hardware, unread } = await readCluster([], of({ devices }), {}, { run });
      const found = [hardware?.nodes, [...(hardware?.refused.keys() ?? [])], unread];
      assert.deepEqual(found, [undefined, ["Node"], undefined]);
    }
  });
});
