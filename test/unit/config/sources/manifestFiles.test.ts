import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestFiles } from "../../../../config/sources/manifestFiles.ts";
import { mistakeLines } from "../../../../config/sources/mistakes.ts";
import { membersSource, parseSources, stackSource } from "../../../../config/sources/sources.ts";
import { today } from "../../samples.ts";

describe("files of objects", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-manifests-"));
    await mkdir(join(folder, "objects"));
  });
  after(() => rm(folder, { recursive: true }));

  /** The lines with which a stack is refused that has one file of objects. */
  async function mistakes(file: string, content?: string | Buffer): Promise<string[]> {
    if (content !== undefined) {
      await writeFile(join(folder, file), content);
    }
    const config = `config:\n  kubecamp:route: { host: camp.example.org }\n  kubecamp:membersFile: members.yaml\n  kubecamp:objects: [{ file: ${file} }]\n`;
    const stack = stackSource("Pulumi.prod.yaml", config);
    const members = membersSource("members.yaml", "- { member: ann, type: user }\n");
    const parsed = parseSources("prod", { stack, members, objects: manifestFiles(stack, folder) }, today);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  }

  it("are taken whatever their place in the project's folder", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: course }\ndata: { a: b }\n";
    assert.deepEqual(await mistakes("objects/course.yaml", text), []);
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
    it(`are refused with the reason: ${what}`, async () => {
      const all = await mistakes(file, file.startsWith("/") ? undefined : content);
      assert.deepEqual(all, [`Pulumi.prod.yaml:4: objects[0].file: "${file}" ${message}`]);
    });
  }
});
