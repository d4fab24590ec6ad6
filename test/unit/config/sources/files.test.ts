import assert from "node:assert/strict";
import { join } from "node:path";
import { readStackFile, withMembersFile } from "../../../../config/sources/files.ts";
import { stackSource } from "../../../../config/sources/sources.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { useFolder } from "../../testFolder.ts";

describe("the files of a configuration", () => {
  const outer = useFolder({ "project/.keep": "" });
  let folder = "";
  beforeEach(() => {
    folder = join(outer.path, "project");
  });
  const put = (path: string, text: string | Buffer) => outer.write({ [join("project", path)]: text });
  const stackThatNames = (file: string) =>
    stackSource("Pulumi.dev.yaml", `config:\n  kubecamp:membersFile: ${JSON.stringify(file)}\n`);

  it("reads the stack's file beside Pulumi.yaml, or where that says", () => {
    assert.equal(readStackFile(folder, "dev"), undefined);
    put("Pulumi.dev.yaml", "config:\n  kubecamp:members: [a]\n");
    assert.deepEqual(readStackFile(folder, "dev")?.raw, { members: ["a"] });
    put("stacks/Pulumi.dev.yaml", "config:\n  kubecamp:members: [b]\n");
    put("Pulumi.yaml", "name: kubecamp\nstackConfigDir: ./stacks\n");
    const { file, raw } = readStackFile(folder, "dev") ?? {};
    assert.deepEqual({ file, raw }, { file: "stacks/Pulumi.dev.yaml", raw: { members: ["b"] } });
  });

  it("reads the members file in the project or beside it", () => {
    put("people/class.yaml", "- member: bob\n");
    put("../people.yaml", "- member: dora\n");
    const inside = withMembersFile(stackThatNames("people/class.yaml"), folder).members;
    const beside = withMembersFile(stackThatNames("../people.yaml"), folder).members;
    assert.deepEqual(
      [inside, beside].map((source) => [source?.file, source?.raw]),
      [
        ["people/class.yaml", { members: [{ member: "bob" }] }],
        ["../people.yaml", { members: [{ member: "dora" }] }],
      ],
    );
  });

  it("reads files that begin with a byte order mark, as editors on Windows write one", () => {
    put("Pulumi.dev.yaml", "\ufeffconfig:\n  kubecamp:membersFile: members.yaml\n");
    put("members.yaml", "\ufeff- member: bob\n  type: user\n");
    const stack = readStackFile(folder, "dev");
    assert.deepEqual(stack && withMembersFile(stack, folder).members?.raw, {
      members: [{ member: "bob", type: "user" }],
    });
  });

  const hex = (text: string) => Buffer.from(text, "hex");
  for (const [what, text] of [
    ["UTF-16", Buffer.from("\ufeff- member: bob\n", "utf16le")],
    ["UTF-16", Buffer.from("- member: bob\n", "utf16le")],
    ["Windows-1252", Buffer.from("- member: bob\n  subject: bj\u00f6rn\n", "latin1")],
    ["Windows-1252", Buffer.from("Am\u00e9lie M\u00fcller;\u00c4\u00d6\u00dc\n", "latin1")],
    ["Shift_JIS", Buffer.concat([hex("8e8196bc"), Buffer.from(",email\n")])],
    ["GBK", Buffer.concat([hex("d0d5c3fb"), Buffer.from(",email\n")])],
    ["a spreadsheet's workbook", hex("504b0304140006000800")],
  ] as const) {
    it(`refuses a file in what seems to be ${what}: ${text.toString("hex", 0, 12)}`, () => {
      const reported = `is no text in UTF-8, and seems to be ${what}; save it as UTF-8`;
      put("members.yaml", text);
      assert.deepEqual(withMembersFile(stackThatNames("members.yaml"), folder).members?.mistakes, [
        { file: "Pulumi.dev.yaml", line: 2, path: "membersFile", message: `"members.yaml" ${reported}` },
      ]);
      put("Pulumi.dev.yaml", text);
      assert.deepEqual(readStackFile(folder, "dev")?.mistakes, [
        { file: "Pulumi.dev.yaml", path: "", message: reported },
      ]);
    });
  }

  for (const [file, what] of [
    ["members.yml", "does not exist; give its path relative to the project's folder, where Pulumi.yaml is"],
    ["/etc/hosts", "is an absolute path, which holds on one machine alone; give it relative to the project's folder"],
  ] as const) {
    it(`refuses ${file} as a members file, never taking it for an empty list`, () => {
      put("Pulumi.yaml", "name: kubecamp\n");
      const { members } = withMembersFile(stackThatNames(file), folder);
      const [line = "", ...more] = mistakeLines(members?.mistakes ?? []);
      assert.deepEqual([line.startsWith(`Pulumi.dev.yaml:2: membersFile: "${file}" ${what}`), more], [true, []], line);
    });
  }
});
