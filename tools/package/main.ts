import { join } from "node:path";
import { buildPackage } from "./build.ts";

await buildPackage(join(import.meta.dirname, "../.."));
