import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import type { TestStack } from "./stack.ts";

/** A changed copy of the sandbox's kubeconfig at another path. */
export async function otherKubeconfig(
  stack: TestStack,
  change: { server?: string; token?: string } = {},
): Promise<string> {
  const config = new KubeConfig();
  config.loadFromFile(stack.sandbox.kubeconfig);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  assert.ok(cluster && user);
  const name = "somebody";
  config.loadFromOptions({
    clusters: [{ ...cluster, name: "sandbox", server: change.server ?? cluster.server }],
    users: [change.token === undefined ? { ...user, name } : { name, token: change.token }],
    contexts: [{ name: "elsewhere", cluster: "sandbox", user: name }],
    currentContext: "elsewhere",
  });
  const path = join(await mkdtemp(join(stack.folder, "kubeconfig-")), "config");
  await writeFile(path, config.exportConfig(), { mode: 0o600 });
  return path;
}

/** A token of a new ServiceAccount that may only list these kinds, such as `ingresses.networking.k8s.io`. */
export async function tokenListing(stack: TestStack, name: string, kinds: readonly string[]): Promise<string> {
  const account = `--serviceaccount=default:${name}`;
  await stack.kubectl("create", "serviceaccount", name, "-n", "default");
  await stack.kubectl("create", "clusterrole", name, "--verb=list", `--resource=${kinds.join(",")}`);
  await stack.kubectl("create", "clusterrolebinding", name, `--clusterrole=${name}`, account);
  return await stack.sandbox.token(name, "default");
}
