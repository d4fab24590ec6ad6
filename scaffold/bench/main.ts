import "../../commands/common/colour.ts";
import { Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../../commands/common/outputOption.ts";
import { run } from "../../commands/common/run.ts";
import { mostShards } from "../../config/schema/values.ts";
import { measureAll } from "./bench.ts";
import { textOf } from "./report/text.ts";
import { type Operation, operations } from "./results.ts";
import { checkPage, writeDown } from "./write.ts";

const examples = `
Examples:
  With 10, 100 and 1,000 members, which takes most of an hour:
  $ npm run -s bench
  The same, and write it into docs/performance.md:
  $ npm run -s bench -- --write
  Some minutes:
  $ npm run -s bench -- --members 10
  $ npm run -s bench -- --members 1000 --shards 8
  $ npm run -s bench -- --members 100 --skip refresh,destroy,checkpoints
  $ npm run -s bench -- --members 100 -o json | jq '.sizes[].rows[]'`;

/** Without it there would be nothing to measure anything of. */
const skippable = operations.filter((operation) => operation !== "create");

await new Command("bench")
  .description("Measures what members cost: Pulumi with this program, beside kubectl with the very same objects")
  .showHelpAfterError("(run it with --help for examples)")
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .addOption(
    new Option("--members <numbers>", "how many members, each on fresh clusters")
      .argParser(numbers)
      .default([10, 100, 1000], "10,100,1000"),
  )
  .addOption(
    new Option("--skip <operations>", `what to leave out, of ${skippable.join(", ")}`)
      .argParser(skipped)
      .default([], "nothing"),
  )
  .addOption(outputOption("text", "json"))
  .option("--shards <number>", "measure the most members once more, split over so many stacks", shards)
  .option("--write", "write tables and picture into docs/performance.md")
  .addHelpText("after", examples)
  .action((options: { members: number[]; skip: Operation[]; shards?: number; output: "text" | "json"; write?: true }) =>
    run(async (signal) => {
      if (options.write) await checkPage();
      const { results, failure } = await measureAll(options, signal);
      console.log(options.output === "json" ? JSON.stringify(results, undefined, 2) : textOf(results));
      if (failure !== undefined) throw failure;
      if (options.write) await writeDown(results);
    }),
  )
  .parseAsync();

function shards(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > mostShards) {
    throw new InvalidArgumentError(`'${text}' is no number of shards: it takes one from 1 to ${mostShards}.`);
  }
  return number;
}

function numbers(text: string): number[] {
  return text.split(",").map((word) => {
    const number = Number(word);
    if (!/^\s*\d+\s*$/.test(word) || number < 1) {
      throw new InvalidArgumentError(`'${word}' is no number of members: it takes some from 1, with commas between.`);
    }
    return number;
  });
}

function skipped(text: string): Operation[] {
  return text.split(",").map((word) => {
    const operation = skippable.find((each) => each === word.trim());
    if (operation === undefined) {
      throw new InvalidArgumentError(`'${word}' is none of ${skippable.join(", ")}.`);
    }
    return operation;
  });
}
