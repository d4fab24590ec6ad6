import assert from "node:assert/strict";
import { statusesOf } from "../../../../plan/findings/status.ts";
import { memberWarnings } from "../../../../plan/findings/warnings.ts";
import { inhabitedBy } from "../../cluster/leaving.ts";
import { configuration } from "../../samples.ts";
import { planOf, textsOf } from "../planned.ts";

describe("warnings of a run", () => {
  const reported = (tls: object) => {
    const { members, settings } = configuration({
      route: { host: "camp.example.org", tls },
      members: ["bob", "carol"].map((member) => ({ member, type: "user", route: { readiness: { mode: "managed" } } })),
    });
    const snapshot = inhabitedBy();
    const statuses = statusesOf(planOf(members, settings, snapshot), {
      members,
      isWhole: true,
      removedMembers: [],
      waits: true,
    });
    return textsOf(memberWarnings(planOf(members, settings, snapshot), statuses, new Map()));
  };

  it("have one about a certificate that is one member's on a host that all share, and else none", () => {
    assert.deepEqual(reported({ secretName: "camp" }), []);
    const [warning, ...others] = reported({ clusterIssuer: "letsencrypt" });
    assert.match(warning ?? "", /^route\.tls\.clusterIssuer: on camp\.example\.org, which members share, /);
    assert.deepEqual(others, []);
  });
});
