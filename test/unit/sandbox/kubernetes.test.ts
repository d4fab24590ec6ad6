import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { Problem } from "../../../commands/common/problem.ts";
import { kubernetesFor } from "../../../sandbox/actions.ts";
import { clusterVersion } from "../../../sandbox/cluster/cluster.ts";
import { addSandboxCommand } from "../../../sandbox/command.ts";
import { kubernetesMinors } from "../../../sandbox/kubernetes.ts";
import { sandboxNamed } from "../../../sandbox/sandbox.ts";
import { cachedTool } from "../../../sandbox/tools/cache.ts";
import { toolsOf } from "../../../sandbox/tools/catalogue.ts";
import { useFolder } from "../testFolder.ts";

describe("a sandbox's Kubernetes", () => {
  const folder = useFolder();
  const sandbox = sandboxNamed("try");

  it("is the one asked for, the cluster's, or else 1.36", () => {
    assert.deepEqual(
      [
        kubernetesFor(sandbox, undefined, undefined),
        kubernetesFor(sandbox, "1.37", undefined),
        kubernetesFor(sandbox, undefined, "1.37.1"),
        kubernetesFor(sandbox, "1.37", "1.37.1"),
        // Of a later or earlier kubecamp.
        kubernetesFor(sandbox, undefined, "1.29.0"),
      ],
      ["1.36", "1.37", "1.37", "1.37", "1.36"],
    );
  });

  it("does not change under a cluster", () => {
    assert.throws(
      () => kubernetesFor(sandbox, "1.37", "1.36.3"),
      (error: unknown) => {
        assert.ok(error instanceof Problem);
        const { message, why, remedy } = error;
        assert.deepEqual(
          { message, why, remedy },
          {
            message: "The sandbox 'try' has Kubernetes 1.36.3, not 1.37.",
            why: "A cluster keeps the version with which it was made.",
            remedy:
              "Set KUBECAMP_SANDBOX to another name for a sandbox beside it. Or run 'KUBECAMP_SANDBOX=try kubecamp sandbox " +
              "down', which removes all that is in it, and then the same command again.",
          },
        );
        return true;
      },
    );
  });

  it("is refused with the versions that there are", async () => {
    const errors: string[] = [];
    const program = new Command();
    addSandboxCommand(program, { description: "", up: "", bringUp: () => assert.fail("it has started") });
    for (const command of program.commands.flatMap(({ commands }) => commands)) {
      command.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
    }
    await assert.rejects(program.parseAsync(["node", "kubecamp", "sandbox", "up", "--kubernetes", "1.38"]));
    assert.deepEqual(errors, [
      "error: option '--kubernetes <version>' argument '1.38' is invalid. Allowed choices are 1.36, 1.37.\n",
    ]);
  });

  it("is what kwokctl found in the API server's program, once the cluster is complete", async () => {
    const cluster = { name: "c", folder: folder.path };
    await mkdir(join(folder.path, "clusters/c"), { recursive: true });
    await writeFile(
      join(folder.path, "clusters/c/kwok.yaml"),
      `kind: KwokctlConfiguration
options: { kubeVersion: v1.36.1 }
components:
  - { name: etcd, version: 3.7.0 }
  - { name: kube-apiserver, version: 1.37.2 }
---
kind: Stage
`,
    );
    assert.equal(await clusterVersion(cluster), undefined);
    await writeFile(join(folder.path, "complete"), "");
    assert.equal(await clusterVersion(cluster), "1.37.2");
  });

  it("has programs of its own beside those of other versions, and shares the rest", () => {
    const [paths, others] = kubernetesMinors.map((minor) => toolsOf(minor).map((tool) => cachedTool(tool)));
    const control = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "etcd"];
    assert.deepEqual(
      toolsOf("1.37").flatMap(({ name }, index) => (paths?.[index] === others?.[index] ? [] : [name])),
      control,
    );
  });
});
