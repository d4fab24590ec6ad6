import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { repository } from "../../sandbox/paths.ts";
import { importsOf } from "./imports.ts";

/** Folders as data flows through them: each imports from those above it, and from others in its own line. */
const order = [
  ["config"],
  ["cluster"],
  ["buckets"],
  ["objects"],
  ["plan"],
  ["components"],
  ["runs"],
  ["commands"],
  ["watch"],
  ["index.ts", "kubecamp.ts", "bin"],
  ["sandbox", "bench", "tools"],
];

const files = globSync(["index.ts", "kubecamp.ts", ...order.flat().map((folder) => `${folder}/**/*.{ts,mjs}`)], {
  cwd: repository,
});

const isTool = (file: string) => /^(sandbox|bench|tools)\//.test(file);

const lineOf = (file: string) => order.findIndex((line) => line.some((folder) => `${file}/`.startsWith(`${folder}/`)));

describe("imports", () => {
  const all = [...new Set(files)].sort().flatMap((file) =>
    importsOf(file)
      .filter(({ isFile }) => isFile)
      .map(({ name, typesOnly }) => ({ from: file, to: name, typesOnly })),
  );

  it("are found, and lead nowhere but to the folders of the product and its tools", () => {
    assert.ok(all.length > 1000);
    assert.deepEqual(
      all.filter(({ to }) => lineOf(to) === -1),
      [],
    );
  });

  it("lead from the product to no tool", () => {
    assert.deepEqual(
      all.filter(({ from, to }) => isTool(to) && !isTool(from)),
      [],
    );
  });

  it("run in the direction in which data flows", () => {
    assert.deepEqual(
      all.filter(({ from, to }) => lineOf(to) > lineOf(from)),
      [],
    );
  });

  it("come back to no file, not even for a type but in config/", () => {
    // A setting's rules name the types of the whole configuration, which has the setting: nothing of it runs.
    const counts = ({ from, to, typesOnly }: (typeof all)[number]) =>
      !typesOnly || ![from, to].every((file) => file.startsWith("config/"));
    const next = Map.groupBy(all.filter(counts), ({ from }) => from);
    const done = new Set<string>();
    const circleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return undefined;
      const circle = next
        .get(file)
        ?.map(({ to }) => circleFrom(to, [...path, file]))
        .find((found) => found !== undefined);
      done.add(file);
      return circle;
    };
    assert.deepEqual(
      [...next.keys()].flatMap((file) => [circleFrom(file, [])].filter((circle) => circle !== undefined)),
      [],
    );
  });
});
