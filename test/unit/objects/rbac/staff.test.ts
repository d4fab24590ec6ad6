import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { staffBinding, staffRole } from "../../../../objects/rbac/staff.ts";
import { leaseIn } from "../../../../objects/rbac/subjects.ts";
import { atOnce, bob, labelsOf, member, settings } from "../../samples.ts";

const apiGroup = "rbac.authorization.k8s.io";
const reader = member({ member: "bob", type: "user", home: "view" });
const metadata = (name: string) => ({ name, namespace: "bob", labels: labelsOf("bob"), annotations: atOnce });

describe("a Role for staff", () => {
  it("gives staff with view what a member has who may only look", () => {
    const { rules } = role(reader, settings);
    assert.deepEqual(staffRole(bob, "view", settings), { metadata: metadata("kubecamp:staff-view"), rules });
  });

  it("gives staff with assist also commands in pods, ports, and restarts", () => {
    const { rules } = staffRole(bob, "view", settings);
    assert.deepEqual(staffRole(bob, "assist", settings), {
      metadata: metadata("kubecamp:staff-assist"),
      rules: [
        ...rules,
        { apiGroups: [""], resources: ["pods/exec", "pods/portforward"], verbs: ["get", "create"] },
        { apiGroups: [""], resources: ["pods"], verbs: ["delete"] },
        { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "statefulsets"], verbs: ["patch"] },
      ],
    });
  });
});

describe("a Role for a ServiceAccount that makes pods", () => {
  it("gives what KubeSpawner needs, and no Secret, no command in a pod and no end of a claim", () => {
    assert.deepEqual(staffRole(bob, "spawn", settings), {
      metadata: metadata("kubecamp:staff-spawn"),
      rules: [
        { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch", "create", "delete"] },
        { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "create"] },
        { apiGroups: [""], resources: ["events"], verbs: ["get", "list", "watch"] },
      ],
    });
  });
});

describe("a RoleBinding for staff", () => {
  const staff: Member["staff"] = {
    assist: [{ kind: "Group", name: "oidc:tas" }],
    edit: [{ kind: "User", name: "oidc:tina" }],
  };

  it("binds staff to their Role, for all who have it", () => {
    assert.deepEqual(staffBinding({ ...bob, staff }, "assist", settings), {
      metadata: metadata("kubecamp:staff-assist"),
      roleRef: { apiGroup, kind: "Role", name: "kubecamp:staff-assist" },
      subjects: [{ kind: "Group", name: "oidc:tas", apiGroup }],
    });
  });

  it("binds a ServiceAccount by the name that it signs in with, and says when that ends", () => {
    const hub = { kind: "User", name: "system:serviceaccount:hub:hub" } as const;
    assert.deepEqual(staffBinding({ ...bob, staff: { spawn: [{ ...hub, until: "2026-12-20" }] } }, "spawn", settings), {
      metadata: {
        ...metadata("kubecamp:staff-spawn"),
        annotations: { ...atOnce, "kubecamp.dev/staff-until": `${hub.name} until 2026-12-20` },
      },
      roleRef: { apiGroup, kind: "Role", name: "kubecamp:staff-spawn" },
      subjects: [{ ...hub, apiGroup }],
    });
  });

  it("says whose access ends, and finds it again whatever the names and reasons", () => {
    const names = ["oidc:tina", "oidc:tina until 2026-01-01, x", "oidc:t"];
    const leases = names.map((name, at) => ({
      ...({ kind: "User", name } as const),
      ...(at === 2
        ? {}
        : { until: at === 0 ? "2026-12-20" : "2026-12-20T18:00Z", reason: `why, until 2027-0${at + 1}-01` }),
    }));
    const { metadata, subjects } = staffBinding({ ...bob, staff: { view: leases } }, "view", settings);
    const text = metadata.annotations["kubecamp.dev/staff-until" as keyof typeof metadata.annotations];
    assert.deepEqual(
      subjects.map((subject) => leaseIn(text, subject)),
      leases.map(({ kind: _, name: __, ...lease }) => lease),
    );
    assert.deepEqual(leaseIn(undefined, subjects[0]), {});
  });
});
