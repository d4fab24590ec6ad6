import assert from "node:assert/strict";
import type { ManagedObject } from "../../../cluster/read/snapshot.ts";
import { ClusterAccess, leftPolicies } from "../../../components/clusterAccess.ts";
import { Drift } from "../../../plan/live/drift.ts";
import { policyObjectsOf, sharedObjects } from "../../../plan/rows/manifest.ts";
import { json, useApiServer } from "../cluster/fakeApiServer.ts";
import { compared } from "../plan/planned.ts";
import { settings } from "../samples.ts";
import { linkedBy, previewedBy } from "./recorded.ts";

const group = "admissionregistration.k8s.io";
const policy = "ValidatingAdmissionPolicy kubecamp-images-dev";
const plan = { settings, shared: sharedObjects(settings) };
const reviews = "selfsubjectaccessreviews";

/** As a run has left them, but for one that somebody has changed. */
function live(changed?: string): Map<string, ManagedObject> {
  return new Map(
    policyObjectsOf(plan).map(({ kind, args }): [string, ManagedObject] => {
      const { metadata, spec } = args as typeof args & { readonly spec: object };
      const key = `${kind} ${metadata.name}`;
      const content = { spec: key === changed ? { ...spec, failurePolicy: "Ignore" } : spec };
      const { labels, annotations = {} } = metadata;
      return [key, { labels, annotations, resourceVersion: "7", applied: undefined, content }];
    }),
  );
}

describe("admission policies that an identity may not write", () => {
  const server = useApiServer();
  const review = (allowed: boolean) => json({ status: { allowed } }, 201);
  const left = async (managedObjects: ReadonlyMap<string, ManagedObject>) => [
    ...(await leftPolicies({ plan, drift: new Drift({ managedObjects }) })),
  ];

  it("leaves unwritable admission policies as Pulumi's state has these, and no others", async () => {
    server.answers(reviews, review(false));
    const managedObjects = live(policy);
    const found = await left(managedObjects);
    assert.deepEqual(found, [policy]);
    const [{ body } = { body: "" }, ...more] = server.writes;
    assert.deepEqual(more, []);
    assert.deepEqual(JSON.parse(body).spec.resourceAttributes, {
      ...{ verb: "patch", group, resource: "validatingadmissionpolicies", name: "kubecamp-images-dev" },
    });
    const links = await linkedBy(
      () => new ClusterAccess("access", { plan, drift: new Drift({ managedObjects }), unwritten: new Set(found) }, {}),
    );
    assert.deepEqual(
      links.flatMap(({ urn, ignoreChanges }) =>
        ignoreChanges.length === 0 ? [] : [[urn.split("::").at(-1), ignoreChanges]],
      ),
      [["access/admission/images", ["metadata", "spec"]]],
    );
  });

  it("tells in a preview of unwritable admission policies that were changed by hand", async () => {
    const key = "ValidatingAdmissionPolicyBinding kubecamp-images-dev";
    const [object = assert.fail()] = plan.shared.filter(({ kind, name }) => `${kind} ${name}` === key);
    const { annotations = {} } = new Drift({ managedObjects: new Map() }).marked(
      compared("ValidatingAdmissionPolicyBinding", object.args),
    ).metadata;
    const mark = annotations["kubecamp.dev/applied"];
    const content = { spec: { ...Object(object.args).spec, validationActions: ["Warn"] } };
    const { labels } = object.args.metadata;
    const changed: ManagedObject = { labels, annotations, resourceVersion: "7", applied: mark, content };
    const drift = new Drift({ managedObjects: new Map([...live(), [key, changed]]) });
    const registered = await previewedBy(() => new ClusterAccess("access", { plan, drift }, {}));
    const shown = registered.find(({ name }) => name === "access/admission/images/binding")?.inputs;
    assert.equal(Object(shown).metadata.annotations["kubecamp.dev/applied"], mark);
    assert.ok(drift.findings.some((finding) => finding.object === key));
  });

  it("leaves no admission policy where writes are allowed, or the API server does not tell", async () => {
    server.answers(reviews, review(true), json({ message: "no" }, 403));
    for (const _ of ["may", "unknown"]) {
      assert.deepEqual(await left(live(policy)), []);
    }
    assert.deepEqual(server.asked, [reviews, reviews]);
  });

  it("asks for no right to admission policies where all are as declared, or one is to be made", async () => {
    const managedObjects = live();
    managedObjects.delete(policy);
    assert.deepEqual(await left(managedObjects), []);
    assert.deepEqual(server.asked, []);
  });
});
