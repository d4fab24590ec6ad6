import assert from "node:assert/strict";
import { mock } from "node:test";
import { status } from "../../../sandbox/actions.ts";
import { restore } from "../cluster/fakeApiServer.ts";

describe("the status of a sandbox that is not up", () => {
  const { KUBECAMP_SANDBOX } = process.env;
  afterEach(() => {
    restore("KUBECAMP_SANDBOX", KUBECAMP_SANDBOX);
    mock.restoreAll();
    process.exitCode = undefined;
  });

  it("is told like any other, with an exit code for scripts", async () => {
    process.env.KUBECAMP_SANDBOX = "never";
    const log = mock.method(console, "log", () => undefined);
    await status();
    assert.deepEqual(
      [log.mock.calls.map((call) => call.arguments), process.exitCode],
      [[["Sandbox 'never' is not up. To start it: KUBECAMP_SANDBOX=never kubecamp sandbox up"]], 1],
    );
  });
});
