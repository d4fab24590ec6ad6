/**
 * `node .github/scripts/driftIssue.ts REPORT CHANGES`: where the file CHANGES has a number above 0, it opens an issue about the
 * stack STACK, or brings the one that is open up to date; with 0 it closes that.
 */
import { readFile } from "node:fs/promises";
import { argv, env } from "node:process";
import { checkedLength, needed, ours, type Post, repositoryOf } from "./github.ts";

interface Issue extends Post {
  readonly number: number;
}

const [, , reportFile = "", changesFile = ""] = argv;
const report = await readFile(reportFile, "utf8");
const changes = (await readFile(changesFile, "utf8")).trim();
// An empty file is no number of changes, and least of all 'none'.
if (!/^\d+$/.test(changes)) {
  throw new Error(`${changesFile} has no number of changes: ${JSON.stringify(changes)}`);
}
const stack = needed(env, "STACK");
const repository = repositoryOf(env);
const marker = `<!-- kubecamp drift: ${stack} -->`;
const there = ours(await repository.all<Issue>("/issues?state=open"), marker);

if (changes !== "0") {
  const title = `Stack ${stack}: the cluster is not as declared`;
  const body = checkedLength(
    [
      marker,
      `Seen by [this run](${repository.run}). \`kubecamp up --stack ${stack} --all --refresh\` makes it so again; docs/run/operate.md says how to`,
      "find out who changed it. This text is brought up to date each night, and the issue is closed when nothing differs.",
      "",
      report,
    ].join("\n"),
  );
  if (there === undefined) {
    await repository.send("POST", "/issues", { title, body });
    console.log("An issue was opened.");
  } else {
    await repository.send("PATCH", `/issues/${there.number}`, { title, body });
    console.log(`Issue ${there.number} was brought up to date.`);
  }
} else if (there === undefined) {
  console.log("Nothing differs, and no issue is open.");
} else {
  await repository.send("POST", `/issues/${there.number}/comments`, {
    body: `Nothing differs any more: ${repository.run}`,
  });
  await repository.send("PATCH", `/issues/${there.number}`, { state: "closed", state_reason: "completed" });
  console.log(`Nothing differs any more, and issue ${there.number} was closed.`);
}
