import assert from "node:assert/strict";
import { readCluster } from "../../../../../cluster/read/read.ts";
import { configuration } from "../../../samples.ts";
import { json, useApiServer } from "../../fakeApiServer.ts";

const of = (type: object) => configuration({ members: [], memberTypes: { lab: type } }).settings;
const devices = { "nvidia.com/gpu": 1 };
const pool = { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated" }] };

describe("reading nodes and devices", () => {
  const server = useApiServer();
  const nodes = json({
    kind: "NodeList",
    items: [
      {
        metadata: { name: "a", labels: { pool: "gpu" } },
        spec: { taints: [{ key: "dedicated", effect: "NoSchedule" }] },
        status: { allocatable: { cpu: "4", "nvidia.com/gpu": "8", "amd.com/gpu": "0" } },
      },
      { metadata: { name: "b" }, spec: {} },
    ],
  });
  const read = [
    {
      name: "a",
      labels: { pool: "gpu" },
      taints: [{ key: "dedicated", value: "", effect: "NoSchedule" }],
      devices: ["nvidia.com/gpu"],
    },
    { name: "b", labels: {}, taints: [], devices: [] },
  ];
  const discovery = (...names: string[]) =>
    server.answers(
      "v1",
      ...[1, 2].map(() => json({ kind: "APIResourceList", resources: names.map((name) => ({ name })) })),
    );
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
    const spec = { extendedResourceName: "nvidia.com/gpu" };
    const items = [
      { metadata: { name: "gpu.nvidia.com" }, spec },
      { metadata: { name: "tpu" }, spec: {} },
    ];
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
      const { hardware, unread } = await readCluster([], of({ devices }), {}, run);
      const found = [hardware?.nodes, [...(hardware?.refused.keys() ?? [])], unread];
      assert.deepEqual(found, [undefined, ["Node"], undefined]);
    }
  });
});
