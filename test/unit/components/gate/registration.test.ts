import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import { output } from "@pulumi/pulumi";
import { laterPlaces, type Registration, Registrations } from "../../../../components/gate/registration.ts";
import { registeredBy } from "../recorded.ts";

describe("what the policy gate reads of a registration", () => {
  const read = async (opts: object): Promise<Registration | undefined> => {
    const registrations = new Registrations();
    const read: Registration[] = [];
    await registeredBy(() => {
      const first = new k8s.core.v1.Namespace(
        "first",
        {},
        { transformations: [(args) => void registrations.read(args)] },
      );
      const metadata = { name: "quota", namespace: first.metadata.name, labels: { plain: "yes", late: output("no") } };
      const spec = { hard: Promise.resolve({ pods: "5" }), scopes: ["NotTerminating", output("x")] };
      const transformations = [
        (args: Parameters<Registrations["read"]>[0]) => void read.push(registrations.read(args)),
      ];
      const all = { dependsOn: [first], ...opts, transformations };
      new k8s.core.v1.ResourceQuota("second", { metadata, spec }, all);
    });
    return read[0];
  };

  it("has plain values as they are, and a mark for whatever is yet to come", async () => {
    const registration = await read({ ignoreChanges: ["spec"] });
    assert.deepEqual(laterPlaces(registration?.args), [
      "metadata.namespace",
      "metadata.labels.late",
      "spec.hard",
      "spec.scopes[1]",
    ]);
    assert.deepEqual(registration?.ignored, ["spec"]);
    assert.equal(Object(registration?.args.metadata).labels.plain, "yes");
  });

  it("has what it comes after, if that is said outright", async () => {
    assert.deepEqual((await read({}))?.after, new Set(["kubernetes:core/v1:Namespace first"]));
    assert.deepEqual((await read({ dependsOn: undefined }))?.after, new Set());
    assert.equal((await read({ dependsOn: Promise.resolve([]) }))?.after, undefined);
    assert.equal((await read({ dependsOn: [output([])] }))?.after, undefined);
  });
});
