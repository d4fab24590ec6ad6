import assert from "node:assert/strict";
import { statusesOf } from "../../../../plan/findings/status.ts";
import { memberWarnings, runWarnings } from "../../../../plan/findings/warnings.ts";
import { planFor } from "../../../../plan/members/plan.ts";
import { cluster, inhabitedBy, managedObject } from "../../cluster/leaving.ts";
import { configuration } from "../../samples.ts";
import { planOf, textsOf } from "../planned.ts";

describe("warnings of a run", () => {
  it("warns of budgets below use and selectors over nobody, from the whole list", () => {
    const over = { labels: { course: "cs101" } };
    const budgets = [
      { name: "all", maxCPUm: 1000 },
      { name: "cs101", over, maxCPUm: 1 },
    ];
    const { members: list, settings } = configuration({
      budgets,
      images: ["*"],
      members: ["ana", "ben"].map((member) => ({ member, type: "user", route: false })),
    });
    const used = { status: { used: { "limits.cpu": "501m" } } };
    const managedObjects = new Map(
      ["ana", "ben"].map((name) => [`ResourceQuota ${name}/quota`, managedObject(name, used)]),
    );
    const snapshot = cluster({ managedObjects });
    const reported = (members: typeof list, isWhole: boolean) => {
      const target = { members, isWhole, removedMembers: [], waits: true };
      const plan = planFor(planOf(list, settings, snapshot), (member) => members.includes(member));
      return runWarnings(plan, target, { adoption: [], known: new Set() }).map(({ code }) => code);
    };
    assert.deepEqual(reported(list, true), ["quotaShrinks", "quotaShrinks", "budgetExceeded", "selectsNobody"]);
    assert.deepEqual(reported(list.slice(1), false), ["quotaShrinks", "budgetExceeded"]);
  });

  const reported = (route: object) => {
    const { members, settings } = configuration({
      route: { host: "camp.example.org", ...route },
      members: ["bob", "carol"].map((member) => ({ member, type: "user", route: { readiness: { mode: "managed" } } })),
    });
    const snapshot = inhabitedBy();
    const statuses = statusesOf(planOf(members, settings, snapshot), {
      members,
      isWhole: true,
      removedMembers: [],
      waits: true,
    });
    return textsOf(memberWarnings(planOf(members, settings, snapshot), statuses, new Set()));
  };

  it("warns once of a certificate that is one member's on a host that all share, and else not", () => {
    assert.deepEqual(reported({ tls: { secretName: "camp" } }), []);
    const [warning, ...others] = reported({ tls: { clusterIssuer: "letsencrypt" } });
    assert.match(warning ?? "", /^route\.tls\.clusterIssuer: on camp\.example\.org, which members share, /);
    assert.deepEqual(others, []);
  });

  it("warns once of a login on a host that all share", () => {
    const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
    const [warning, ...others] = reported({ controller: "traefik", login: { kind: "oauth2-proxy", url } });
    assert.match(warning ?? "", /^route\.login: on camp\.example\.org, which members share, /);
    assert.deepEqual(others, []);
  });
});
