import { z } from "zod";
import { selectorSchema } from "./selector.ts";
import { text } from "./values.ts";

const entry = z.strictObject(
  {
    file: text.meta({
      description: `YAML file with one manifest or several, relative to the project. \`\${member}\`, \`\${namespace}\`, \`\${subject}\` and \`\${url}\` are filled in; \`$\${\` stands for \`\${\`.`,
      examples: ["objects/course.yaml"],
    }),
    for: selectorSchema.optional().meta({
      description: "The members who get them. Default: all.",
      examples: [{ types: ["user"], labels: { course: "cs101" } }],
    }),
  },
  "must be a map with a file, and for whom it is",
);

export const objectsSchema = z.array(entry, "must be a list of objects for members");

/** Objects for members. */
export type ObjectsEntry = z.input<typeof entry>;
