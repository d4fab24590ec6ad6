import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import { bucketLabel } from "../../../../../config/names/labels.ts";
import { backendCaName, backendCaSecretName, starterPagesName } from "../../../../../config/names/names.ts";
import { policyBinding } from "../../../../../objects/admission/policies.ts";
import { repository } from "../../../../../sandbox/paths.ts";
import { fenceText } from "../../../../../watch/manifests/fence.ts";
import { rightsText } from "../../../../../watch/manifests/watchRights.ts";
import { fenceFile, watchFolder } from "../../../../unit/deploy/manifests.ts";
import { until } from "../../../program/workloads.ts";
import { customDefinition } from "../../../support/definitions/custom.ts";
import { installDefinitions } from "../../../support/definitions/definitions.ts";
import { applyFiles, applyText, deleteFiles } from "../../../support/manifestFiles.ts";
import { type DryRuns, labels } from "../dryRuns.ts";
import { images, memberTypes, ned, stackSettings, uma, type WatchStack } from "../watchStack.ts";

/** More kinds that the watch writes: custom ones, those of buckets, and admission policies. */
export function kinds(
  { stack, up, upOf, loosened, failurePolicy }: WatchStack,
  { written, role, clusterRoleWith }: DryRuns,
) {
  it("and are enough for the custom kinds in the settings", async () => {
    const definition = customDefinition("example.org", { kind: "Widget", plural: "widgets" });
    const uninstall = await installDefinitions(stack.sandbox, definition);
    const kind = "Widget.v1.example.org" as const;
    await applyText(stack.sandbox, rightsText({ ...stackSettings, objectKinds: [{ kind, isEditable: false }] }));
    const manifest = {
      apiVersion: "example.org/v1",
      kind: "Widget",
      metadata: { name: "tutor" },
      spec: { owner: "x" },
    };
    const widgets = join(stack.folder, "widgets.yaml");
    await writeFile(widgets, stringify(manifest));
    const entries = [ned, uma];
    await stack.configure(entries, {
      memberTypes,
      objectKinds: [{ apiVersion: "example.org/v1", kind: "Widget" }],
      objects: [{ file: relative(repository, widgets) }],
    });
    // An admin writes the policy `reserved`, and here all else, too.
    await stack.upFine();
    const owner = async (member: string) =>
      (await stack.sandbox.get<{ spec: { owner: string } }>("widget", "tutor", member)).spec.owner;
    // The watch has to create one, and to patch the other.
    await stack.delete("widget", "tutor", "ned");
    await stack.sandbox.patch("widget", "tutor", "uma", { spec: { owner: "y" } });
    await up("--refresh");
    assert.deepEqual([await owner("ned"), await owner("uma")], ["x", "x"]);
    await upOf(entries, "--refresh");
    assert.deepEqual(await stack.sandbox.names("widget"), []);
    await applyFiles(stack.sandbox, join(watchFolder, "rbac.yaml"));
    await uninstall();
  });

  it("before what guards members, though a custom kind that they edit is called as one of these", async () => {
    const kind = "Guard.v1.example.org:resourcequotas" as const;
    const fence = fenceText({ ...stackSettings, objectKinds: [{ kind, isEditable: true }] });
    await applyText(stack.sandbox, fence);
    const rule = (groups: readonly string[], all: readonly string[]) =>
      role("kubecamp-edit", "ned", { apiGroups: [...groups], resources: [...all], verbs: ["create"] });
    await until(async () => (await rule(["example.org"], ["resourcequotas"])) === "");
    assert.equal(await rule([""], ["pods"]), "");
    for (const [groups, all] of [
      [[""], ["resourcequotas"]],
      [
        ["", "example.org"],
        ["pods", "resourcequotas"],
      ],
      [["example.org"], ["pods"]],
      [["apps"], ["secrets"]],
    ] as const) {
      assert.match(await rule(groups, all), /but nothing that guards them/, `${groups} ${all}`);
    }
    await applyFiles(stack.sandbox, fenceFile);
  });

  it("before Secrets and ConfigMaps that are no bucket's, where members have buckets", async () => {
    const file = join(watchFolder, "optional/secrets.yaml");
    await applyFiles(stack.sandbox, file);
    const object = (kind: string, name: string, metadata: object, rest: object = {}, namespace = "ned") =>
      written({ apiVersion: "v1", kind, metadata: { name, namespace, labels, ...metadata }, ...rest });
    const bucket = { labels: { ...labels, [bucketLabel]: "data" } };
    const account = { ...bucket, annotations: { "kubernetes.io/service-account.name": "default" } };
    const token = { type: "kubernetes.io/service-account-token" };
    await until(async () => (await object("Secret", "data", bucket)) === "");
    for (const [name, metadata, namespace] of [
      [backendCaSecretName({ stack: "prod" }), {}, "ingress-nginx"],
      ["data", bucket, "ned"],
    ] as const) {
      assert.equal(await object("Secret", name, metadata, {}, namespace), "", name);
    }
    const secrets = /may write Secrets of members' buckets alone/;
    assert.match(await object("Secret", "data", {}), secrets);
    assert.match(await object("Secret", "data", account, token), secrets);
    assert.match(await object("Secret", "camp-tls", bucket, {}, "ingress-nginx"), secrets);
    assert.match(
      await object("Secret", "data", bucket, {}, "default"),
      /may not touch secrets data in namespace default/,
    );
    for (const [name, metadata] of [
      ["data", bucket],
      [starterPagesName, {}],
      [backendCaName, {}],
    ] as const) {
      assert.equal(await object("ConfigMap", name, metadata), "", name);
    }
    // It may list every Secret itself by now, and so RBAC would let it grant that.
    assert.match(
      await clusterRoleWith([{ apiGroups: [""], resources: ["secrets"], verbs: ["list"] }]),
      /may let members see no more of others than workloads/,
    );
    assert.match(await object("ConfigMap", "data", {}), /may write ConfigMaps of members' buckets, starter pages/);
    await deleteFiles(stack.sandbox, file);
  });

  it("stands before admission policies, unless the watch is to write its stack's", async () => {
    const policy = policyBinding("amounts", stackSettings);
    const judging = (name: string) => {
      const metadata = { name, labels: { "kubecamp.dev/stack": stack.name } };
      const spec = { ...policy.spec, validationActions: ["Audit"] };
      const kind = "ValidatingAdmissionPolicyBinding";
      return written({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, spec });
    };
    for (const name of ["kubecamp-watch", "mine", images]) {
      assert.match(await judging(name), /cannot patch/, name);
    }
    const file = join(watchFolder, "optional/policies.yaml");
    await applyFiles(stack.sandbox, file);
    await until(async () => (await judging(images)) === "");
    for (const name of ["kubecamp-watch", "mine"]) {
      assert.match(await judging(name), /cannot patch/, name);
    }
    await loosened();
    const { steps } = await upOf([ned, uma]);
    assert.ok(
      steps.some((step) => step.endsWith(" access/admission/images")),
      steps.join("\n"),
    );
    assert.equal(await failurePolicy(), "Fail");
    await deleteFiles(stack.sandbox, file);
  });
}
