import assert from "node:assert/strict";
import { importsOf } from "../../tools/architecture/imports.ts";
import { isIn, order, sourceFiles } from "../../tools/architecture/order.ts";

const isTool = (file: string) => /^(sandbox|bench|tools)\//.test(file);

const lineOf = (file: string) => order.findIndex((room) => isIn(file, room));

describe("imports", () => {
  const all = sourceFiles().flatMap((file) =>
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
