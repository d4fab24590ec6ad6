import assert from "node:assert/strict";
import { importsOf } from "../../tools/architecture/imports.ts";
import { isIn, order, sourceFiles } from "../../tools/architecture/order.ts";

/** Folders inside these, in the same order. */
const inside: Readonly<Record<string, readonly string[]>> = {
  plan: ["words", "live", "decisions", "rows", "members", "findings", "decide"],
};

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

  for (const [outer, folders] of Object.entries(inside)) {
    it(`run in that direction inside ${outer}/, too`, () => {
      const rankOf = (file: string) => folders.findIndex((folder) => file.startsWith(`${outer}/${folder}/`));
      const own = all.filter(({ from, to }) => [from, to].every((file) => file.startsWith(`${outer}/`)));
      assert.ok(own.length > 100);
      assert.deepEqual(
        own.filter(({ from, to }) => rankOf(from) === -1 || rankOf(to) === -1 || rankOf(to) > rankOf(from)),
        [],
      );
    });
  }

  it("come back to no file, not even for a type but in config/", () => {
    // A setting's rules name the types of the whole configuration, which has the setting: nothing of it runs.
    const counts = ({ from, to, typesOnly }: (typeof all)[number]) =>
      !typesOnly || ![from, to].every((file) => file.startsWith("config/"));
    assert.deepEqual(circlesOf(all.filter(counts)), []);
  });

  for (const folder of ["config"]) {
    it(`come back to no folder within ${folder}/, and to no file of its own`, () => {
      const partOf = (file: string) => file.split("/", folder.split("/").length + 1).join("/");
      const among = all
        .filter(({ from, to, typesOnly }) => !typesOnly && [from, to].every((file) => file.startsWith(`${folder}/`)))
        .map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }))
        .filter(({ from, to }) => from !== to);
      assert.ok(among.length > 10);
      assert.deepEqual(circlesOf(among), []);
    });
  }
});

/** Circles among what imports each other: one for each part that is found to be in one. */
function circlesOf(imports: readonly { readonly from: string; readonly to: string }[]): (readonly string[])[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circleFrom = (part: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(part)) {
      return [...path.slice(path.indexOf(part)), part];
    }
    if (done.has(part)) {
      return undefined;
    }
    const circle = next
      .get(part)
      ?.map(({ to }) => circleFrom(to, [...path, part]))
      .find((found) => found !== undefined);
    done.add(part);
    return circle;
  };
  return [...next.keys()].map((part) => circleFrom(part, [])).filter((circle) => circle !== undefined);
}
