import { isMap } from "../../model/maps.ts";
import type { ManifestFile, ManifestFiles } from "../../resolve/objects.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import type { Candidate, RulesContext } from "../rules.ts";
import { selectorFindings } from "../selectors.ts";
import { manifestProblems } from "./manifestProblems.ts";

const unreadable: ManifestFile = { documents: [], mistakes: ["was not read"] };

/** Mistakes in `objects`: selectors, files, and manifests whoever gets them. */
export function objectFindings(
  candidates: readonly Candidate[],
  context: RulesContext,
  files: ManifestFiles = new Map(),
): RawMistake[] {
  const { objects = [] } = context.entry;
  if (objects.length > 0 && context.isSecret?.(["objects"]) === true) {
    // Commands read the configuration without its secrets, and would plan other objects than a run.
    return [plainMistake(["objects"], "can't be encrypted; set it without --secret")];
  }
  return objects.flatMap((entry, index) => {
    const at = ["objects", index];
    const { file } = entry ?? {};
    const { documents, mistakes } = files.get(file ?? "") ?? unreadable;
    return entry === undefined
      ? []
      : [
          ...selectorFindings([...at, "for"], entry.for, candidates, context),
          ...(file === undefined ? [] : mistakes.map((message) => valueMistake([...at, "file"], file, message))),
          ...documents.flatMap(({ value, line }) =>
            manifestProblems(value).map((problem) =>
              valueMistake([...at, "file"], file, `line ${line}${titleIn(value)}: ${problem}`),
            ),
          ),
        ];
  });
}

/** Such as ` (Deployment 'tutor')`. */
function titleIn(value: unknown): string {
  const { kind, metadata } = isMap(value) ? value : {};
  const { name } = isMap(metadata) ? metadata : {};
  return typeof kind === "string" && typeof name === "string" ? ` (${kind} '${name}')` : "";
}
