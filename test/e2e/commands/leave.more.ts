import assert from "node:assert/strict";
import { execa } from "execa";
import { blocksIn } from "../../unit/docs/pages.ts";
import { everything, type LiveObject } from "../program/inventory.ts";
import { useStack } from "../program/stack.ts";
import { quotasInForce, until } from "../program/workloads.ts";

const nameOf = ({ kind, metadata: { namespace, name } }: LiveObject) => [kind, namespace, name].join("/");
const marked = /kubecamp\.dev\/|^app\.kubernetes\.io\/(managed-by|part-of|created-by)$/;

describe("docs/start/leave.md", () => {
  const stack = useStack("leave");
  let before: readonly LiveObject[] = [];
  let left: readonly LiveObject[] = [];

  /** Everything that runs have made, by its label. */
  const made = async () =>
    (await everything(stack.sandbox)).filter(({ metadata }) => metadata.labels?.["kubecamp.dev/stack"] === stack.name);

  const runsImage = (image: string) => stack.sandbox.kubectl(["run", "other", "-n", "bob", `--image=${image}`]);

  /** Applies the watch's manifests, and those of previews. */
  async function applyDeploy(): Promise<void> {
    const watch = await execa("kubecamp", ["watch", "manifests", "--stack", stack.name, "--with", "secrets"], {
      cwd: stack.folder,
      env: stack.sandbox.env,
    });
    await stack.sandbox.kubectl(["apply", "-f", "-"], { input: watch.stdout });
    await stack.sandbox.kubectl(["apply", "--recursive", "-f", "deploy/preview"]);
  }

  /** What is there of them. */
  const ofDeploy = async () =>
    (await everything(stack.sandbox)).map(nameOf).filter((name) => /(?<!\w)kubecamp-(watch|preview|system)/.test(name));

  after(async () => {
    // Without its labels, nothing else finds it.
    for (const { kind, metadata } of left.filter(({ metadata }) => metadata.namespace === undefined)) {
      await stack.delete(kind.toLowerCase(), metadata.name);
    }
  });

  it("removes kubecamp by its commands, in their order", async () => {
    await stack.configure(
      [
        { member: "ada", type: "admin" },
        { member: "bob", type: "user", starter: "once", images: ["docker.io/library/nginx"], protect: true },
        { member: "carol", type: "guest-user", suspended: true },
        { member: "dave", type: "user", userNamespaces: "required" },
      ],
      { route: { host: "camp.test", controller: "traefik", namespace: "default" } },
    );
    await stack.makeProject();
    await stack.upFine();
    await quotasInForce(stack, "bob");
    before = await made();
    await applyDeploy();
    assert.ok((await ofDeploy()).length > 15);
    assert.match((await runsImage("evil/miner")).stderr, /does not allow/);
    const scripts = blocksIn("docs/start/leave.md", "sh").map((script) => script.replaceAll("prod", stack.name));
    assert.equal(scripts.length, 4);
    for (const script of scripts) {
      const { exitCode, all } = await execa("bash", ["-euc", script], {
        cwd: stack.folder,
        env: stack.sandbox.env,
        reject: false,
        all: true,
      });
      assert.equal(exitCode, 0, `${script}\n${all}`);
    }
  });

  it("leaves every object but the policies, and nothing that marks it as kubecamp's", async () => {
    const uids = new Set(before.map(({ metadata }) => metadata.uid));
    left = (await everything(stack.sandbox)).filter(({ metadata }) => uids.has(metadata.uid));
    const kept = before.filter(({ kind }) => !/^(Validating|Mutating)AdmissionPolicy/.test(kind));
    assert.ok(before.some(({ kind }) => kind === "MutatingAdmissionPolicy"));
    assert.deepEqual(left.map(nameOf).sort(), kept.map(nameOf).sort());
    assert.deepEqual(
      left.flatMap((object) =>
        Object.keys(object.metadata.labels ?? {}).flatMap((label) =>
          marked.test(label) ? `${nameOf(object)}: ${label}` : [],
        ),
      ),
      [],
    );
  });

  it("leaves nothing of what was applied from deploy/", async () => {
    assert.deepEqual(await ofDeploy(), []);
  });

  it("leaves members their access, quota and path, and ends what policies refuse", async () => {
    assert.equal(await stack.sandbox.may("oidc:bob", "create", "deployments.apps", "bob"), true);
    assert.equal(await stack.sandbox.may("oidc:carol", "create", "deployments.apps", "carol"), false);
    const kinds = left.filter(({ metadata }) => metadata.namespace === "bob").map(({ kind }) => kind);
    for (const kind of ["ResourceQuota", "LimitRange", "NetworkPolicy", "Ingress", "Deployment"]) {
      assert.ok(kinds.includes(kind), kind);
    }
    await until(async () => (await runsImage("evil/miner")).exitCode === 0);
  });

  it("leaves Pulumi no stack, and the file of its settings", async () => {
    const { stdout } = await stack.manage("stack", "ls", "--json");
    assert.deepEqual(JSON.parse(stdout), []);
    const { exitCode } = await execa("test", ["-s", `Pulumi.${stack.name}.yaml`], { cwd: stack.folder, reject: false });
    assert.equal(exitCode, 0);
  });
});
