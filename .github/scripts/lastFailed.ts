/** `pulumi stack history --json | node .github/scripts/lastFailed.ts`: whether the last update failed, or was killed, `true` or `false`. */
import { jsonOnStdin } from "./stdin.ts";

const [last] = await jsonOnStdin<readonly { readonly result: string }[]>();
console.log(last !== undefined && last.result !== "succeeded");
