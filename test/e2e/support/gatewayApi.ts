import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { findGo } from "../../../sandbox/tools/go.ts";
import type { TestSandbox } from "./sandbox.ts";

/** The latest that the sandbox's Go takes. */
const gatewayApi = "sigs.k8s.io/gateway-api@v1.6.3";
const kinds = ["backendtlspolicies", "gatewayclasses", "gateways", "httproutes"];

/**
 * The Gateway API's own CustomResourceDefinitions, as a cluster's admin installs them: they come out of its Go module,
 * which Go keeps where the sandbox's tools come from.
 * @see https://go.dev/ref/mod#go-mod-download
 */
async function definitions(): Promise<string> {
  const { env } = await findGo(process.env);
  const { stdout } = await execa("go", ["mod", "download", "-json", gatewayApi], { env, extendEnv: false });
  const { Dir: folder } = JSON.parse(stdout) as { Dir: string };
  const texts = kinds.map((kind) =>
    readFile(join(folder, "config/crd/standard", `gateway.networking.k8s.io_${kind}.yaml`), "utf8"),
  );
  return (await Promise.all(texts)).join("\n---\n");
}

/** Teaches the API server the Gateway API; what is given back makes it forget that again, with all there is of it. */
export async function installGatewayApi(sandbox: TestSandbox): Promise<() => Promise<void>> {
  const input = await definitions();
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
