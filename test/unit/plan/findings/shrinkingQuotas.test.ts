import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { shrinkingQuotas } from "../../../../plan/findings/quotas.ts";
import { managedObject } from "../../cluster/operators.ts";
import { member, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

const using = (used: Record<string, string>) => managedObject({}, { spec: { hard: {} }, status: { used } });
const warning = (members: readonly Member[], quotas: Record<string, ManagedObject>) =>
  textOf(
    shrinkingQuotas(members, settings, {
      managedObjects: new Map(Object.entries(quotas).map(([name, quota]) => [`ResourceQuota ${name}/quota`, quota])),
    }),
  );
const bob = (more: object = {}) => member({ member: "bob", type: "user", ...more });
const rest = "what runs goes on, new";

describe("shrinking a quota", () => {
  it("tells of quotas shrunk below use with both numbers, per member and resource, at once", () => {
    const members = [bob(), member({ member: "eve", type: "guest-user", numOfPVCs: 1, maxPVCSizeMiB: 100 })];
    const quotas = {
      bob: using({ "limits.cpu": "800m", "limits.memory": "1Gi", persistentvolumeclaims: "5" }),
      eve: using({ "limits.cpu": "0", persistentvolumeclaims: "2", "requests.storage": "150Mi" }),
    };
    assert.equal(
      warning(members, quotas),
      [
        `bob: limits.cpu 500m is below what is used now, 800m; ${rest} pods are refused until it fits`,
        `bob: limits.memory 500Mi is below what is used now, 1Gi; ${rest} pods are refused until it fits`,
        `eve: persistentvolumeclaims 1 is below what is used now, 2; ${rest} PersistentVolumeClaims are refused until it fits`,
        `eve: requests.storage 100Mi is below what is used now, 150Mi; ${rest} PersistentVolumeClaims are refused until it fits`,
      ].join("\n"),
    );
  });

  it("accepts a quota shrunk to what is used, however that is written, or to more", () => {
    const used = { "limits.cpu": "0.5", "limits.memory": "524288000", "requests.storage": "5000Mi" };
    assert.equal(warning([bob()], { bob: using(used) }), undefined);
  });

  it("tells of no shrunk quota that is not there, was not counted, or holds nothing of ours", () => {
    const used = { "limits.cpu": "800m", "count/roles.rbac.authorization.k8s.io": "12" };
    assert.equal(warning([bob()], { bob: managedObject({}, { spec: { hard: {} } }) }), undefined);
    assert.equal(warning([bob({ quota: false })], { bob: using(used) }), undefined);
    assert.equal(warning([bob()], { bob: using({ "count/roles.rbac.authorization.k8s.io": "12" }) }), undefined);
  });

  it("tells of no shrunk pods and Jobs that are stopped anyway, and still of what is kept", () => {
    const used = {
      pods: "3",
      "count/jobs.batch": "2",
      "limits.cpu": "800m",
      "limits.memory": "1Gi",
      persistentvolumeclaims: "9",
    };
    assert.equal(
      warning([bob({ suspended: true })], { bob: using(used) }),
      `bob: persistentvolumeclaims 5 is below what is used now, 9; ${rest} PersistentVolumeClaims are refused until it fits`,
    );
  });
});
