/**
 * `kubecamp members check -o json | node .github/scripts/stacks.ts`: the stacks that workflows run for, as an output of a step.
 * The sandbox's is not among them: it is nobody's cluster.
 */
import { jsonOnStdin } from "./stdin.ts";

const lists = await jsonOnStdin<readonly { readonly stack: string | null }[]>();
const names = new Set(lists.flatMap(({ stack }) => (stack === null || stack === "dev" ? [] : [stack])));
console.log(`names=${JSON.stringify([...names].sort())}`);
