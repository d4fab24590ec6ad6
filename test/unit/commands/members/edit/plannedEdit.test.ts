import assert from "node:assert/strict";
import { chmod, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../../../../commands/common/problem.ts";
import type { ListedEntry } from "../../../../../commands/members/edit/assignments.ts";
import { readListFile } from "../../../../../commands/members/edit/listFile.ts";
import { plannedEdit, writeEdit } from "../../../../../commands/members/edit/plannedEdit.ts";
import { today } from "../../../samples.ts";
import { project, useFolder } from "../../../testFolder.ts";

const host = "config:\n  kubecamp:route: { host: camp.test, controller: ingress-nginx }\n";
const members = "# staff\n- { member: ada, type: admin }\n- { member: bob, type: user } # first\n";

describe("an edit of a stack's list", () => {
  const folder = useFolder({
    ...project,
    "Pulumi.prod.yaml": `${host}  kubecamp:membersFile: members.yaml\n`,
    "members.yaml": members,
  });
  const write = (files: Record<string, string>) => folder.write(files);
  const text = (file: string) => readFile(join(folder.path, file), "utf8");
  const plan = (changed: Record<string, ListedEntry | undefined>, added: ListedEntry[] = [], stack?: string) =>
    plannedEdit(
      readListFile(stack, folder.path),
      { changed: new Map(Object.entries(changed)), added },
      folder.path,
      today,
    );
  const refusal = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof Problem) {
        return `${error.message}\n${error.why}`;
      }
      throw error;
    }
    throw new Error("nothing was refused");
  };
  const carol = { member: "carol", type: "user" };

  it("an edit is written to the members file, whose mode, links and byte order mark stay", async () => {
    write({ "list.yaml": `\ufeff${members}` });
    await chmod(join(folder.path, "list.yaml"), 0o640);
    await rm(join(folder.path, "members.yaml"));
    await symlink("list.yaml", join(folder.path, "members.yaml"));
    writeEdit(plan({ bob: undefined }, [carol]));
    assert.equal(
      await text("list.yaml"),
      "\ufeff# staff\n- { member: ada, type: admin }\n- { member: carol, type: user }\n",
    );
    assert.equal((await stat(join(folder.path, "list.yaml"))).mode & 0o777, 0o640);
    assert.deepEqual((await readdir(folder.path)).sort(), [
      "Pulumi.prod.yaml",
      "Pulumi.yaml",
      "list.yaml",
      "members.yaml",
    ]);
  });

  it("an edit is written to the stack's file where the list is there", async () => {
    const stack = (list: string) => `# prod\n${host}  kubecamp:members:${list}\n`;
    write({ "Pulumi.prod.yaml": stack(" []") });
    writeEdit(plan({}, [carol]));
    assert.equal(await text("Pulumi.prod.yaml"), stack("\n    - member: carol\n      type: user"));
  });

  it("an edit is for the family's file where a shard is named", () => {
    write({
      "Pulumi.prod.yaml": `${host}  kubecamp:shards: 1\n  kubecamp:membersFile: members.yaml\n`,
      "Pulumi.prod-0.yaml": "config:\n  kubecamp:shardOf: prod\n",
    });
    for (const stack of [undefined, "prod", "prod-0"]) {
      const { list } = plan({}, [carol], stack);
      assert.deepEqual([list.stack, list.file], ["prod", "members.yaml"]);
    }
  });

  it("an edit is refused with all mistakes of the result; those that were there have their lines", async () => {
    write({ "members.yaml": `${members}- { member: Eve, type: user }\n` });
    assert.equal(
      refusal(() => plan({ bob: { member: "bob", type: "usr" } }, [{ member: "ada", type: "user" }])),
      `Nothing was written: the list would have mistakes.
members.yaml: members[1].type: "usr" is no member type; did you mean 'user'? (admin, user, guest-user) (member 'bob')
members.yaml:4: members[2].member: "Eve" must be a DNS label: a-z, 0-9 and '-', starting with a letter
members.yaml: members[3].member: "ada" is the name of members[0] (line 2) already; names must differ`,
    );
    assert.equal(await text("members.yaml"), `${members}- { member: Eve, type: user }\n`);
  });

  it("an edit is refused where an anchor would carry it to others", async () => {
    write({
      "members.yaml": "- { member: ada, type: user, maxCPUm: &c 500 }\n- { member: bob, type: user, maxCPUm: *c }\n",
    });
    const ada = { member: "ada", type: "user", maxCPUm: 900 };
    assert.match(
      refusal(() => plan({ ada })),
      /^Nothing was written: members\.yaml has to be edited by hand here\.\nAn entry shares/,
    );
    writeEdit(plan({ bob: { ...ada, member: "bob" } }));
    assert.match(await text("members.yaml"), /maxCPUm: &c 500.*\n.*maxCPUm: 900/);
  });

  it("an edit is refused where the file has changed meanwhile", async () => {
    const planned = plan({}, [carol]);
    write({ "members.yaml": `${members}# more\n` });
    assert.match(
      refusal(() => writeEdit(planned)),
      /^members\.yaml has changed meanwhile\./,
    );
    assert.equal(await text("members.yaml"), `${members}# more\n`);
    assert.equal((await readdir(folder.path)).length, 3);
  });

  it("an edit needs a list, and to know which", () => {
    write({ "Pulumi.dev.yaml": host });
    assert.match(
      refusal(() => plan({})),
      /^It is not clear which stack's list is meant\.\n.* has the stacks dev, prod\.$/,
    );
    assert.match(
      refusal(() => plan({}, [], "dev")),
      /^Stack 'dev' has no list of members that this command could edit\.\nPulumi\.dev\.yaml has neither/,
    );
    assert.match(
      refusal(() => plan({}, [], "prd")),
      /^There is no stack 'prd' in this folder; did you mean 'prod'\?/,
    );
    write({ "Pulumi.dev.yaml": `${host}  kubecamp:members: [\n` });
    assert.match(
      refusal(() => plan({}, [], "dev")),
      /^Stack 'dev' has no list.*\n.*clear text\.\nPulumi\.dev\.yaml:\d+: is no YAML/,
    );
    write({ "Pulumi.dev.yaml": `${host}kubecamp:members: []\n` });
    assert.match(
      refusal(() => plan({}, [], "dev")),
      /^Stack 'dev' has no list.*\n.*clear text\.\nPulumi\.dev\.yaml:\d+: kubecamp:members: is not below 'config:'/,
    );
    write({ "members.yaml": "kind: Pod\n" });
    assert.match(
      refusal(() => plan({}, [], "prod")),
      /^members\.yaml has mistakes\.\nmembers\.yaml:1: kind: "Pod" is no list/,
    );
  });
});
