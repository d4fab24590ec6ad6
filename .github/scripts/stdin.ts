import { text } from "node:stream/consumers";

/** @throws Error when what was piped in is no JSON, such as nothing at all of a command that failed */
export async function jsonOnStdin<T>(): Promise<T> {
  const piped = await text(process.stdin);
  try {
    return JSON.parse(piped) as T;
  } catch (cause) {
    throw new Error(`This is no JSON: ${JSON.stringify(piped.slice(0, 200))}`, { cause });
  }
}
