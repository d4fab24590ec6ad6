import { z } from "zod";
import type { Member } from "../member/member.ts";
import { customKindOf } from "../names/customKinds.ts";
import { namespaceName, routeUrl } from "../names/names.ts";
import type { MemberRoute } from "../route/route.ts";
import { type Candidate, encrypted, type RulesContext } from "../rule.ts";
import type { Settings } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { isMap, present } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { filled } from "../values/placeholders.ts";
import { isSelected, type Selector, selectorFindings, selectorOf, selectorSchema } from "../values/selector.ts";
import { flag, optional, text } from "../values/values.ts";
import { manifestProblems } from "./manifestProblems.ts";
import { allowedKind, type GivenKind, isGivenKind, type ObjectKind } from "./objectKinds.ts";

/** A file of manifests. */
export interface ManifestFile {
  readonly documents: readonly { readonly value: unknown; readonly line: number }[];
  /** Reasons why it can't be used; it has no documents then. */
  readonly mistakes: readonly string[];
}

/** Files by their paths in the settings. */
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

/** Manifests of one entry of `objects`. */
export interface GivenObjects {
  /** Index in `objects`. */
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  /** Index in `objects`. */
  readonly index: number;
  /** Index in the entry's manifests. */
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

export const objectsSchema = z.array(entry, "must be a list of objects for members");

const kindEntry = z.strictObject(
  {
    apiVersion: text
      .regex(
        /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?v[0-9][a-z0-9]*$/,
        "must be an API version, such as 'example.org/v1'",
      )
      .meta({ description: "API version of the kind, as in manifests.", examples: ["example.org/v1"] }),
    kind: text
      .regex(/^[A-Z][A-Za-z0-9]*$/, "must be a kind, such as 'Widget'")
      .meta({ description: "The kind, as in manifests.", examples: ["Widget"] }),
    plural: optional(
      text.regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be the name of a resource, such as 'widgets'"),
      "Name of its resource in `kubectl api-resources`. A run refuses a wrong one. Default: the kind's plural, such as `widgets`.",
      { examples: ["widgets"] },
    ),
    edit: optional(
      flag,
      "Whether members with the role `edit` create, change and delete their own objects of the kind. Needed for `theirs`. Default: `false`.",
    ),
  },
  "must be a custom kind: a map with apiVersion and kind",
);

export const objectKindsSchema = z.array(kindEntry, "must be a list of custom kinds");

/** A custom kind for `objects`. */
export type ObjectKindEntry = z.input<typeof kindEntry>;

/** Objects for members. */
export type ObjectsEntry = z.input<typeof entry>;

/** The entries of `objects` with their manifests; what is no manifest for members is left out (objectRules.ts). */
export const objectsOf = (
  entries: Valid<readonly ObjectsEntry[]>,
  files: ManifestFiles = new Map(),
  objectKinds: readonly ObjectKind[] = [],
): GivenObjects[] =>
  entries.flatMap((entry, index) =>
    entry === undefined
      ? []
      : [
          {
            index,
            for: selectorOf(entry.for),
            manifests: [
              ...present(
                (files.get(entry.file ?? "")?.documents ?? []).map(({ value }) => manifestOf(value, objectKinds)),
              ),
              ...copyOf(entry.copy, entry.imagePullSecret),
            ].map((manifest) => (entry.theirs === true ? { ...manifest, isTheirs: true } : manifest)),
          },
        ],
  );

/** The custom kinds that `objects` may have. */
export const objectKindsOf = (entries: Valid<readonly ObjectKindEntry[]>): ObjectKind[] =>
  entries.flatMap((entry) => {
    const { apiVersion, kind, plural, edit = false } = entry ?? {};
    return apiVersion === undefined || kind === undefined
      ? []
      : [{ kind: customKindOf({ apiVersion, kind, plural }), isEditable: edit }];
  });

/** A copy, such as of `Secret platform/registry`. */
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

/** The manifest in a YAML document; undefined for something else. */
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

/**
 * All objects that a member is given, as they get them.
 * @param subject the member's subject, without a prefix
 * @param route absent for a member without one; `${url}` stays then
 */
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
