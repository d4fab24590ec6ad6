import { z } from "zod";
import { flag, text } from "../values.ts";
import { selectorSchema } from "./selector.ts";

const entry = z.strictObject(
  {
    file: text.optional().meta({
      description: `YAML file with one manifest or several, relative to the project. \`\${member}\`, \`\${namespace}\`, \`\${subject}\` and \`\${url}\` are filled in; \`$\${\` stands for \`\${\`.`,
      examples: ["objects/course.yaml"],
    }),
    copy: text
      .regex(
        /^(Secret|ConfigMap) [a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/,
        "must be 'Secret NAMESPACE/NAME', or a ConfigMap",
      )
      .optional()
      .meta({
        description:
          "Instead of `file`: a Secret or ConfigMap on the cluster, in another namespace than a member's. Each run copies it anew.",
        examples: ["Secret platform/registry"],
      }),
    imagePullSecret: flag.optional().meta({
      description: "Whether pods pull images with a copied Secret without asking for it. Default: false.",
    }),
    theirs: flag.optional().meta({
      description:
        "Whether they are the members' own once a run has made them: members change and delete them, and no later run does. Default: false.",
    }),
    for: selectorSchema.optional().meta({
      description: "The members who get them. Default: all.",
      examples: [{ types: ["user"], labels: { course: "cs101" } }],
    }),
  },
  "must be a map with a file or a copy, and the members who get it",
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
    plural: text
      .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be the name of a resource, such as 'widgets'")
      .optional()
      .meta({
        description:
          "Name of its resource (`kubectl api-resources`). Default: the kind's plural, such as `widgets`. A run refuses a wrong one.",
        examples: ["widgets"],
      }),
    edit: flag.optional().meta({
      description:
        "Whether members with an `edit` role make, change and delete such objects of their own; `theirs` takes it. Default: false.",
    }),
  },
  "must be a custom kind: a map with apiVersion and kind",
);

export const objectKindsSchema = z.array(kindEntry, "must be a list of custom kinds");

/** A custom kind for `objects`. */
export type ObjectKindEntry = z.input<typeof kindEntry>;

/** Objects for members. */
export type ObjectsEntry = z.input<typeof entry>;
