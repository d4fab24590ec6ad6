import type { Tried } from "../outcome.ts";
import type { Trial } from "../trial.ts";

export async function tryRoute(_: Trial): Promise<readonly Tried[]> {
  return await Promise.resolve([]);
}
