import assert from "node:assert/strict";
import { kinds, resourceOf } from "../../../cluster/kinds/kinds.ts";
import { readCluster } from "../../../cluster/read/read.ts";
import { reportOf } from "../../../commands/report/build.ts";
import { membersSource, parseSources, stackSource } from "../../../config/sources/sources.ts";
import { runWarnings } from "../../../plan/findings/warnings.ts";
import { obstacles } from "../../../plan/membership/ownership.ts";
import { planStack } from "../../../plan/plan.ts";
import { findings } from "../../../watch/live/findings.ts";
import { FakeApiServer, json, kubeSystem } from "../../unit/cluster/fakeApiServer.ts";
import { preview, urn } from "../../unit/commands/report/previews.ts";
import { plannedBy } from "../../unit/plan/planned.ts";
import { configuration, settings, today } from "../../unit/samples.ts";
import { LiveStack } from "../../unit/watch/live/liveStack.ts";

/** Prepares this many members, and returns the work to count. */
type Task = (members: number) => Promise<() => unknown>;

const listOf = (count: number, differs: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    member: `m-${index}`,
    type: ["admin", "user", "guest-user"][index % 3],
    subject: `m-${index}@example.org`,
    ...differs,
  }));

const parsing = (list: readonly object[]) => {
  const file = "config: { kubecamp:route: { host: camp.test }, kubecamp:membersFile: m }";
  const stack = stackSource("Pulumi.dev.yaml", file);
  const members = membersSource("m", JSON.stringify(list));
  return () => parseSources("dev", { stack, members }, today);
};

const controllers = { metadata: { name: settings.route.namespace, uid: "5678", labels: {} } };

export const tasks = {
  "read and check their list": async (count) => parsing(listOf(count)),
  "tell a mistake in each of them": async (count) => parsing(listOf(count, { maxCPUm: 50 })),
  "see what is not as it should be": async (count) => {
    const stack = new LiveStack(configuration({ members: listOf(count) }));
    const snapshot = stack.snapshot();
    return () => findings(plannedBy(stack.configuration, snapshot));
  },
  "read the cluster, and say what is to be said": async (count) => {
    const { members } = configuration({ members: listOf(count) });
    const objects = [...new LiveStack({ settings, members }).objects];
    const server = new FakeApiServer();
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const own = objects.flatMap(([key, object]) => (key.startsWith(`${kind} `) ? [object] : []));
      const items = kind === "Namespace" ? [kubeSystem, controllers, ...own] : own;
      server.answers(resourceOf(kind), json({ kind: `${kind}List`, items }));
    }
    await server.start();
    process.env.KUBECONFIG = await server.kubeconfig();
    return async () => {
      const snapshot = await readCluster(members, settings);
      const plan = planStack(members, settings, snapshot);
      assert.deepEqual(obstacles(plan), []);
      const target = { members, isWhole: true, removedMembers: [], waits: true };
      runWarnings(plan, target, { adoption: [], known: new Map() });
      await server.stop();
    };
  },
  "report what a preview says": async (count) => {
    const parts = [
      ["core/v1:Namespace", "namespace", { metadata: { labels: { a: "b" } } }],
      ["core/v1:ResourceQuota", "quota", { spec: { hard: { "limits.cpu": "500m", pods: "10" } } }],
      ["rbac.authorization.k8s.io/v1:RoleBinding", "edit-binding", { subjects: [{ kind: "User", name: "x" }] }],
    ] as const;
    const steps = listOf(count).flatMap(({ member }, index) =>
      parts.map(([type, part, inputs]) => ({
        op: ["create", "delete", "update"][index % 3] ?? "",
        urn: urn(`kubernetes:${type}`, `${member}/${part}`),
        ...(index % 3 === 0 ? {} : { oldState: { inputs: { ...inputs, was: "otherwise" } } }),
        ...(index % 3 === 1 ? {} : { newState: { inputs } }),
      })),
    );
    const digest = preview(steps);
    return () => reportOf(digest);
  },
} satisfies Record<string, Task>;
