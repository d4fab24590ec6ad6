import { createRequire } from "node:module";

/** The version of the provider that the program names, for whoever needs to know it without loading the SDK. */
export const providerVersion: string = createRequire(import.meta.url)("@pulumi/kubernetes/package.json").version;
