import assert from "node:assert/strict";
import type { ApiServer } from "../../../../cluster/api/client.ts";
import { isLeft, removeStage, stageOn } from "../../../../verify/stage/leftovers.ts";

const stack = "dev";
const now = new Date("2026-11-30T12:00:00Z");
const before = "2026-11-30T11:59:59Z";

interface Marks {
  readonly until?: string;
  readonly outside?: string;
  readonly deletionTimestamp?: string;
}

const namespace = (name: string, { until, outside, ...more }: Marks) => ({
  metadata: {
    name,
    annotations: {
      ...(until === undefined ? {} : { "kubecamp.dev/verify-until": until }),
      ...(outside === undefined ? {} : { "kubecamp.dev/verify-outside": outside }),
    },
    ...more,
  },
});

const foundIn = (...items: readonly object[]) =>
  stageOn({ list: () => Promise.resolve(items) } as unknown as ApiServer, { stack });

/** Removes all of them. @param labels of each object that is there, by the end of its path */
async function remove(items: readonly object[], labels: Readonly<Record<string, object>>) {
  const written: string[] = [];
  const api = {
    get: ({ path }: { path: string }) => {
      const [last = ""] = path.split("/").slice(-1);
      return Promise.resolve(
        last in labels ? { metadata: { uid: `uid of ${last}`, labels: labels[last] } } : undefined,
      );
    },
    write: ({ method, path, body }: { method: string; path: string; body: { preconditions: { uid: string } } }) => {
      written.push(`${method} ${path} (${body.preconditions.uid})`);
      return Promise.resolve("");
    },
  } as unknown as ApiServer;
  return { refused: await removeStage(await foundIn(...items), { stack }, api), written };
}

const ours = { "kubecamp.dev/verify": stack };

describe("what a verification has left", () => {
  it("is what nobody has renewed", async () => {
    const found = await foundIn(
      namespace("over", { until: before }),
      namespace("now", { until: now.toISOString() }),
      namespace("used", { until: "2026-11-30T12:00:01Z" }),
    );
    assert.deepEqual(
      found.filter((each) => isLeft(each, now)).map(({ name }) => name),
      ["over", "now"],
    );
  });

  it("is no namespace that has the label, and does not say until when it is in use", async () => {
    assert.deepEqual(await foundIn(namespace("copied", {}), namespace("edited", { until: "tomorrow" })), []);
  });

  it("is removed by its identity, what is elsewhere first, and not a second time", async () => {
    const { refused, written } = await remove(
      [
        namespace("left", { until: before, outside: "ClusterRoleBinding a\nIngress web/b" }),
        namespace("going", { until: before, outside: "ClusterRoleBinding c", deletionTimestamp: before }),
      ],
      { left: ours, going: ours, a: ours, b: ours, c: ours },
    );
    assert.deepEqual(refused, []);
    const rbac = "DELETE /apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    assert.deepEqual(written, [
      `${rbac}/a (uid of a)`,
      "DELETE /apis/networking.k8s.io/v1/namespaces/web/ingresses/b (uid of b)",
      `${rbac}/c (uid of c)`,
      "DELETE /api/v1/namespaces/left (uid of left)",
    ]);
  });

  it("is nothing without the label, whatever the annotation names", async () => {
    const named = ["cluster-admin", "theirs", "gone"].map((name) => `ClusterRoleBinding ${name}`).join("\n");
    const { refused, written } = await remove([namespace("relabelled", { until: before, outside: named })], {
      relabelled: {},
      "cluster-admin": { "kubernetes.io/bootstrapping": "rbac-defaults" },
      theirs: { "kubecamp.dev/verify": "another" },
    });
    assert.deepEqual([refused, written], [[], []]);
  });

  it("is reported, and hinders nothing else, if its name can't be read", async () => {
    const { refused, written } = await remove([namespace("left", { until: before, outside: "?\nNonsense x" })], {
      left: ours,
    });
    assert.equal(refused.length, 2);
    assert.deepEqual(written, ["DELETE /api/v1/namespaces/left (uid of left)"]);
  });
});
