import { z } from "zod";
import { flag, optional, text } from "../values.ts";
import { selectorSchema } from "./selector.ts";

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
