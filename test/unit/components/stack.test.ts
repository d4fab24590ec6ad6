import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { registerStack } from "../../../components/stack.ts";
import { planFrom, runFor } from "../../../plan/decide/run.ts";
import { targetAll } from "../../../plan/decisions/target.ts";
import { json, useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../cluster/leaving.ts";
import { member, settings } from "../samples.ts";
import { registeredBy } from "./recorded.ts";

describe("a run's resources", () => {
  const server = useApiServer();
  const ann = member({ member: "ann", type: "user", images: ["*"], route: false });
  const subject = { kind: "User", name: "oidc:bob", apiGroup: "rbac.authorization.k8s.io" };
  const owners = [{ apiVersion: "v1", kind: "ConfigMap", name: "theirs", uid: "5" }];
  const limits = { kind: "LimitRange", name: "default-limits", namespace: "ann", uid: "6", owners } as const;
  const snapshot = cluster({
    namespaces: new Map(["ann", "bob"].map((name) => [name, owned(name)])),
    managedObjects: new Map([["RoleBinding bob/kubecamp-edit", managedObject("bob", { subjects: [subject] })]]),
    owned: new Map([["LimitRange ann/default-limits", limits]]),
  });
  const plan = planFrom({ members: [ann], settings }, snapshot, undefined, new Date());
  const run = runFor(plan, targetAll(plan.list), undefined);

  it("makes a run's resources wait for access to end, not for a stuck owner reference", async () => {
    const done: string[] = [];
    server.answers("kubecamp-edit", async (...asked) => {
      await setTimeout(50);
      done.push("access ended");
      json({})(...asked);
    });
    server.answers("default-limits", (...asked) => {
      done.push("owner kept");
      json({ message: "not this one" }, 403)(...asked);
    });
    const names = (await registeredBy(() => registerStack(run))).map(({ name }) => name);
    assert.deepEqual(done, ["access ended", "owner kept"]);
    assert.ok(names.includes("ann/limits"), names.join());
  });
});
