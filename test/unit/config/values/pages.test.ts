import assert from "node:assert/strict";
import { join } from "node:path";
import { withPages } from "../../../../config/values/pages.ts";
import { useFolder } from "../../testFolder.ts";

describe("pages that messages name", () => {
  const folder = useFolder({
    "released/package.json": JSON.stringify({ version: "1.0.0", homepage: "https://git.example.org/camp#readme" }),
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

  it("stay paths in a clone, and where nobody knows a repository", () => {
    assert.equal(withPages(text), text);
    assert.equal(named("packed"), text);
    assert.equal(named("nowhere"), text);
  });
});
