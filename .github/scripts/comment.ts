/**
 * `node .github/scripts/comment.ts FILE`: puts what `kubecamp report -o markdown` wrote into the comment of the pull request that
 * has the same first line, which names the stack; into a new one if there is none.
 */
import { readFile } from "node:fs/promises";
import { argv, env } from "node:process";
import { type Comment, checkedLength, needed, ours, reportMarker, repositoryOf } from "./github.ts";

const [, , file = ""] = argv;
const marker = reportMarker(needed(env, "STACK"));
const repository = repositoryOf(env);
const pullRequest = needed(env, "PULL_REQUEST");
const commit = needed(env, "COMMIT").slice(0, 7);
// An older commit's preview must not stand there as if it were for this one.
const none = `${marker}\n**There is no preview of this commit.** The log says what went wrong.\n`;
const read = await readFile(file, "utf8").catch(() => "");
const report = read.trim() === "" ? none : read;
if (report.split("\n")[0] !== marker) {
  throw new Error(`${file} does not begin with ${marker}: is it a report in Markdown, and of this stack?`);
}
const body = checkedLength(
  `${report.trimEnd()}\n\n${commit}: [all of it, as a file, and the log](${repository.run})\n`,
);
const there = ours(await repository.all<Comment>(`/issues/${pullRequest}/comments`), marker);
if (there === undefined) {
  await repository.send("POST", `/issues/${pullRequest}/comments`, { body });
  console.log(`A comment was written: ${marker}`);
} else {
  await repository.send("PATCH", `/issues/comments/${there.id}`, { body });
  console.log(`Comment ${there.id} was brought up to date: ${marker}`);
}
