import { execa } from "execa";
import { findGo } from "../../../../scaffold/sandbox/tools/go.ts";
import type { TestSandbox } from "../sandbox.ts";

/**
 * The folder of a module's files in Go's module cache, which the sandbox's tools come from, too.
 * @param release such as `sigs.k8s.io/gateway-api@v1.6.3`
 * @see https://go.dev/ref/mod#go-mod-download
 */
export async function moduleFolder(release: string): Promise<string> {
  const { env } = await findGo(process.env);
  const { stdout } = await execa("go", ["mod", "download", "-json", release], { env, extendEnv: false });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** Installs CustomResourceDefinitions. @returns a function that removes them with all their objects */
export async function installDefinitions(sandbox: TestSandbox, input: string): Promise<() => Promise<void>> {
  const kubectl = async (...args: string[]) => {
    const { exitCode, stderr } = await sandbox.kubectl([...args, "-f", "-"], { input });
    if (exitCode !== 0) {
      throw new Error(stderr);
    }
  };
  await kubectl("apply", "--server-side");
  await kubectl("wait", "--for=condition=Established", "--timeout=60s");
  return () => kubectl("delete", "--ignore-not-found");
}
