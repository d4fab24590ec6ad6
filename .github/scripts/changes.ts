/** `node .github/scripts/changes.ts < preview.json`: how much the next up would change, of what `pulumi preview --json` printed. */
import { jsonOnStdin } from "./stdin.ts";

/** What Pulumi counts and does not touch. */
const idle = ["same", "read", "refresh"];

const { changeSummary } = await jsonOnStdin<{ readonly changeSummary?: Readonly<Record<string, number>> }>();
if (changeSummary === undefined) {
  throw new Error("The preview has no changeSummary: it did not end well, and so knows of no drift.");
}
const counts = Object.entries(changeSummary).filter(([operation]) => !idle.includes(operation));
console.log(counts.reduce((sum, [, count]) => sum + count, 0));
