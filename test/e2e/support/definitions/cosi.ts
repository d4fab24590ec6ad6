import { join } from "node:path";
import type { TestSandbox } from "../sandbox.ts";
import { definitionsIn, installDefinitions, moduleFolder } from "./definitions.ts";

/** The last release with v1alpha1. */
const release = "sigs.k8s.io/container-object-storage-interface-api@v0.1.0";
const kinds = ["bucketclaims", "bucketaccesses"];

/** COSI's own CustomResourceDefinitions, as a cluster's admin installs them; those of v1alpha2 are in no release yet. */
async function definitions(version: "v1alpha1" | "v1alpha2") {
  return (await definitionsIn(await files(version))).map(({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: approved },
  }));
}

/** Without this no API server takes kinds of the group. */
const approved = { "api-approved.kubernetes.io": "unapproved, a test's" };

async function files(version: "v1alpha1" | "v1alpha2"): Promise<string[]> {
  if (version === "v1alpha2") {
    return [join(import.meta.dirname, "cosiV1alpha2.yaml")];
  }
  const folder = await moduleFolder(release);
  return kinds.map((kind) => join(folder, "crds", `objectstorage.k8s.io_${kind}.yaml`));
}

/** Teaches the API server a version of COSI; what is given back makes it forget that again, with all there is of it. */
export async function installCosi(
  sandbox: TestSandbox,
  version: "v1alpha1" | "v1alpha2",
): Promise<() => Promise<void>> {
  return installDefinitions(sandbox, ...(await definitions(version)));
}
