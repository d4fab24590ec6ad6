import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "mocha";
import { freePorts } from "../../../sandbox/cluster/ports.ts";
import { listening } from "../../support/listening.ts";

describe("a cluster's ports", () => {
  it("are six, each for itself, and free", async () => {
    const ports = Object.values(await freePorts());
    assert.equal(new Set(ports).size, 6);
    for (const port of ports) {
      await once(createServer().listen(port, "127.0.0.1").close(), "close");
    }
  });

  it("are none that somebody has, and none twice", async () => {
    const other = createServer();
    const taken = await listening(other);
    const { etcdPeerPort: free, ...rest } = await freePorts();
    const candidates = [taken, free, taken, free, ...Object.values(rest)];
    try {
      assert.deepEqual(await freePorts(() => candidates.shift() ?? assert.fail("asked for more")), {
        etcdPeerPort: free,
        ...rest,
      });
    } finally {
      other.close();
    }
  });
});
