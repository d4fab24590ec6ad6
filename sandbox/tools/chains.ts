import { totalmem } from "node:os";
import { Interrupted } from "../../commands/common/problem.ts";
import type { Tool } from "./catalogue.ts";

/**
 * Builds in two chains: the first tool's module, and the other modules. Tools of one module run one after the other, since
 * the second reuses packages that the first compiled; different modules share little. Machines with little memory build one
 * tool at a time, since linking needs a gigabyte and more.
 */
export async function inChains<Name extends string>(
  tools: readonly Tool<Name>[],
  signal: AbortSignal,
  build: (tool: Tool<Name>, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const byModule = [...Map.groupBy(tools, (tool) => tool.module).values()];
  const [first = [], ...others] = byModule;
  const chains = totalmem() < 6 * 2 ** 30 ? [tools] : [first, others.flat()];
  const results = await Promise.allSettled(
    chains.map(async (chain) => {
      for (const tool of chain) {
        if (either.aborted) {
          throw new Interrupted();
        }
        await build(tool, either).catch((error: unknown) => {
          failure.abort();
          throw error;
        });
      }
    }),
  );
  // A failure interrupts the other chain: an interruption is reported only without another error.
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const [reason] = [...reasons.filter((each) => !(each instanceof Interrupted)), ...reasons];
  if (reason !== undefined) {
    throw reason;
  }
}
