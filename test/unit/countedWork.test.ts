import assert from "node:assert/strict";
import { Drift } from "../../cluster/drift.ts";
import { kinds, resourceOf } from "../../cluster/kinds.ts";
import { obstacles } from "../../cluster/ownership.ts";
import { readCluster } from "../../cluster/read.ts";
import { reportOf } from "../../commands/report/build.ts";
import { runWarnings } from "../../components/warnings.ts";
import { membersSource, parseSources, stackSource } from "../../config/sources.ts";
import { findings } from "../../watch/live/findings.ts";
import { json, kubeSystem, useApiServer } from "./cluster/fakeApiServer.ts";
import { preview, urn } from "./commands/report/previews.ts";
import { findingsIn, recorded } from "./components/gate/registrations.ts";
import { workOf } from "./countedWork.ts";
import { configuration, settings, today } from "./samples.ts";
import { LiveStack } from "./watch/live/liveStack.ts";

const listOf = (count: number, differs: (index: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    member: `m-${index}`,
    type: ["admin", "user", "guest-user"][index % 3],
    subject: `m-${index}@example.org`,
    ...differs(index),
  }));

const controllers = { metadata: { name: settings.route.namespace, uid: "5678", labels: {} } };

/** What sorting takes grows a little faster than what is sorted: at ten times as many, by a third more. */
const tenfold = 10 * 1.34;

describe("what the program does for ten times as many members is ten times as much", function () {
  this.timeout(120_000);
  const server = useApiServer();

  const grows = async (few: number, work: (count: number) => Promise<number>) => {
    // What is done once in a process, such as making a schema, is done before it is counted.
    await work(few);
    const [less, more] = [await work(few), await work(10 * few)];
    assert.ok(less > few, `counted ${less} for ${few} members`);
    assert.ok(more / less < tenfold, `${less} for ${few} members, ${more} for ${10 * few}`);
  };

  it("to read and check their list", async () => {
    const stack = stackSource(
      "Pulumi.dev.yaml",
      "config: { kubecamp:route: { host: camp.test }, kubecamp:membersFile: m }",
    );
    const work = (list: readonly object[]) => {
      const members = membersSource("m", JSON.stringify(list));
      return workOf(() => parseSources("dev", { stack, members }, today));
    };
    await grows(1000, (count) => work(listOf(count)));
    // With a mistake in each.
    await grows(100, (count) => work(listOf(count, () => ({ maxCPUm: 50 }))));
  });

  it("to see what is not as it should be", async () => {
    await grows(100, (count) => {
      const stack = new LiveStack(configuration({ members: listOf(count) }));
      const snapshot = stack.snapshot();
      return workOf(() => findings(stack.configuration, snapshot));
    });
  });

  it("to read the cluster, and to say what is to be said", async () => {
    await grows(50, async (count) => {
      const { members } = configuration({ members: listOf(count) });
      const { objects } = new LiveStack({ settings, members });
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
        const items = [...objects].flatMap(([key, object]) => (key.startsWith(`${kind} `) ? [object] : []));
        server.answers(
          resourceOf(kind),
          json({ kind: `${kind}List`, items: kind === "Namespace" ? [kubeSystem, controllers, ...items] : items }),
        );
      }
      const aim = { members, isWhole: true, waits: true };
      const adoption = { takenOver: new Set<string>(), warnings: [] };
      return await workOf(async () => {
        const snapshot = await readCluster(members, settings);
        assert.deepEqual(obstacles(members, settings, snapshot), []);
        runWarnings(members, aim, { settings, snapshot, adoption, drift: new Drift(snapshot) });
      });
    });
  });

  it("to report what a preview says", async () => {
    await grows(100, (count) => {
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
      return workOf(() => reportOf(digest));
    });
  });

  it("to hold what it registers against what nothing may break", async () => {
    await grows(10, async (count) => {
      const stack = await recorded({ members: listOf(count) });
      return await workOf(() => assert.deepEqual(findingsIn(stack), []));
    });
  });
});
