import assert from "node:assert/strict";
import type { KubernetesObject } from "@kubernetes/client-node";
import type { ListRequest } from "../../../../cluster/api/requests.ts";
import type { Concerned } from "../../../../cluster/kinds/selections.ts";
import type { StackKind } from "../../../../cluster/kinds/stackKinds.ts";
import { stackObjects } from "../../../../cluster/read/stackObjects.ts";
import { watchedKinds } from "../../../../watch/live/watchedKinds.ts";
import { configurationOf, given } from "../../deploy/stacks.ts";

const label = "kubecamp.dev/object";
const labelled = "labelSelector=kubecamp.dev%2Fobject";

describe("what is read of objects that members are given", () => {
  const stack = configurationOf(given);
  const kinds: readonly StackKind[] = ["ConfigMap", "CronJob", "Deployment", "Secret"];

  async function reads(of: Concerned, found: readonly KubernetesObject[] = []) {
    const asked: string[] = [];
    const server = {
      list: async <T>({ path, metadataOnly = false, keep = (item) => item }: ListRequest) => {
        asked.push(metadataOnly ? `${path} metadata` : path);
        const listed = found.filter(({ metadata }) => !path.includes(labelled) || label in (metadata?.labels ?? {}));
        return listed.flatMap((item) => keep(item) ?? []) as T[];
      },
    };
    const objects = await Promise.all(kinds.map((kind) => stackObjects(kind, of, server)));
    return { asked, objects };
  }

  it("reads the content of labelled given objects, others' metadata, and Secrets by copied name", async () => {
    assert.deepEqual((await reads(stack)).asked, [
      "/api/v1/configmaps metadata",
      `/api/v1/configmaps?${labelled}`,
      "/apis/batch/v1/cronjobs metadata",
      `/apis/batch/v1/cronjobs?${labelled}`,
      "/apis/apps/v1/deployments metadata",
      `/apis/apps/v1/deployments?${labelled}`,
      "/api/v1/secrets?fieldSelector=metadata.name%3Dregistry metadata",
    ]);
  });

  it("reads each given object once: with the label at home, or a name that a member is given", async () => {
    const named = (name: string, namespace: string, labels = {}) => ({ metadata: { name, namespace, labels } });
    const own = named("former", "active-user", { [label]: "true" });
    const given = named("tutor-active-user", "active-user", { [label]: "true" });
    const inTheWay = named("tutor-active-admin", "active-admin");
    const strange = [named("former", "active-user"), named("x", "elsewhere", { [label]: "true" })];
    const { objects } = await reads(stack, [own, given, inTheWay, ...strange]);
    assert.deepEqual(objects[0], [inTheWay, own, given]);
  });

  it("lets the watch follow what a run reads of given objects", () => {
    const ofKind = watchedKinds(stack).filter(({ kind }) => ["Deployment", "Secret"].includes(kind));
    assert.deepEqual(
      ofKind.map(({ path, labelSelector, fieldSelector, metadataOnly }) => [
        ...[path, labelSelector, fieldSelector, metadataOnly],
      ]),
      [
        ["/apis/apps/v1/deployments", undefined, undefined, true],
        ["/apis/apps/v1/deployments", label, undefined, undefined],
        ["/api/v1/secrets", undefined, "metadata.name=registry", true],
      ],
    );
  });
});
