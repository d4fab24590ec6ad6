import assert from "node:assert/strict";
import { manifestFiles } from "../../../../config/sources/manifestFiles.ts";
import { mistakeLines } from "../../../../config/sources/mistakes.ts";
import { membersSource, parseSources, stackSource } from "../../../../config/sources/sources.ts";
import { today } from "../../samples.ts";
import { useFolder } from "../../testFolder.ts";

describe("files of objects", () => {
  const folder = useFolder();

  /** The lines with which a stack is refused that has one file of objects. */
  function mistakes(file: string, content?: string | Buffer): string[] {
    if (content !== undefined) {
      folder.write({ [file]: content });
    }
    const config = `config:\n  kubecamp:route: { host: camp.example.org }\n  kubecamp:membersFile: members.yaml\n  kubecamp:objects: [{ file: ${file} }]\n`;
    const stack = stackSource("Pulumi.prod.yaml", config);
    const members = membersSource("members.yaml", "- { member: ann, type: user }\n");
    const parsed = parseSources("prod", { stack, members, objects: manifestFiles(stack, folder.path) }, today);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  }

  it("takes files of objects whatever their place in the project's folder", () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: course }\ndata: { a: b }\n";
    assert.deepEqual(mistakes("objects/course.yaml", text), []);
  });

  for (const [what, file, content, message] of [
    [
      "no YAML",
      "tab.yaml",
      "kind: ConfigMap\nmetadata:\n\tname: course\n",
      "line 3: is no YAML: a tab indents this line, and only blanks can",
    ],
    ["empty", "empty.yaml", "# nothing yet\n---\n", "has no manifest in it"],
    [
      "of one machine",
      "/etc/course.yaml",
      undefined,
      "is an absolute path, which holds on one machine alone; give it relative to the project's folder",
    ],
  ] as const) {
    it(`refuses a file of objects with the reason: ${what}`, () => {
      const all = mistakes(file, file.startsWith("/") ? undefined : content);
      assert.deepEqual(all, [`Pulumi.prod.yaml:4: objects[0].file: "${file}" ${message}`]);
    });
  }
});
