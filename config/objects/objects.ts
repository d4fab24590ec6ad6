import { z } from "zod";
import type { Member } from "../member/member.ts";
import { namespaceName, routeUrl } from "../names/names.ts";
import type { MemberRoute } from "../route/memberRoute.ts";
import { encrypted, type Rule, type RuleContext } from "../rule.ts";
import type { Settings } from "../settings.ts";
import type { EntryOf } from "../values/issues.ts";
import { isMap, when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { filled } from "../values/placeholders.ts";
import { isSelected, type Selector, selectorMistakes, selectorOf, selectorSchema } from "../values/selector.ts";
import { flag, optional, text } from "../values/values.ts";
import { type GivenKind, isGivenKind } from "./givenKinds.ts";
import { manifestProblems } from "./manifestProblems.ts";
import { allowedKind, type ObjectKind } from "./objectKinds.ts";

export interface ManifestFile {
  readonly documents: readonly { readonly value: unknown; readonly line: number }[];
  /** Reasons why it can't be used; it has no documents then. */
  readonly mistakes: readonly string[];
}

export type ManifestFiles = ReadonlyMap<string, ManifestFile>;

/** A manifest for members, with placeholders such as `${member}`. */
export interface Manifest {
  readonly kind: GivenKind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All but `apiVersion`, `kind` and `metadata`; empty for a copy. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Namespace of the live object of that kind and name to copy. Default: it is no copy. */
  readonly copyOf?: string;
  /** Whether pods use it to pull images without asking for it. */
  readonly isPullSecret?: true;
  /** Whether it is the member's own once a run has made it. */
  readonly isTheirs?: true;
}

export interface GivenObjects {
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  readonly index: number;
  readonly at: number;
}

const entry = z.strictObject(
  {
    file: optional(
      text,
      `YAML file with one manifest or several, relative to the project. It can have the placeholders \`\${member}\`, \`\${namespace}\`, \`\${subject}\` and \`\${url}\`; \`$\${\` stands for \`\${\`. An entry has this or \`copy\`. Default: none.`,
      { examples: ["objects/course.yaml"] },
    ),
    copy: optional(
      text.regex(
        /^(Secret|ConfigMap) [a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/,
        "must be 'Secret NAMESPACE/NAME', or a ConfigMap",
      ),
      "A Secret or ConfigMap on the cluster, not in a member's namespace. Each run copies it. Default: none.",
      { examples: ["Secret platform/registry"] },
    ),
    imagePullSecret: optional(
      flag,
      "Whether pods pull images with the copied Secret, by the ServiceAccount `default`. Default: `false`.",
    ),
    theirs: optional(
      flag,
      "Whether the objects become the members' own: a run creates them once, then members change and delete them. Default: `false`.",
    ),
    for: optional(selectorSchema, "The members who get the objects. Default: all.", {
      examples: [{ types: ["user"], labels: { course: "cs101" } }],
    }),
  },
  "must be a map with file or copy",
);

export const objectsSchema = optional(
  z.array(entry, "must be a list of objects for members"),
  "Objects that members get in their namespaces. See [objects.md](../run/objects.md).",
  { examples: [[{ file: "objects/course.yaml", for: { labels: { course: "cs101" } } }]] },
);

type Entry = EntryOf<typeof entry>;

/** The entries with their manifests; what is no manifest for members is left out. */
export const objectsOf = (
  entries: EntryOf<typeof objectsSchema>,
  files: ManifestFiles = new Map(),
  objectKinds: readonly ObjectKind[] = [],
): GivenObjects[] =>
  entries.flatMap((entry, index) => (entry === undefined ? [] : [entryObjects(entry, index, files, objectKinds)]));

function entryObjects(entry: Entry, index: number, files: ManifestFiles, objectKinds: readonly ObjectKind[]) {
  const { documents = [] } = files.get(entry.file ?? "") ?? {};
  const manifests = [
    ...documents.flatMap(({ value }) => manifestOf(value, objectKinds) ?? []),
    ...copyOf(entry.copy, entry.imagePullSecret),
  ];
  const theirs = entry.theirs === true ? { isTheirs: true as const } : {};
  return { index, for: selectorOf(entry.for), manifests: manifests.map((manifest) => ({ ...manifest, ...theirs })) };
}

function copyOf(copy: string | undefined, isPullSecret = false): Manifest[] {
  const [, kind, namespace, name = ""] = /^(\S+) ([^/]+)\/(.+)$/.exec(copy ?? "") ?? [];
  return namespace === undefined || (kind !== "Secret" && kind !== "ConfigMap")
    ? []
    : [
        {
          ...{ kind, name, labels: {}, annotations: {}, content: {}, copyOf: namespace },
          ...(isPullSecret ? { isPullSecret } : {}),
        },
      ];
}

function manifestOf(value: unknown, objectKinds: readonly ObjectKind[]): Manifest | undefined {
  const { apiVersion, kind: named, metadata, ...content } = isMap(value) ? value : {};
  const { name, labels, annotations } = isMap(metadata) ? metadata : {};
  const kind = allowedKind(objectKinds, apiVersion, named)?.kind ?? (isGivenKind(named) ? named : undefined);
  return kind !== undefined && typeof name === "string"
    ? { kind, name, labels: textsOf(labels), annotations: textsOf(annotations), content }
    : undefined;
}

const textsOf = (map: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isMap(map) ? map : {}).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );

/** All that a member is given, as they get it; without a route, `${url}` stays. @param subject without prefix */
export function givenTo(
  member: Pick<Member, "name" | "type" | "labels">,
  subject: string,
  route: MemberRoute | undefined,
  { objects = [] }: Pick<Settings, "objects">,
): GivenObject[] {
  const values = {
    member: member.name,
    namespace: namespaceName(member),
    subject,
    ...(route === undefined ? {} : { url: routeUrl(route) }),
  };
  return objects
    .filter((entry) => isSelected(member, entry.for))
    .flatMap(({ index, manifests }) => manifests.map((manifest, at) => ({ ...filled(manifest, values), index, at })));
}

export const objectRule: Rule = (all) => {
  const { objects = [] } = all.entry;
  const hidden = objects.length === 0 ? [] : encrypted([["objects"]], all);
  return hidden.length > 0
    ? hidden
    : objects.flatMap((entry, index) =>
        entry === undefined
          ? []
          : [
              ...sourceMistakes(index, all),
              ...copyMistakes(entry, index, all),
              ...selectorMistakes(["objects", index, "for"], entry.for, all),
              ...fileMistakes(entry, index, all),
            ],
      );
};

/** An entry has one source. What is under a wrong key, or no text, is a mistake already. */
function sourceMistakes(index: number, { raw }: RuleContext): readonly RawMistake[] {
  const at = ["objects", index];
  const { file, copy, ...others } = Object(valueAt(raw, at)) as Record<string, unknown>;
  const isKnown = Object.keys(others).every((key) => ["for", "imagePullSecret", "theirs"].includes(key));
  return [
    ...when(
      file !== undefined && copy !== undefined,
      plainMistake([...at, "copy"], "is set beside file; write two entries"),
    ),
    ...when(
      file === undefined && copy === undefined && isKnown,
      plainMistake(at, "has neither file nor copy; set one of them"),
    ),
  ];
}

/** A member could change their own object, and so everybody's copies. */
function copyMistakes({ copy, imagePullSecret }: Entry, index: number, { candidates }: RuleContext) {
  const namespace = copy?.split(/[ /]/)[1];
  const isMembers = candidates.some(
    ({ entry: { member } }) => member !== undefined && namespaceName({ name: member }) === namespace,
  );
  const why = `is in the namespace of member '${namespace}', who could change everybody's copies; copy it from a namespace of the platform`;
  return [
    ...when(isMembers, valueMistake(["objects", index, "copy"], copy, why)),
    ...when(
      imagePullSecret === true && copy?.startsWith("Secret ") !== true,
      plainMistake(["objects", index, "imagePullSecret"], "is for copies of Secrets only; set copy, or leave it out"),
    ),
  ];
}

function fileMistakes({ file, theirs }: Entry, index: number, { files, settings }: RuleContext): RawMistake[] {
  if (file === undefined) {
    return [];
  }
  const { documents, mistakes } = files?.get(file) ?? { documents: [], mistakes: ["was not read"] };
  const ofDocuments = documents.flatMap(({ value, line }) =>
    manifestProblems(value, settings.objectKinds, theirs).map((why) => `line ${line}${titleIn(value)}: ${why}`),
  );
  return [...mistakes, ...ofDocuments].map((why) => valueMistake(["objects", index, "file"], file, why));
}

/** Such as ` (Deployment 'tutor')`. */
function titleIn(value: unknown): string {
  const { kind, metadata } = isMap(value) ? value : {};
  const { name } = isMap(metadata) ? metadata : {};
  return typeof kind === "string" && typeof name === "string" ? ` (${kind} '${name}')` : "";
}
