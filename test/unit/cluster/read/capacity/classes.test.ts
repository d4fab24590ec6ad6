import assert from "node:assert/strict";
import { readCluster } from "../../../../../cluster/read/read.ts";
import { configuration } from "../../../samples.ts";
import { json, metadataList, useApiServer } from "../../fakeApiServer.ts";

const lab = { storage: { fast: "20Gi" }, runtimeClasses: { allowed: ["gvisor"], default: "gvisor" } };
const of = (type: object) => configuration({ members: [], memberTypes: { lab: type } }).settings;
const list = (...names: string[]) => json(metadataList(...names.map((name) => ({ metadata: { name } }))));
const asked = ["mutatingadmissionpolicies", "runtimeclasses", "storageclasses"];

describe("reading what types name of the cluster", () => {
  const server = useApiServer();
  const resources = (...names: string[]) =>
    server.answers("v1", json({ kind: "APIResourceList", resources: names.map((name) => ({ name })) }));
  const askedFor = () => server.asked.filter((kind) => kind === "v1" || asked.includes(kind)).sort();

  it("asks the cluster for no class where no type names any", async () => {
    const { classes, mutates } = await readCluster([], of({}));
    assert.deepEqual([classes, mutates, askedFor()], [undefined, undefined, []]);
  });

  it("asks the cluster for the kinds of classes that a setting names", async () => {
    server.answers("storageclasses", list("fast", "slow"));
    const { classes, mutates } = await readCluster([], of({ storage: lab.storage }));
    assert.deepEqual([classes, mutates], [{ StorageClass: new Set(["fast", "slow"]) }, undefined]);
    assert.deepEqual(askedFor(), ["storageclasses"]);
  });

  it("asks whether the API server fills in pods' fields, and for the policy if so", async () => {
    server.answers("storageclasses", list("fast"), list("fast"));
    server.answers("runtimeclasses", list("gvisor"), list("gvisor"));
    for (const kind of ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"]) {
      server.answers(`${kind.toLowerCase().replace(/y$/, "ie")}s`, json({ kind: `${kind}List`, items: [] }));
    }
    resources("validatingadmissionpolicies");
    assert.equal((await readCluster([], of(lab))).mutates, false);
    assert.deepEqual(askedFor(), ["runtimeclasses", "storageclasses", "v1"]);
    resources("validatingadmissionpolicies", "mutatingadmissionpolicies");
    const { classes, mutates } = await readCluster([], of(lab));
    assert.equal(mutates, true);
    assert.deepEqual(classes, { RuntimeClass: new Set(["gvisor"]), StorageClass: new Set(["fast"]) });
    assert.ok(askedFor().includes("mutatingadmissionpolicies"));
  });

  it("lets a preview go on without classes that may not be listed, and stops an up", async () => {
    const forbidden = json({ message: "storageclasses is forbidden" }, 403);
    server.answers("storageclasses", forbidden, forbidden);
    const settings = of({ storage: lab.storage });
    const { classes, unread } = await readCluster([], settings, {}, { run: "preview" });
    assert.deepEqual(classes, {});
    assert.deepEqual([...(unread?.kinds.keys() ?? [])], ["StorageClass"]);
    await assert.rejects(readCluster([], settings), /Can't read the StorageClasses/);
  });
});
