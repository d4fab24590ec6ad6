import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "../../../config/values/runError.ts";
import { hasOwnProgram, mainModule } from "../../../runs/mainModule.ts";
import { Progress } from "../../../runs/progress.ts";
import { repository } from "../../../sandbox/paths.ts";
import { project, useFolder } from "../testFolder.ts";

describe("a project's program", () => {
  const folder = useFolder(project);
  const outputs = (name: string) => `export const main = "${name}";\n`;
  const mainOf = async () => Object(await mainModule(folder.path)()).main;
  const named = (main: string) => ({ "Pulumi.yaml": `${project["Pulumi.yaml"]}main: ${main}\n` });

  it("finds a project's main file in Pulumi's order", async () => {
    folder.write({ "index.ts": outputs("index.ts"), "exported.ts": outputs("exports"), "main.js": outputs("main") });
    assert.equal(await mainOf(), "index.ts");
    folder.write({ "package.json": '{ "type": "module", "main": "main.js" }' });
    assert.equal(await mainOf(), "main");
    folder.write({ "package.json": '{ "type": "module", "main": "main.js", "exports": "./exported.ts" }' });
    assert.equal(await mainOf(), "exports");
    folder.write({ "package.json": '{ "type": "module", "exports": { ".": { "default": "./exported.ts" } } }' });
    assert.equal(await mainOf(), "exports");
    folder.write({ ...named("infra"), "infra/index.js": outputs("folder"), "infra/up.ts": outputs("file") });
    assert.equal(await mainOf(), "folder");
    folder.write(named("infra/up.ts"));
    assert.equal(await mainOf(), "file");
  });

  it("names the place of a main file in a project without one", () => {
    const message = `The project in ${folder.path} has no main file: name it as 'main' in Pulumi.yaml or package.json.`;
    assert.throws(() => mainModule(folder.path), { name: "Error", message });
  });

  it("takes the default export of a main file, and calls a function", async () => {
    const outputsOf = async (text: string) => {
      folder.write({ "index.mjs": text });
      return await mainModule(folder.path)();
    };
    assert.deepEqual(await outputsOf("export const a = 1;"), { a: 1 });
    assert.deepEqual(await outputsOf("export default { b: 2 };"), { b: 2 });
    assert.deepEqual(await outputsOf("export default async () => ({ c: 3 });"), { c: 3 });
    await assert.rejects(outputsOf("throw new Error('no cluster');"), /no cluster/);
  });

  it("evaluates a project's modules anew in each run, and kubecamp's own once", async () => {
    // As in a clone, where kubecamp is in the project's folder.
    mainModule(repository);
    const own = join(repository, "components/warn.ts");
    folder.write({
      "package.json": '{ "type": "module" }',
      "index.ts": `import { part } from "./part.ts"; import { warn } from "${own}"; export { part, warn };`,
      "part.ts": "export const part = {};",
    });
    const program = mainModule(folder.path);
    const [first, second] = [await program(), await program()] as Record<string, unknown>[];
    assert.notEqual(first?.part, second?.part);
    assert.equal(first?.warn, second?.warn);
  });

  it("evaluates CommonJS modules anew, too", async () => {
    folder.write({ "index.js": 'exports.part = require("./part.js");', "part.js": "exports.a = {};" });
    const program = mainModule(folder.path);
    const [first, second] = [await program(), await program()] as Record<string, { readonly a: object }>[];
    assert.notEqual(first?.part?.a, second?.part?.a);
  });

  it("tells a program of the project's own from kubecamp's, which a project may pass on", () => {
    const isOwn = (text: string) => {
      folder.write({ "index.mjs": text });
      return hasOwnProgram(folder.path);
    };
    assert.equal(hasOwnProgram(repository), false);
    assert.equal(isOwn('export { members, pending } from "kubecamp/program";\n'), false);
    assert.equal(isOwn('import { stack } from "kubecamp";\nexport const { members } = await stack();\n'), true);
  });

  for (const exports of ["./package.json", "./index.js"]) {
    it(`refuses a project with a kubecamp of its own that exports ${exports}`, async () => {
      const packageFile = JSON.stringify({ name: "kubecamp", exports: { [exports]: exports } });
      folder.write({ "index.mjs": outputs("own"), "node_modules/kubecamp/package.json": packageFile });
      const message = `The project has a kubecamp of its own, and this command is another's: ${repository}.
Run the project's: npx kubecamp`;
      assert.throws(() => mainModule(folder.path), { message });
    });
  }

  it("takes a project with this kubecamp as its package", async () => {
    folder.write({ "index.mjs": outputs("linked"), "node_modules/.keep": "" });
    symlinkSync(repository, join(folder.path, "node_modules/kubecamp"));
    assert.equal(await mainOf(), "linked");
  });

  for (const [thrown, words] of [
    ['throw new Error("It has no term.");', "It has no term."],
    ['throw new TypeError("term is no text");', "TypeError: term is no text"],
    ['throw "no term";', "no term"],
    ['import "./gone.ts";', "Cannot find module 'FOLDER/gone.ts' imported from FOLDER/index.mts"],
    [
      "enum Term {}",
      "FOLDER/index.mts:1\nenum Term {}\n^^^^^^^^^^^^\n\nSyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]:",
    ],
  ] as const) {
    it(`tells an error of the program in words, which Pulumi repeats as they are: ${thrown}`, async () => {
      folder.write({ "index.mts": thrown.replace("index.ts", "index.mts") });
      await assert.rejects(mainModule(folder.path)(), (error: Error) => {
        assert.ok(error.message.startsWith(words.replaceAll("FOLDER", folder.path)), error.message);
        return RunError.isInstance(error);
      });
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
});
