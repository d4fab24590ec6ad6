import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withPages } from "../../../../config/values/pages.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { useFolder } from "../../testFolder.ts";

const code = ["maps", "pages", "runError"].map((name) => `config/values/${name}.ts`);

describe("pages that messages name", () => {
  const folder = useFolder({
    "released/package.json": JSON.stringify({
      version: "1.0.0",
      type: "module",
      homepage: "https://git.example.org/camp#readme",
    }),
    ...Object.fromEntries(code.map((file) => [`released/dist/${file}`, readFileSync(join(repository, file), "utf8")])),
    "packed/package.json": JSON.stringify({ version: "1.0.0" }),
  });
  const text = "See docs/run/state.md, docs/run/objects.md#custom-kinds, mydocs/run/state.md and docs/.";
  const named = (installation: string) => withPages(text, join(folder.path, installation, "dist/config/values"));

  it("are at the release's repository where the package lacks them", () => {
    assert.equal(
      named("released"),
      "See https://git.example.org/camp/blob/v1.0.0/docs/run/state.md, " +
        "https://git.example.org/camp/blob/v1.0.0/docs/run/objects.md#custom-kinds, mydocs/run/state.md and docs/.",
    );
  });

  it("are there in a RunError too, which Pulumi prints as it is", async () => {
    const { href } = pathToFileURL(join(folder.path, "released/dist/config/values/runError.ts"));
    const { RunError } = await import(href);
    const { message } = new RunError("Pulumi's state is lost.", { remedy: "See docs/run/state.md." });
    const url = "https://git.example.org/camp/blob/v1.0.0/docs/run/state.md";
    assert.equal(message, `Pulumi's state is lost.\nSee ${url}.`);
  });

  it("stay paths in a clone, and where nobody knows a repository", () => {
    assert.equal(withPages(text), text);
    assert.equal(named("packed"), text);
    assert.equal(named("nowhere"), text);
  });
});
