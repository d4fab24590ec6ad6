import { z } from "zod";
import { type CustomKind, customKindOf, partsOfCustom } from "../names/customKinds.ts";
import type { EntryOf } from "../values/issues.ts";
import { flag, optional, text } from "../values/values.ts";

export interface ObjectKind {
  readonly kind: CustomKind;
  /** Whether members with an `edit` role make, change and delete such objects. */
  readonly isEditable: boolean;
}

export interface CustomResource {
  readonly apiGroups: string[];
  readonly resources: string[];
}

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

export const objectKindsSchema = optional(
  z.array(kindEntry, "must be a list of custom kinds"),
  "Custom kinds for files of `objects`. Their controllers act for whoever has such an object: [read this first](../run/objects.md#custom-kinds).",
  { examples: [[{ apiVersion: "example.org/v1", kind: "Widget" }]] },
);

/** The custom kinds that `objects` may have; undefined without any. */
export function objectKindsOf(entries: EntryOf<typeof objectKindsSchema> = []): readonly ObjectKind[] | undefined {
  const kinds = entries.flatMap(({ apiVersion, kind, plural, edit = false } = {}): ObjectKind[] =>
    apiVersion === undefined || kind === undefined
      ? []
      : [{ kind: customKindOf({ apiVersion, kind, plural }), isEditable: edit }],
  );
  return kinds.length === 0 ? undefined : kinds;
}

export const allowedKind = (
  allowed: readonly ObjectKind[],
  apiVersion: unknown,
  kind: unknown,
): ObjectKind | undefined =>
  allowed.find((each) => {
    const of = partsOfCustom(each.kind);
    return of.apiVersion === apiVersion && of.kind === kind;
  });

export const customKindsIn = ({ objectKinds = [] }: { readonly objectKinds?: readonly ObjectKind[] }): CustomKind[] =>
  objectKinds.map(({ kind }) => kind);

export function customResource({ kind }: ObjectKind): CustomResource {
  const { group, plural } = partsOfCustom(kind);
  return { apiGroups: [group], resources: [plural] };
}

export const customResources = (
  { objectKinds = [] }: { readonly objectKinds?: readonly ObjectKind[] },
  only?: "editable",
): CustomResource[] => objectKinds.filter(({ isEditable }) => only === undefined || isEditable).map(customResource);
