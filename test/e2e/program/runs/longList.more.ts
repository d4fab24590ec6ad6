import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { kubecamp, kubecampProcess } from "../../commands/kubecamp.ts";
import { refused } from "../refused.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";

/** A thousand members in some kilobytes, all but the last of which are figures and names. */
const thousand = (kibibytes: number): Entry[] => {
  const list = (group: string) =>
    Array.from({ length: 1000 }, (_, index) => ({ member: `m-${index}`, type: "guest-user", groups: [group] }));
  const bytes = (group: string) => JSON.stringify(JSON.stringify(list(group))).length;
  return list("g".repeat(Math.round((kibibytes * 1024 - bytes("")) / 1000)));
};

describe("a thousand members in the stack's own file", () => {
  const stack = useStack("long");

  it("are refused by the program as long as it can be told of them, with the way to a file of their own", async () => {
    await stack.configure(thousand(124));
    // The stack's first run gets it a state, even one that fails.
    let run: Run | undefined;
    const touched = await touchedBy(stack, async () => {
      run = await stack.up();
    });
    assert.notEqual(run?.exitCode, 0);
    assert.deepEqual(touched, []);
    const output = run?.output ?? "";
    assert.match(output, /members: takes 124 KiB, .*; move the list to a file of its own, .* set membersFile to that/s);
  });

  it("are refused by the system where they are longer, in the words of the documentation, and by kubecamp in its own", async () => {
    await stack.configure(thousand(140));
    // As the official language host has them, too.
    await refused(stack, [/\(could not run language executor\): fork\/exec \S*node: argument list too long/]);

    await stack.makeProject();
    const here = { cwd: stack.folder, env: stack.sandbox.env };
    const check = await kubecamp(["members", "check"], here);
    assert.equal(check.exitCode, 1);
    assert.match(check.stdout, /^Pulumi\.long\.yaml:\d+: members: takes 140 KiB, .* set membersFile to that/m);
    const up = await kubecampProcess(["up", "--stack", stack.name], here);
    assert.equal(up.exitCode, 1);
    assert.match(up.stdout + up.stderr, /members: takes 140 KiB, .*set\s+membersFile/s);

    const file = join(stack.folder, "members.yaml");
    await writeFile(file, stringify(thousand(140)));
    await stack.configure(undefined, { membersFile: "members.yaml" });
    const moved = await kubecamp(["members", "check"], here);
    assert.equal(moved.exitCode, 0, moved.stderr);
    assert.match(moved.stdout, /members\.yaml \(stack long\): 1000 members, no mistakes/);
    await rm(file);
    await stack.configure([]);
  });
});
