import assert from "node:assert/strict";
import { readCluster } from "../../../cluster/read/read.ts";
import { grants, type Right, textOf } from "../../../watch/manifests/rights/rights.ts";
import { useApiServer } from "../cluster/fakeApiServer.ts";
import type { KubernetesObject } from "../everyObject.ts";
import { manifestOf, manifests, manifestsIn, previewFolder, rightsOf, unneeded } from "./manifests.ts";
import { beside, declared, kinds, pluralOf, recordReads, stackWith } from "./stacks.ts";

const inPreview = (...patterns: readonly string[]) => manifestsIn(previewFolder, ...patterns);

/** Requests of a refresh and of a change's preview. */
function asks({ apiVersion, kind, metadata }: KubernetesObject): Right {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  const namespace = kind === "Namespace" ? metadata.name : metadata.namespace;
  const place = namespace === undefined ? {} : { namespace };
  return { verb: "get", group, resource: pluralOf(kind), name: metadata.name, ...place };
}

describe("the rights in deploy/preview", () => {
  const server = useApiServer();

  for (const [what, { files, namespace, ...kind }] of Object.entries(kinds)) {
    it(`are enough for what a preview reads with ${what}, and no more`, async () => {
      const configuration = stackWith(kind);
      const read = recordReads(server);
      await readCluster(configuration.members, configuration.settings);
      const asked = [...declared(configuration).map(asks), ...read];
      const rights = rightsOf(beside(namespace, inPreview("rbac.yaml", ...files)));
      assert.ok(asked.length > 20);
      assert.deepEqual(asked.filter((ask) => !grants(rights, ask)).map(textOf), []);
      // With Gateway routes, the state has no Ingresses, but a preview still reads those of others.
      const only = what === "an ingress controller" ? rights : rightsOf(beside(namespace, inPreview(...files)));
      assert.deepEqual(unneeded(only, asked).map(textOf), []);
    });
  }

  it("let nothing be written, followed, or, but for one that says so, read of others' Secrets and ConfigMaps", () => {
    const all = rightsOf(inPreview("**/*.yaml"));
    const ofBuckets = rightsOf(inPreview("optional/buckets.yaml")).map(textOf);
    assert.deepEqual([...new Set(all.map(({ verb }) => verb))].sort(), ["get", "list"]);
    assert.deepEqual(
      all
        .filter(({ resource, name }) => ["secrets", "configmaps"].includes(resource) && name === undefined)
        .map(textOf),
      ofBuckets,
    );
    assert.deepEqual(all.filter(({ resource }) => /[*/]/.test(resource)).map(textOf), []);
  });

  it("are of one ServiceAccount, in the namespace that the watch has, too", () => {
    const everything = inPreview("**/*.yaml");
    assert.deepEqual(
      manifestOf("Namespace", "kubecamp-system", everything),
      manifestOf("Namespace", "kubecamp-system"),
    );
    const bindings = everything.filter(({ kind }) => kind.endsWith("Binding"));
    for (const { metadata, roleRef, subjects } of bindings) {
      assert.equal((roleRef as { name: string }).name, metadata.name);
      assert.deepEqual(subjects, [{ kind: "ServiceAccount", name: "kubecamp-preview", namespace: "kubecamp-system" }]);
    }
    assert.equal(bindings.length, 11);
    assert.deepEqual(
      manifests("**/*.yaml").filter(({ metadata }) => metadata.name.startsWith("kubecamp-preview")),
      [],
    );
  });
});
