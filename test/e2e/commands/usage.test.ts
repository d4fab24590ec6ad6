import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { kubecamp, kubecampProcess } from "./kubecamp.ts";

const mistakes = [
  [["membrs"], "error: unknown command 'membrs'\n(Did you mean members?)"],
  [["--bogus"], "error: unknown option '--bogus'"],
  [["members", "--bogus"], "error: unknown option '--bogus'"],
  [["members", "-o", "yaml"], "argument 'yaml' is invalid. Allowed choices are table, wide, json, csv, html."],
  [["members", "chek"], "error: unknown command 'chek'; did you mean 'check'?"],
  [["members", "--expiring", "2w"], "argument '2w' is invalid. It takes a whole number of days with d, such as 14d."],
  [
    ["members", "ada"],
    "error: unknown command 'ada'; did you mean 'add'? For one member: 'kubecamp members show ada'\n",
  ],
  [["members", "bob"], "error: unknown command 'bob'; for one member: 'kubecamp members show bob'\n"],
  [["members", "--where", "course=cs101"], "It takes type=TYPE or labels.KEY=VALUE, such as labels.course=cs101."],
  [
    ["members", "invite", "--all", "--where", "type=user", "--stack", "dev"],
    "error: name members, or give '--all' or '--where'\n",
  ],
  [["members", "invite", "--where", "type=user", "--stack", "dev"], "several invitations need '--out <folder>'"],
  [
    ["cluster", "oidc", "--stack", "dev", "-o", "table"],
    "argument 'table' is invalid. Allowed choices are yaml, json.",
  ],
  [["up", "--sack", "dev"], "error: required option '--stack <name>' not specified\n"],
  [["watch", "--stack", "dev", "--interval", "5"], "argument '5' is invalid. It takes a whole number with s, m or h"],
  [["watch", "--stack", "dev", "--lease", "kubecamp-watch"], "It takes the Lease's namespace and name, such as"],
  [
    ["verify", "--stack", "dev", "--schedule"],
    "required option '--kubecamp-image <image>' of --schedule not specified",
  ],
  [["verify", "--stack", "dev", "--schedule", "0 3 * *"], "argument '0 3 * *' is invalid. It must be a cron line of"],
  [["verify", "--stack", "dev", "--only", "acces"], "'acces' is none of guards, access, "],
  [[], "Usage: kubecamp"],
] as const;

describe("kubecamp's usage", () => {
  it("exits with 2 for wrong usage, and says what is wrong", async () => {
    for (const [args, words] of mistakes) {
      const { exitCode, stdout, stderr } = await kubecamp(args, { env: { KUBECONFIG: "/dev/null" } });
      assert.deepEqual([exitCode, stdout], [2, ""], args.join(" "));
      assert.ok(stderr.includes(words), stderr);
    }
  });

  it("says what is wrong on stderr, with that exit code, in a process of its own", async () => {
    const { exitCode, stdout, stderr } = await kubecampProcess(["members", "--bogus"]);
    assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: "" });
    assert.match(stderr, /^error: unknown option '--bogus'\n/);
  });

  it("exits with 0 for --help and --version", async () => {
    for (const args of [["--help"], ["members", "--help"], ["members", "check", "--help"], ["help", "members"]]) {
      assert.equal((await kubecamp(args)).exitCode, 0);
    }
    const { version } = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as { version: string };
    assert.deepEqual(await kubecampProcess(["--version"]), { exitCode: 0, stdout: version, stderr: "" });
  });
});
