import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { delimiter, join, relative } from "node:path";
import { findApiTarget } from "../../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { withPinnedKubeconfig } from "../../../../../cluster/api/kubeconfig/pinnedKubeconfig.ts";
import { useFolder } from "../../../testFolder.ts";

const kubeconfig = (
  current: string,
  token = "first",
  servers = { lab: "https://lab:6443", prod: "https://prod:6443" },
) =>
  JSON.stringify({
    "current-context": current,
    contexts: Object.keys(servers).map((name) => ({ name, context: { cluster: name, user: "somebody" } })),
    clusters: Object.entries(servers).map(([name, server]) => ({
      name,
      cluster: { server, "certificate-authority": "ca.crt" },
    })),
    users: [{ name: "somebody", user: { token } }],
  });

describe("a pinned kubeconfig", () => {
  const used = useFolder({ config: kubeconfig("lab") });
  let folder = "";
  let path = "";
  beforeEach(() => {
    folder = used.path;
    path = join(folder, "config");
  });

  const serviceAccount = "/nowhere";
  const found = (env: NodeJS.ProcessEnv, context?: string) => findApiTarget(context, { env, serviceAccount });

  it("pins the cluster that was current, whatever becomes current later", async () => {
    const env: NodeJS.ProcessEnv = { KUBECONFIG: path };
    await withPinnedKubeconfig(async () => {
      const before = found(env);
      await writeFile(path, kubeconfig("prod"));
      assert.equal(found({ KUBECONFIG: path }).server, "https://prod:6443");
      assert.deepEqual(found(env), before);
      // Users are not pinned: credentials are renewed in the file.
      await writeFile(path, kubeconfig("lab", "second", { lab: "https://lab:6443", prod: "https://other:6443" }));
      const { server, user } = found(env, "prod");
      assert.deepEqual([server, user], ["https://prod:6443", { token: "second" }]);
      assert.deepEqual(before, {
        source: `the kubeconfig ${path}`,
        server: "https://lab:6443",
        cluster: { server: "https://lab:6443", "certificate-authority": join(folder, "ca.crt") },
        user: { token: "first" },
      });
    }, env);
  });

  it("pins a kubeconfig of several files, also of relative paths, and of files not there yet", async () => {
    const first = join(folder, "first");
    const paths = [first, relative(process.cwd(), path)];
    const env: NodeJS.ProcessEnv = { KUBECONFIG: paths.join(delimiter) };
    await withPinnedKubeconfig(async () => {
      await writeFile(first, kubeconfig("prod", "third"));
      assert.deepEqual(env.KUBECONFIG?.split(delimiter).slice(1), [first, path]);
      assert.deepEqual([found(env).server, found(env).user], ["https://lab:6443", { token: "third" }]);
    }, env);
  });

  it("fails where a pinned kubeconfig is gone: another cluster may be meant by then", async () => {
    const env: NodeJS.ProcessEnv = { KUBECONFIG: path };
    await withPinnedKubeconfig(async () => {
      await rm(env.KUBECONFIG?.split(delimiter)[0] ?? "");
      assert.throws(() => found(env), /Can't read the kubeconfig .*kubecamp-pinned-contexts: ENOENT/);
    }, env);
  });

  it("puts the environment back after pinning, and leaves no file, also where the work fails", async () => {
    const env: NodeJS.ProcessEnv = { HOME: folder, KUBECONFIG: path };
    let pin = "";
    const work = async () => {
      pin = env.KUBECONFIG?.split(delimiter)[0] ?? "";
      assert.ok(existsSync(pin));
      throw new Error("it failed");
    };
    await assert.rejects(withPinnedKubeconfig(work, env), /it failed/);
    const left = [env, existsSync(pin), existsSync(join(pin, ".."))];
    assert.deepEqual(left, [{ HOME: folder, KUBECONFIG: path }, false, false]);
  });

  it("pins nothing where there is no kubeconfig, as in a pod", async () => {
    const env: NodeJS.ProcessEnv = { HOME: join(folder, "nobody") };
    await withPinnedKubeconfig(async () => assert.deepEqual(env, { HOME: join(folder, "nobody") }), env);
  });
});
