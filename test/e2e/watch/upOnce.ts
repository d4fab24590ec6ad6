/** Opens a stack, brings it up once and prints what became of it: a process of its own that a test can kill. */
import type { StackOptions } from "../../../runs/selectedStack.ts";
import { openStack, type UpRequest } from "../../../watch/stackRunner.ts";

const { request, ...options } = JSON.parse(process.argv[2] ?? "") as StackOptions & { request: UpRequest };
const runner = await openStack(options);
const abort = new AbortController();
process.on("SIGTERM", () => abort.abort());
console.log(JSON.stringify(await runner.up(request, abort.signal)));
