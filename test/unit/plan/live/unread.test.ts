import assert from "node:assert/strict";
import type { Kind } from "../../../../cluster/kinds/kinds.ts";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, nothingRead } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { isOpening } from "../../../../plan/decisions/readiness.ts";
import { closingRoutes } from "../../../../plan/findings/closing.ts";
import { leavingMembers } from "../../../../plan/findings/leaving.ts";
import { statusOf } from "../../../../plan/findings/status.ts";
import { isOpen } from "../../../../plan/live/openRoutes.ts";
import { mutatesAsLast } from "../../../../plan/live/unread.ts";
import { missingObjects } from "../../../../plan/members/missing.ts";
import type { Plan } from "../../../../plan/members/plan.ts";
import { isRead } from "../../../../plan/rows/manifest.ts";
import { cluster, inhabitedBy, managedObject, owned } from "../../cluster/leaving.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, member, settings } from "../../samples.ts";
import { knowing, managedOf, planned, planOf, textOf } from "../planned.ts";

/** Without some kinds, and with what Pulumi's state has. */
const without = (kinds: readonly Kind[], last: readonly string[] | undefined, more: Partial<ClusterSnapshot> = {}) =>
  cluster({
    namespaces: new Map([["bob", owned("bob")]]),
    ...more,
    unread: {
      offline: false,
      kinds: new Map(kinds.map((kind) => [kind, "403 no"])),
      last: last === undefined ? undefined : new Set(last),
    },
  });
const open = ["bob/namespace", "bob/route/service", "bob/route/ingress"];
const closed = ["bob/namespace"];
const bobWith = (readiness: object) => member({ member: "bob", type: "user", route: { readiness } });
const fit = { services: new Map([["bob/bob-svc", liveService()]]) };
const opens = (who: Member, snapshot: ClusterSnapshot) => isOpening(planned(who, settings, snapshot).readiness);

describe("what a preview could not read", () => {
  describe("about a Service", () => {
    it("leaves the path as Pulumi's state has it where Services are unread, and says why", () => {
      assert.deepEqual(planned(bob, settings, without(["Service"], open)).readiness, {
        state: "unknown",
        reason: "not checked: this identity may not read Services",
        isOpen: true,
      });
      const isOpening = [open, closed, ["bobby/route/ingress"]].map((last) => opens(bob, without(["Service"], last)));
      assert.deepEqual(isOpening, [true, false, false]);
    });

    it("takes an unread Service's path as open where the state does not tell, never as closed", () => {
      assert.equal(opens(bob, without(["Service"], undefined)), true);
      assert.equal(opens(bob, nothingRead()), true);
    });

    it("keeps unread managed Services as they are, and makes those of who joins, path included", () => {
      const managed = bobWith({ mode: "managed" });
      const plan = (last: readonly string[] | undefined) => managedOf(managed, settings, without(["Service"], last));
      assert.ok("service" in (plan(["bob/namespace", "bob/service"]) ?? {}));
      assert.ok("service" in (plan([]) ?? {}));
      assert.ok("service" in (plan(undefined) ?? {}));
      assert.deepEqual(plan(closed), { obstacle: "not checked: this identity may not read Services" });
      assert.equal(opens(managed, without(["Service"], [])), true);
      assert.equal(opens(managed, without(["Service"], ["bob/namespace", "bob/service"])), false);
      assert.equal(opens(bobWith({ mode: "managed", requires: "endpoints" }), without(["Service"], [])), false);
    });
  });

  it("takes paths as open by Pulumi's state where Ingresses are unread, which a run would close", () => {
    assert.equal(isOpen(bob, settings, without(["Ingress"], open)), true);
    assert.equal(isOpen(bob, settings, without(["Ingress"], closed)), false);
    assert.equal(isOpen(bob, settings, without(["Role"], open)), false);
    const pending = { bob: statusOf(bob, { state: "pending", reason: "why" }) };
    const unknown = { bob: statusOf(bob, { state: "unknown", reason: "not checked", isOpen: true }) };
    assert.match(textOf(closingRoutes([bob], pending, settings, without(["Ingress"], open))) ?? "", /bob: why/);
    assert.equal(textOf(closingRoutes([bob], unknown, settings, without(["Ingress"], open))), undefined);
    const managedObjects = new Map([["Ingress ingress-nginx/bob", managedObject("bob")]]);
    const text = textOf(closingRoutes([bob], unknown, settings, without(["Service"], open, { managedObjects })));
    assert.equal(text, undefined);
  });

  it("takes no unread object for missing", () => {
    const known = (plan: Plan) =>
      knowing(...[...plan.shared, ...plan.members.flatMap(({ declared }) => declared)].filter(isRead).map(keyOf));
    const missingOf = (plan: Plan) => textOf(missingObjects(plan, known(plan)));
    const managedObjects = new Map([["Namespace bob", managedObject("bob")]]);
    const missing = (kinds: readonly Kind[]) =>
      missingOf(planOf([bob], settings, without(kinds, open, { ...fit, managedObjects })));
    assert.match(missing([]) ?? "", /\n {2}LimitRange bob\/default-limits/);
    const kinds = [...new Set(planned(bob, settings, cluster(fit)).declared.map(({ kind }) => kind))] as Kind[];
    const shared = ["ClusterRole", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"] as const;
    assert.equal(missing([...kinds, ...shared]), undefined);
    assert.equal(missingOf(planOf([bob], settings, nothingRead())), undefined);
  });

  it("counts unread objects of a leaver as unknown, not as none", () => {
    const leaving = (...unread: Parameters<typeof without>) => {
      const snapshot = { ...inhabitedBy("zoe"), unread: without(...unread).unread };
      return textOf(leavingMembers(planOf([bob], settings, snapshot))) ?? "";
    };
    assert.match(
      leaving(["Pod", "PersistentVolumeClaim", "RoleBinding"], []),
      /\n {2}zoe: namespace with an unknown number of unfinished pods, an unknown number of PersistentVolumeClaims; access \(bindings not counted\)\n/,
    );
    const plan = (last: readonly string[] | undefined) => leaving(["Service", "Ingress"], last);
    const uncounted = /an unknown number of Services; route \(not looked at\)/;
    assert.match(plan(undefined), uncounted);
    assert.match(plan(["zoe/namespace", "zoe/route/ingress"]), uncounted);
    assert.doesNotMatch(plan(["zoe/namespace"]), /route/);
  });
});

const offline = (...last: string[]) => ({ offline: true, kinds: new Map(), last: new Set(last) });

describe("whether the API server fills in what pods leave out", () => {
  it("hears from the API server, where asked, whether it fills in what pods leave out", () => {
    assert.equal(mutatesAsLast({ mutates: false }, undefined), false);
    assert.equal(mutatesAsLast({ mutates: true }, { offline: false, kinds: new Map() }), true);
    assert.equal(mutatesAsLast({}, undefined), undefined);
  });

  it("takes the API server offline to fill in what pods leave out, unless the last run did not", () => {
    assert.equal(mutatesAsLast({}, { offline: true, kinds: new Map() }), true);
    assert.equal(mutatesAsLast({}, offline("access/admission/pods")), true);
    assert.equal(mutatesAsLast({}, offline("access/admission/runtimes")), false);
    assert.equal(mutatesAsLast({}, offline("access/admission/runtimes", "access/admission/mutating/fill-in")), true);
  });
});
