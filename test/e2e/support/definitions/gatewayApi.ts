import { join } from "node:path";
import type { TestSandbox } from "../sandbox.ts";
import { definitionsIn, installDefinitions, moduleFolder } from "./definitions.ts";

/** The latest that the sandbox's Go takes. */
const gatewayApi = "sigs.k8s.io/gateway-api@v1.6.3";
const kinds = ["backendtlspolicies", "gatewayclasses", "gateways", "httproutes", "listenersets"];

/**
 * The Gateway API's own CustomResourceDefinitions, as a cluster's admin installs them: they come out of its Go module,
 * which Go keeps where the sandbox's tools come from.
 * @see https://go.dev/ref/mod#go-mod-download
 */
async function definitions() {
  const folder = await moduleFolder(gatewayApi);
  return await definitionsIn(
    kinds.map((kind) => join(folder, "config/crd/standard", `gateway.networking.k8s.io_${kind}.yaml`)),
  );
}

/** Teaches the API server the Gateway API; what is given back makes it forget that again, with all there is of it. */
export async function installGatewayApi(sandbox: TestSandbox): Promise<() => Promise<void>> {
  return installDefinitions(sandbox, ...(await definitions()));
}
