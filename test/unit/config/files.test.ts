import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackFile, withMembersFile } from "../../../config/files.ts";
import { mistakeLines } from "../../../config/mistakes.ts";
import { stackSource } from "../../../config/sources.ts";

describe("the files of a configuration", () => {
  let folder = "";
  const put = async (path: string, text: string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const stackThatNames = (file: string) =>
    stackSource("Pulumi.dev.yaml", `config:\n  kubecamp:membersFile: ${JSON.stringify(file)}\n`);

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "kubecamp-files-")), "project");
    await mkdir(folder);
  });
  afterEach(() => rm(join(folder, ".."), { recursive: true }));

  it("are the stack's own beside Pulumi.yaml, or where that says", async () => {
    assert.equal(readStackFile(folder, "dev"), undefined);
    await put("Pulumi.dev.yaml", "config:\n  kubecamp:members: [a]\n");
    assert.deepEqual(readStackFile(folder, "dev")?.raw, { members: ["a"] });
    await put("stacks/Pulumi.dev.yaml", "config:\n  kubecamp:members: [b]\n");
    await put("Pulumi.yaml", "name: kubecamp\nstackConfigDir: ./stacks\n");
    const { file, raw } = readStackFile(folder, "dev") ?? {};
    assert.deepEqual({ file, raw }, { file: "stacks/Pulumi.dev.yaml", raw: { members: ["b"] } });
  });

  it("are one alone if the settings name no other", () => {
    const stack = stackSource("Pulumi.dev.yaml", "config:\n  kubecamp:members: []\n");
    assert.deepEqual(withMembersFile(stack, folder), { stack });
  });

  it("are the members' too, in the project or beside it", async () => {
    await put("people/class.yaml", "- member: bob\n");
    await put("../people.yaml", "- member: dora\n");
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

  for (const { what, file, told } of [
    {
      what: "does not exist",
      file: "members.yml",
      told: '"members.yml" does not exist; give its path relative to the project\'s folder, where Pulumi.yaml is',
    },
    { what: "is a folder", file: ".", told: '"." is a folder, not a file; give the path of a YAML file' },
    {
      what: "has an absolute path",
      file: "/etc/hosts",
      told: '"/etc/hosts" is an absolute path, which holds on one machine alone; give it relative to the project\'s folder',
    },
    { what: "can't be read", file: "Pulumi.yaml/x", told: '"Pulumi.yaml/x" can\'t be read: ENOTDIR: not a directory' },
  ]) {
    it(`are refused where the members' ${what}, and never taken for an empty list`, async () => {
      await put("Pulumi.yaml", "name: kubecamp\n");
      const { members } = withMembersFile(stackThatNames(file), folder);
      const [line = "", ...more] = mistakeLines(members?.mistakes ?? []);
      assert.deepEqual([line.startsWith(`Pulumi.dev.yaml:2: membersFile: ${told}`), more], [true, []], line);
    });
  }
});
