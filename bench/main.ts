import "../commands/common/colour.ts";
import { Command, Option } from "commander";
import { outputOption, run } from "../commands/common/run.ts";
import { type BenchOptions, type Measured, measureAll } from "./bench.ts";
import { milliseconds, numbers, shards, skippable, skipped, without } from "./options.ts";
import { textOf } from "./report/tables.ts";
import { otherTools } from "./results.ts";
import { checkPages, readResults, writeDown } from "./write.ts";

const examples = `
Examples:
  With 10, 100 and 1,000 members, which takes most of an hour:
  $ npm run -s bench
  The same, and write it into docs/reference/performance.md and bench/README.md:
  $ npm run -s bench -- --write
  Some minutes:
  $ npm run -s bench -- --members 10
  $ npm run -s bench -- --members 1000 --shards 8
  $ npm run -s bench -- --members 100 --without pulumi,helm
  $ npm run -s bench -- --members 100 -o json | jq '.sizes[].rows[]'
  In two runs, and the page from both:
  $ npm run -s bench -- --members 10,100 -o json > some.json
  $ npm run -s bench -- --members 1000 --shards 8 -o json > most.json
  $ npm run -s bench -- --from some.json most.json --write`;

interface Options extends BenchOptions {
  readonly output: "text" | "json";
  readonly from?: readonly string[];
  readonly write?: true;
}

await new Command("bench")
  .description("Measures what members cost: kubecamp, beside kubectl with the very same objects")
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
  .addOption(
    new Option("--without <tools>", `whose part to leave out, of ${otherTools.join(", ")}`)
      .argParser(without)
      .default([], "nobody's"),
  )
  .addOption(
    new Option("--delay <milliseconds>", "measure once more with so much added to each request; 0: don't")
      .argParser(milliseconds)
      .default(10),
  )
  .addOption(outputOption("text", "json"))
  .option("--shards <number>", "measure the most members once more, split over so many stacks", shards)
  .option("--from <files...>", "measure nothing, and take what earlier runs have printed with -o json")
  .option("--write", "write docs/reference/performance.md, its figures and picture, and bench/README.md")
  .addHelpText("after", examples)
  .action((options: Options) =>
    run(async (signal) => {
      if (options.write) {
        await checkPages();
      }
      const { results, failure }: Measured =
        options.from === undefined ? await measureAll(options, signal) : { results: await readResults(options.from) };
      console.log(options.output === "json" ? JSON.stringify(results, undefined, 2) : textOf(results));
      if (failure !== undefined) {
        throw failure;
      }
      if (options.write) {
        await writeDown(results);
      }
    }),
  )
  .parseAsync();
