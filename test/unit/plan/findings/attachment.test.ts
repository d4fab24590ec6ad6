import assert from "node:assert/strict";
import { refusalOf, unprogrammed } from "../../../../cluster/kinds/gatewayStatus.ts";
import type { Member } from "../../../../config/member/member.ts";
import { unattached } from "../../../../plan/findings/decisions.ts";
import { managedObject } from "../../cluster/leaving.ts";
import { alice, bob, gatewaySettings, labelsOf, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

const condition = (type: string, status: string, reason: string, message = "") => ({ type, status, reason, message });
const gateway = { name: "public", namespace: "gateways" };
/** A route with what the Gateway `gateways/public` says of it. */
const said = (...conditions: object[]) => {
  const old = { name: "old", namespace: "gateways" };
  const parents = [
    { parentRef: old, conditions: [condition("Accepted", "False", "NoMatchingParent")] },
    { parentRef: gateway, conditions },
  ];
  return { status: { parents } };
};
const notAllowed = condition("Accepted", "False", "NotAllowedByListeners", "no listener takes routes from bob");

describe("whether a Gateway serves a route", () => {
  it("takes the Gateway's own word on whether it serves a route, with its reason", () => {
    assert.equal(refusalOf(said(notAllowed), gateway), "NotAllowedByListeners: no listener takes routes from bob");
    const accepted = condition("Accepted", "True", "Accepted");
    const refused = refusalOf(said(accepted, condition("ResolvedRefs", "False", "BackendNotFound")), gateway);
    assert.equal(refused, "BackendNotFound");
    assert.equal(refusalOf(said(accepted, condition("ResolvedRefs", "True", "ResolvedRefs")), gateway), undefined);
  });

  it("tells in one warning of all whose route a Gateway does not serve", () => {
    const live = { labels: {}, terminating: false, unprogrammed: undefined };
    const managedObjects = new Map([
      ["HTTPRoute alice/alice", managedObject("alice")],
      ["HTTPRoute bob/bob", managedObject("bob", said(notAllowed))],
    ]);
    const reported = (...members: readonly Member[]) =>
      textOf(unattached(planOf(members, gatewaySettings(), { gateway: live, managedObjects })));
    assert.equal(
      reported(alice, bob),
      "Routes that Gateway 'gateways/public' does not serve (docs/run/gateway.md):\n" +
        "  bob: NotAllowedByListeners: no listener takes routes from bob",
    );
    assert.equal(reported(alice), undefined);
  });

  it("tells of the Gateway itself where no controller serves it, with what it says of that", () => {
    const waits = { status: { conditions: [condition("Programmed", "Unknown", "Pending", "Waiting for controller")] } };
    assert.equal(unprogrammed(waits), "Pending: Waiting for controller");
    assert.equal(unprogrammed({}), "no controller has said anything of it");
    const serves = condition("Programmed", "True", "Programmed");
    assert.equal(
      unprogrammed({ status: { conditions: [condition("Accepted", "True", "Accepted"), serves] } }),
      undefined,
    );
    const live = { labels: {}, terminating: false, unprogrammed: unprogrammed(waits) };
    const managedObjects = new Map([["HTTPRoute bob/bob", managedObject("bob", said(notAllowed))]]);
    assert.deepEqual(
      textOf(unattached(planOf([bob], gatewaySettings(), { gateway: live, managedObjects })))?.split("\n"),
      [
        "Gateway 'gateways/public' (route.gateway) is not programmed (Pending: Waiting for controller): " +
          "no member's path can be reached until a controller serves it (docs/run/gateway.md)",
        "Routes that Gateway 'gateways/public' does not serve (docs/run/gateway.md):",
        "  bob: NotAllowedByListeners: no listener takes routes from bob",
      ],
    );
  });

  it("tells once where there is no Gateway, or none for long", () => {
    for (const [gateway, state] of [
      [undefined, "does not exist"],
      [{ labels: labelsOf("bob"), terminating: true, unprogrammed: undefined }, "is being deleted"],
    ] as const) {
      assert.equal(
        textOf(unattached(planOf([bob], gatewaySettings(), { gateway, managedObjects: new Map() }))),
        `Gateway 'gateways/public' (route.gateway) ${state}: no member's path can be reached until there is one (docs/run/gateway.md)`,
      );
    }
    const text = textOf(unattached(planOf([bob], settings, { gateway: undefined, managedObjects: new Map() })));
    assert.equal(text, undefined);
  });
});
