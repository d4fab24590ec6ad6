import { isMap } from "../../model/maps.ts";
import { namespaceName } from "../../names/names.ts";
import type { ManifestFile, ManifestFiles } from "../../resolve/members/objects.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../../sources/mistakes.ts";
import { type Candidate, encrypted, type RulesContext, selectorFindings } from "../rules.ts";
import { manifestProblems } from "./manifestProblems.ts";

const nothing: ManifestFile = { documents: [], mistakes: [] };
const unreadable: ManifestFile = { documents: [], mistakes: ["was not read"] };

/** Mistakes in `objects`: selectors, files, and manifests whoever gets them. */
export function objectFindings(
  candidates: readonly Candidate[],
  context: RulesContext,
  files: ManifestFiles = new Map(),
): RawMistake[] {
  const { objects = [] } = context.entry;
  const hidden = objects.length === 0 ? [] : encrypted([["objects"]], context);
  if (hidden.length > 0) {
    return hidden;
  }
  return objects.flatMap((entry, index) => {
    const at: readonly PropertyKey[] = ["objects", index];
    const { file, copy } = entry ?? {};
    const { documents, mistakes } = file === undefined ? nothing : (files.get(file) ?? unreadable);
    return entry === undefined
      ? []
      : [
          ...sourceFindings(at, context),
          ...copyFindings([...at, "copy"], copy, candidates),
          ...(entry.imagePullSecret === true && copy?.startsWith("Secret ") !== true
            ? [plainMistake([...at, "imagePullSecret"], "is for copies of Secrets only; set copy, or leave it out")]
            : []),
          ...selectorFindings([...at, "for"], entry.for, candidates, context),
          ...(file === undefined ? [] : mistakes.map((message) => valueMistake([...at, "file"], file, message))),
          ...documents.flatMap(({ value, line }) =>
            manifestProblems(value, context.settings.objectKinds, entry.theirs).map((problem) =>
              valueMistake([...at, "file"], file, `line ${line}${titleIn(value)}: ${problem}`),
            ),
          ),
        ];
  });
}

/** An entry has one source. What is under a wrong key, or no text, is a mistake already. */
function sourceFindings(at: readonly PropertyKey[], { raw }: RulesContext): RawMistake[] {
  const { file, copy, ...others } = Object(valueAt(raw, at)) as Record<string, unknown>;
  const isKnown = Object.keys(others).every((key) => ["for", "imagePullSecret", "theirs"].includes(key));
  if (file !== undefined && copy !== undefined) {
    return [plainMistake([...at, "copy"], "is set beside file; write two entries")];
  }
  return file === undefined && copy === undefined && isKnown
    ? [plainMistake(at, "has neither file nor copy; set one of them")]
    : [];
}

/** A member could change their own object, and so everybody's copies. */
function copyFindings(
  at: readonly PropertyKey[],
  copy: string | undefined,
  candidates: readonly Candidate[],
): RawMistake[] {
  const namespace = copy?.split(/[ /]/)[1];
  const isMembers = candidates.some(
    ({ entry: { member } }) => member !== undefined && namespaceName({ name: member }) === namespace,
  );
  return copy !== undefined && isMembers
    ? [
        valueMistake(
          at,
          copy,
          `is in the namespace of member '${namespace}', who could change everybody's copies; copy it from a namespace of the platform`,
        ),
      ]
    : [];
}

/** Such as ` (Deployment 'tutor')`. */
function titleIn(value: unknown): string {
  const { kind, metadata } = isMap(value) ? value : {};
  const { name } = isMap(metadata) ? metadata : {};
  return typeof kind === "string" && typeof name === "string" ? ` (${kind} '${name}')` : "";
}
