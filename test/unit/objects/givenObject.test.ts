import assert from "node:assert/strict";
import { resourceOf } from "../../../cluster/kinds/kinds.ts";
import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import { stackKinds } from "../../../cluster/kinds/stackKinds.ts";
import { fileKindNames, givenKindNames, givenKinds } from "../../../config/objects/givenKinds.ts";
import { namespace } from "../../../objects/namespace.ts";
import { figures, resourceQuota } from "../../../objects/resourceQuota.ts";
import { serviceAccount } from "../../../objects/serviceAccount.ts";
import { type TakenObjects, withoutTaken } from "../../../plan/decisions/givenObjects.ts";
import { memberObjects } from "../../../plan/rows/manifest.ts";
import { configurationOf, given } from "../deploy/stacks.ts";

const amountOf = (quantity = "") => quantityValue(quantity) ?? Number.NaN;

describe("an object that a member is given", () => {
  const { settings, members } = configurationOf(given);
  const member = members.find(({ name }) => name === "active-user") ?? assert.fail();

  it("gives objects of the kind's version and resource in the registry of kinds", () => {
    for (const kind of givenKindNames) {
      assert.equal(givenKinds[kind].apiVersion, stackKinds[kind].apiVersion);
      assert.equal(givenKinds[kind].resource, resourceOf(kind));
    }
  });

  it("gives a copy with its source's version, and leaves it where that was not read", () => {
    const read = {
      resourceVersion: "7",
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": "e30=" },
    };
    const copies = new Map([["Secret platform/registry", read]]);
    const secretOf = (takenObjects: TakenObjects) =>
      memberObjects({ member, settings, takenObjects }).base.find(({ part }) => part === "object/secret/registry") ??
      assert.fail();
    const copy = secretOf({ names: [], copies });
    assert.equal(copy.marked, "metadata");
    assert.partialDeepStrictEqual(copy.args, {
      metadata: { name: "registry", annotations: { "kubecamp.dev/copied": "platform/registry@7" } },
      type: read.type,
      data: read.data,
    });
    const unread = secretOf({ names: [] });
    assert.deepEqual(unread.ignored, ["metadata", "type", "data", "binaryData"]);
    assert.deepEqual(unread.args, { metadata: { name: "registry", namespace: "active-user" } });
  });

  it("pulls images by a copy if so set, and not where the member's own object has the name", () => {
    const pulling = (objects = member.objects ?? []) =>
      serviceAccount({ ...member, objects: objects.map((each) => ({ ...each, isPullSecret: true })) }, settings);
    const secrets = (member.objects ?? []).filter(({ kind }) => kind === "Secret");
    assert.deepEqual(pulling(secrets).imagePullSecrets, [{ name: "registry" }]);
    assert.equal("imagePullSecrets" in serviceAccount(member, settings), false);
    const left = withoutTaken({ ...member, objects: secrets }, { names: ["Secret/registry"] });
    assert.equal("imagePullSecrets" in serviceAccount(left, settings), false);
  });

  it("names a given object on the namespace, and takes no room from the member's own", () => {
    assert.equal(
      namespace(member, settings).metadata.annotations["kubecamp.dev/objects"],
      [...fileKindNames.map((kind) => `${givenKinds[kind].resource}/tutor-active-user`), "secrets/registry"].join(","),
    );
    const own = figures(member.limits);
    const { hard } = resourceQuota(member, settings).spec;
    const more = Object.keys(own).filter((key) => hard[key] !== own[key]);
    assert.deepEqual(
      more.map((key) => [key, amountOf(hard[key]) - amountOf(own[key])]),
      [
        ["count/configmaps", 1],
        ["count/controllerrevisions.apps", 20],
        ["count/cronjobs.batch", 1],
        ["count/daemonsets.apps", 1],
        ["count/deployments.apps", 1],
        ["count/jobs.batch", 10],
        ["count/replicasets.apps", 10],
        ["count/secrets", 1],
        ["count/services", 1],
        ["count/statefulsets.apps", 1],
      ],
    );
  });
});
