import assert from "node:assert/strict";
import { join } from "node:path";
import { inRun } from "../../../components/givenRun.ts";
import { mainModule } from "../../../runs/mainModule.ts";
import { Progress } from "../../../runs/progress.ts";
import { project, useFolder } from "../testFolder.ts";

const module = { "package.json": '{ "type": "module" }' };
const spring = 'export const term: string = "spring";';

describe("a project's main module", () => {
  const folder = useFolder(project);

  const programs = [
    [
      "an ES module in TypeScript",
      { ...module, "index.ts": 'export { term } from "./notice.ts";' },
      "notice.ts",
      spring,
    ],
    [
      "a function from the file that package.json names,",
      {
        "package.json": '{ "type": "module", "main": "src/camp.ts" }',
        "src/camp.ts": 'import { term } from "../notice.ts"; export default async () => ({ term });',
      },
      "notice.ts",
      spring,
    ],
  ] as const;
  for (const [title, files, part, text] of programs) {
    it(`loads ${title} anew for each run, with what it imports`, async () => {
      folder.write({ ...files, [part]: text });
      const program = mainModule(folder.path);
      assert.deepEqual({ ...(await program()) }, { term: "spring" });
      folder.write({ [part]: text.replace("spring", "autumn") });
      assert.deepEqual({ ...(await program()) }, { term: "autumn" });
    });
  }

  it("names a folder without a main file, and a project with another kubecamp than this", () => {
    assert.throws(() => mainModule(folder.path), { message: /has no main file: name it as 'main'/ });
    folder.write({ ...module, "index.ts": "", "node_modules/kubecamp/package.json": "{}" });
    assert.throws(() => mainModule(folder.path), { message: /has a kubecamp of its own, .*\nRun the project's: npx/ });
  });

  for (const [thrown, words] of [
    ['throw new Error("It has no term.");', "It has no term."],
    ['throw new TypeError("term is no text");', "TypeError: term is no text"],
    ['throw "no term";', "no term"],
    ['import "./gone.ts";', "Cannot find module 'FOLDER/gone.ts' imported from FOLDER/index.ts"],
    [
      "enum Term {}",
      "FOLDER/index.ts:1\nenum Term {}\n^^^^^^^^^^^^\n\nSyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]:",
    ],
  ] as const) {
    it(`tells an error of the program in words, which Pulumi repeats as they are: ${thrown}`, async () => {
      folder.write({ ...module, "index.ts": thrown });
      const error: Error = await mainModule(folder.path)().then(assert.fail, (cause) => cause);
      assert.ok(error.message.startsWith(words.replaceAll("FOLDER", folder.path)), error.message);
      assert.ok("__pulumiRunError" in error);
    });
  }

  it("names an error that is thrown later once, without what Pulumi's SDK says again", () => {
    const progress = new Progress();
    for (const message of [
      `Unhandled exception: Error: It has no term.\n    at file://${join(folder.path, "index.ts")}:3:7`,
      "One or more errors occurred: It has no term.",
      "Unhandled exception: Error: resource notice [kubernetes:core/v1:ConfigMap] failed to register",
    ]) {
      progress.take({ diagnosticEvent: { severity: "error", message } } as never);
    }
    assert.equal(progress.errors, "It has no term.");
  });

  it("refuses a program that has not called stack(), under which Pulumi would delete everybody", async () => {
    folder.write({ ...module, "index.ts": spring });
    const run = inRun({ inspected: {} } as never, mainModule(folder.path));
    await assert.rejects(run, { message: /^The project's program has not called stack\(\) of this kubecamp/ });
  });
});
