/**
 * `node .github/scripts/outdated.ts`: takes back the comments about stacks that are not among STACKS, a list in JSON; all of them
 * where that is empty, since then nobody could tell which stacks there are.
 */
import { env } from "node:process";
import { type Comment, isBots, needed, reportBeginning, reportMarker, repositoryOf } from "./github.ts";

const repository = repositoryOf(env);
const commit = needed(env, "COMMIT").slice(0, 7);
const stacks = JSON.parse(env.STACKS || "[]") as readonly string[];
const current = new Set(stacks.map(reportMarker));
const comments = await repository.all<Comment>(`/issues/${needed(env, "PULL_REQUEST")}/comments`);

for (const comment of comments) {
  const [marker = ""] = (comment.body ?? "").split(/\r?\n/);
  if (isBots(comment, reportBeginning) && !current.has(marker)) {
    const body = `${marker}\n**There is no preview of this commit**: it lacks the stack, or nobody could tell.\n\n${commit}: [the log](${repository.run})\n`;
    await repository.send("PATCH", `/issues/comments/${comment.id}`, { body });
    console.log(`Comment ${comment.id} was taken back: ${marker}`);
  }
}
