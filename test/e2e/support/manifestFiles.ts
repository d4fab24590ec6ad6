import { readFile } from "node:fs/promises";
import { parseAllDocuments } from "yaml";
import type { TestSandbox } from "./sandbox.ts";

/** Makes what is in files of YAML, or writes over it, as `kubectl apply --server-side` does, without a process. */
export async function applyFiles({ apply }: Pick<TestSandbox, "apply">, ...files: readonly string[]): Promise<void> {
  await apply(...(await objectsIn(files)));
}

/** The same for a text of YAML. */
export async function applyText({ apply }: Pick<TestSandbox, "apply">, text: string): Promise<void> {
  await apply(...objectsOf(text));
}

/** Deletes what is in files, the last first, as far as it is there, and waits until it is gone. */
export async function deleteFiles(
  { find, destroy }: Pick<TestSandbox, "find" | "destroy">,
  ...files: readonly string[]
): Promise<void> {
  for (const { kind, metadata } of (await objectsIn(files)).toReversed()) {
    const object = [kind.toLowerCase(), metadata.name, metadata.namespace] as const;
    if ((await find(...object)) !== undefined) {
      await destroy(...object);
    }
  }
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

async function objectsIn(files: readonly string[]): Promise<readonly Manifest[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.flatMap(objectsOf);
}

/** A document of nothing but a comment is none. */
const objectsOf = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
