import assert from "node:assert/strict";
import type { Concerned } from "../../../../cluster/kinds/selections.ts";
import { stackObjects } from "../../../../cluster/read/snapshot/stackObjects.ts";
import { bob, member, settings } from "../../samples.ts";

describe("what a run reads of starter apps", () => {
  async function asked(members: Concerned["members"]): Promise<string[]> {
    const paths: string[] = [];
    const server = {
      list: async ({ path }: { path: string }) => {
        paths.push(path);
        return [];
      },
    };
    const kinds = ["ConfigMap", "Deployment"] as const;
    await Promise.all(kinds.map((kind) => stackObjects(kind, { members, settings }, server)));
    return paths;
  }

  it("is nothing where nobody is to have one", async () => {
    assert.deepEqual(await asked([bob]), []);
  });

  it("is the two names, in one list each, whatever the number of members", async () => {
    const many = Array.from({ length: 9 }, (_, at) => member({ member: `m-${at}`, type: "user", starter: "once" }));
    assert.deepEqual(await asked([bob, ...many]), [
      "/api/v1/configmaps?fieldSelector=metadata.name%3Dstarter-pages",
      "/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dstarter",
    ]);
  });
});
