import { join, resolve } from "node:path";

export const repository: string = resolve(import.meta.dirname, "..");

/** Everything that the sandbox makes lies in here; git ignores it. */
export const sandboxes: string = join(repository, ".sandbox");

export const packageBinaries: string = join(repository, "node_modules", ".bin");
