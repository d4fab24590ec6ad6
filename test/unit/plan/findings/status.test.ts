import assert from "node:assert/strict";
import { pendingRoutes, statusOf } from "../../../../plan/findings/status.ts";
import { bob } from "../../samples.ts";
import { textOf } from "../planned.ts";

const none = new Set<string>();
const named = (...names: string[]) => names.map((name) => ({ name }));

describe("a member's status", () => {
  it("gives a member's status the address while the path is open, else the reason", () => {
    const who = { type: "user", namespace: "bob" };
    assert.deepEqual(statusOf(bob, { state: "ready" }), {
      ...who,
      state: "ready",
      url: "https://camp.example.org/bob/",
    });
    for (const state of ["pending", "suspended"] as const) {
      assert.deepEqual(statusOf(bob, { state, reason: "why" }), { ...who, state, reason: "why" });
    }
  });

  it("warns once of all whose path is pending, and of nobody else", () => {
    const pending = (reason: string) => statusOf(bob, { state: "pending", reason });
    const others = { eve: statusOf(bob, { state: "ready" }), fay: statusOf(bob, { state: "suspended", reason: "x" }) };
    assert.equal(
      textOf(pendingRoutes([bob, ...named("eve", "fay")], { bob: pending("no Service"), ...others }, none)),
      "A route is pending, and will open with the first 'pulumi up' that finds a fit Service:\n  bob: no Service",
    );
    const two = { bob: pending("a"), dan: pending("b") };
    assert.match(textOf(pendingRoutes(named("bob", "dan"), two, none)) ?? "", /^2 routes are pending,/);
    assert.match(textOf(pendingRoutes(named("dan"), two, none)) ?? "", /^A route is pending,.*\n {2}dan: b$/);
    assert.match(
      textOf(pendingRoutes(named("bob", "dan"), two, new Set(["bob"]))) ?? "",
      /^A route is .*\n {2}dan: b$/,
    );
    assert.equal(textOf(pendingRoutes(named("dan"), two, new Set(["dan"]))), undefined);
    assert.equal(textOf(pendingRoutes(named("eve", "fay"), others, none)), undefined);
  });
});
