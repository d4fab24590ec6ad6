import assert from "node:assert/strict";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";

/** Prints the files of the Kubernetes client that are loaded with what asks the API server. */
const script = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(${JSON.stringify(join(repository, "cluster/api/client.ts"))});
  await import(${JSON.stringify(join(repository, "cluster/api/watchConnection.ts"))});
  console.log(loaded.filter((url) => url.includes("@kubernetes/client-node/")).join("\\n"));
`;

describe("the program's start", () => {
  it("loads the parts of the Kubernetes client that are in use, and none of its generated models", async () => {
    const { stdout } = await execa("node", ["--input-type=module", "-e", script], { cwd: repository });
    const loaded = stdout.split("\n");
    assert.ok(
      loaded.some((url) => url.endsWith("/dist/config.js")),
      stdout,
    );
    assert.deepEqual(
      loaded.filter((url) => /\/gen\/(models|apis|types)\//.test(url)),
      [],
    );
  });
});
