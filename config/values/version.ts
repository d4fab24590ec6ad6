import { createRequire } from "node:module";

/** Of kubecamp, in a clone and in the package. */
export const version: string = createRequire(import.meta.url)("../../package.json").version;
