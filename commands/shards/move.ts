import { resolve } from "node:path";
import { counted } from "../../cluster/kinds/nameList.ts";
import { readKeptHomes } from "../../cluster/read/keptHomes.ts";
import { readCluster } from "../../cluster/read/read.ts";
import { hasGrace } from "../../config/model/members/keptHome.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { anotherCluster } from "../../plan/membership/ownership.ts";
import { refusalTexts } from "../../plan/messages/catalogue.ts";
import { type Transfer, transfer } from "../../runs/state/transfer.ts";
import { Problem } from "../common/problem.ts";
import { readStack } from "../common/stackFile.ts";
import { table } from "../common/table.ts";

interface MoveOptions {
  readonly stack: string;
  /** The project's folder, with `Pulumi.yaml`. */
  readonly folder: string;
  readonly output: "text" | "json";
}

/**
 * Transfers members to the stacks of a family where they belong, and prints the result.
 * @throws Problem or RunError when the stack or the cluster can't be read; nothing was changed by then
 */
export async function move({ stack, folder: path, output }: MoveOptions): Promise<void> {
  const folder = resolve(path);
  const notify = (message: string) => console.error(message);
  const { configuration: listed } = readStack(stack, folder);
  assertSplit(listed);
  const homes = hasGrace(listed.settings) ? await readKeptHomes(listed.settings, { notify }) : [];
  const { configuration } = readStack(stack, folder, homes);
  const { settings, members } = configuration;
  const snapshot = await readCluster(members, settings, { notify });
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    throw new RunError(`The members of stack '${stack}' can't be moved: ${refusalTexts([elsewhere])}`);
  }
  const result = await transfer(configuration, snapshot, { folder, notify });
  console.log(output === "json" ? JSON.stringify(result, null, 2) : moveText(result, process.stdout.columns));
  if (result.left.length > 0) {
    process.exitCode = 1;
  }
}

/** @throws Problem when the list is not split, or the stack is a shard itself */
function assertSplit({ settings: { stack, shards } }: Pick<Configuration, "settings">): void {
  if (shards === undefined) {
    throw new Problem(`The members of stack '${stack}' are not split over shards.`, {
      why: `Pulumi.${stack}.yaml has no kubecamp:shards.`,
      remedy: "Set it to the number of shards; docs/run/shards.md explains when.",
    });
  }
  if (shards.family !== stack) {
    throw new Problem(`Stack '${stack}' is a shard itself.`, {
      why: `It is one of those of stack '${shards.family}', which has the settings and the members.`,
      remedy: `Run it with --stack ${shards.family}.`,
    });
  }
}

/** Result of a transfer, and the next steps. */
export function moveText({ moved, left }: Transfer, width?: number): string {
  if (moved.length + left.length === 0) {
    return "Every member is in the right stack.";
  }
  const rows = [
    ...moved.map(({ member, from, to }) => [member, from, to, "moved"]),
    ...left.map(({ member, from, to, why }) => [member, from, to, why]),
  ];
  const stacks = (key: "from" | "to") => [...new Set(moved.map((each) => each[key]))].sort();
  const ups = [...stacks("to"), ...stacks("from").filter((stack) => !stacks("to").includes(stack))];
  return [
    table([["MEMBER", "FROM", "TO", "RESULT"], ...rows], { width, wrapLast: true }),
    "",
    `${counted(moved.length, "member")} moved. None of their objects was deleted or recreated.`,
    ...(ups.length === 0
      ? []
      : [
          "Run an up of these stacks, in this order; until then, none of their objects changes:",
          ...ups.map((stack) => `  pulumi up --stack ${stack}`),
        ]),
  ].join("\n");
}
