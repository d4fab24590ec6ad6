import assert from "node:assert/strict";
import { refuseAnotherCluster } from "../../../../cluster/write/ownCluster.ts";
import { settings } from "../../samples.ts";

describe("a command that writes without a run", () => {
  const own = { cluster: { ...settings.cluster, id: "1c2d" } };
  const server = (uid: string) => ({ get: async <T>() => ({ metadata: { uid } }) as T });

  it("lets no command write on another cluster than the stack's, and says so as a run does", async () => {
    await assert.rejects(refuseAnotherCluster(server("5e6f"), own), {
      message:
        "Nothing was written: this is another cluster: its id is 5e6f, and the stack's (cluster.id) is 1c2d; " +
        "switch to the right context, or change cluster.id if the cluster was rebuilt.",
    });
  });

  it("lets a command write on the stack's cluster, or where the stack names none", async () => {
    await refuseAnotherCluster(server("1c2d"), own);
    await refuseAnotherCluster(server("5e6f"), settings);
  });
});
