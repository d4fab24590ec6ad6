import { isMap, present } from "../../model/maps.ts";
import { allowedKind, customKindOf, isGivenKind, type ObjectKind } from "../../model/members/givenKinds.ts";
import type { GivenObject, GivenObjects, Manifest, Member } from "../../model/members/member.ts";
import type { MemberRoute } from "../../model/routes/route.ts";
import { filled } from "../../model/settings/placeholders.ts";
import type { Settings } from "../../model/settings/settings.ts";
import { namespaceName, routeUrl } from "../../names/names.ts";
import type { Valid } from "../../schema/issues.ts";
import type { ObjectKindEntry, ObjectsEntry } from "../../schema/members/objects.ts";
import { isSelected, selectorOf } from "./selector.ts";

/** A file of manifests. */
export interface ManifestFile {
  readonly documents: readonly { readonly value: unknown; readonly line: number }[];
  /** Reasons why it can't be used; it has no documents then. */
  readonly mistakes: readonly string[];
}

/** Files by their paths in the settings. */
export type ManifestFiles = ReadonlyMap<string, ManifestFile>;

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
