import { createRequire } from "node:module";

/** The installed version of the provider, read without loading the SDK. */
export const providerVersion: string = createRequire(import.meta.url)("@pulumi/kubernetes/package.json").version;
