import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { isSecretKeysAlone } from "../../config/model/secretKeys.ts";
import { stacksOf } from "../../config/rules/shards.ts";
import { readStackFile, readText, stackFile } from "../../config/sources/files.ts";
import { valueText } from "../../config/sources/mistakes.ts";
import { project } from "../../config/sources/sources.ts";
import { Problem } from "../common/problem.ts";

interface FilesOptions {
  readonly stack: string;
  /** The project's folder, with `Pulumi.yaml`. */
  readonly folder: string;
}

/**
 * Writes the file of each shard unless it exists, and keeps content that Pulumi has put there.
 * @throws Problem when the stack's list is not split, or a file belongs to another stack; nothing is written then
 */
export async function writeFiles({ stack, folder: path }: FilesOptions): Promise<void> {
  const folder = resolve(path);
  const shards = stacksOf(folder, stack);
  if (shards.includes(stack)) {
    throw new Problem(`The members of stack '${stack}' are not split over shards.`, {
      why: `${stackFile(folder, stack)} has no kubecamp:shards from 1 on.`,
      remedy: `Set it to the number of shards: pulumi config set --stack ${stack} kubecamp:shards 8`,
    });
  }
  const files = shards.map((shard) => {
    const file = stackFile(folder, shard);
    return { file, text: shardText(shard, stack, folder) };
  });
  for (const { file, text } of files) {
    if (text !== undefined) {
      await writeFile(join(folder, file), text);
    }
    console.log(`${file}: ${text === undefined ? "as it was" : "written"}`);
  }
  console.log(`Init the stacks that Pulumi does not have yet, each with the secrets provider of '${stack}':
${shards.map((shard) => `  pulumi stack init ${shard} [--secrets-provider=URL]`).join("\n")}
Then bring them up: kubecamp up --stack ${stack}`);
}

/**
 * Text of a shard's file.
 * @returns undefined if the file names the family already
 */
function shardText(shard: string, family: string, folder: string): string | undefined {
  const source = readStackFile(folder, shard);
  const { shardOf, ...settings } = source?.raw ?? {};
  const others = Object.keys(settings).filter((key) => !isSecretKeysAlone(key, settings[key]));
  if (others.length > 0 || (shardOf !== undefined && shardOf !== family)) {
    throw new Problem(`Pulumi.${shard}.yaml is the file of another stack.`, {
      why: `It has ${shardOf === undefined ? others.join(", ") : `kubecamp:shardOf ${valueText(shardOf)}`}.`,
      remedy: `Rename that stack, or empty the file: a shard of '${family}' reads that stack's settings.`,
    });
  }
  if (shardOf === family) {
    return undefined;
  }
  // `pulumi stack init` may have written the file already, with its key and secrets.
  const document = parseDocument(source === undefined ? "" : readText(join(folder, source.file)));
  document.setIn(["config", `${project}:shardOf`], family);
  document.commentBefore = ` A shard of '${family}', whose file has the settings and the members: docs/run/shards.md.`;
  return document.toString({ lineWidth: 0 });
}
