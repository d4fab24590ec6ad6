import assert from "node:assert/strict";
import { readOverviewLists } from "../../../../cluster/overview/readOverview.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

describe("reading the overview", () => {
  const server = useApiServer();

  it("says why there is none, and nothing of a run, since it is none", async () => {
    server.answers("pods", json({ kind: "Status", message: "pods is forbidden" }, 403));
    await assert.rejects(readOverviewLists(undefined), ({ message }: Error) => {
      const [first, ...others] = message.split("\n");
      assert.match(first ?? "", /^Can't read the Pods from the API server http.*: 403 pods is forbidden$/);
      assert.deepEqual(others, ["Give the identity in the kubeconfig the right to list them, then run again."]);
      return true;
    });
  });
});
