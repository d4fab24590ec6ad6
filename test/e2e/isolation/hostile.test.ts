import assert from "node:assert/strict";
import type { V1Pod } from "@kubernetes/client-node";
import { type Entry, useStack } from "../program/stack.ts";
import { rolledOut, until } from "../program/workloads.ts";
import { type Caller, signedIn, wordsOf } from "../support/signIn/signedIn.ts";
import { amounts } from "./hostile/amounts.ts";
import { type Attacker, attackers, image, victim } from "./hostile/attempt.ts";
import { byHand, rightsByHand } from "./hostile/byHand.ts";
import { control } from "./hostile/control.ts";
import { deputies } from "./hostile/deputies.ts";
import { guarded } from "./hostile/guarded.ts";
import { identities } from "./hostile/identities.ts";
import { images } from "./hostile/images.ts";
import { lasting } from "./hostile/lasting.ts";
import { neighbour } from "./hostile/neighbour.ts";
import { placement } from "./hostile/placement.ts";
import { pods } from "./hostile/pods.ts";
import { rails } from "./hostile/rails.ts";
import { reserved } from "./hostile/reserved.ts";
import { services } from "./hostile/services.ts";
import { containerSettings } from "./hostile/settings.ts";
import { tokens } from "./hostile/tokens.ts";
import { uncounted } from "./hostile/uncounted.ts";

const groups = [
  tokens,
  neighbour,
  rails,
  identities,
  control,
  services,
  byHand,
  pods,
  placement,
  images,
  lasting,
  deputies,
  uncounted,
  reserved,
  containerSettings,
  amounts,
];
const attempts = groups.flatMap((group) => group.attempts);

/** Enough for the pods of all controls at once. */
const room = { maxCPUm: 4000, maxMemoryMiB: 4000, maxEphemeralStorageMiB: 40_000 };

const members: readonly Entry[] = [
  // Their path is open from the first run.
  { member: victim, type: "user", route: { readiness: { mode: "managed" } } },
  ...Object.entries(attackers).map(([member, type]) => ({ member, type, images: [image, "ghcr.io/acme/*"], ...room })),
];

describe(`a hostile member's afternoon: ${attempts.length} attempts, each refused`, () => {
  const stack = useStack("hostile");
  const callers = new Map<Attacker, Caller>();
  const callerOf = (who: Attacker = "mallory"): Caller => callers.get(who) ?? assert.fail(who);
  let guardedBefore: readonly unknown[] = [];

  before(async () => {
    await stack.configure(members, { contact: "platform@example.org" });
    await stack.upFine();
    const metadata = (name: string) => ({ name, namespace: victim });
    const containers = [{ name: "web", image }];
    await stack.sandbox.apply(
      ...rightsByHand,
      { apiVersion: "v1", kind: "Secret", metadata: metadata("key"), stringData: { password: "theirs" } },
      { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("settings"), data: { colour: "red" } },
      { apiVersion: "v1", kind: "Pod", metadata: metadata("web"), spec: { containers } },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: metadata("web"),
        spec: {
          selector: { matchLabels: { app: "web" } },
          template: { metadata: { labels: { app: "web" } }, spec: { containers } },
        },
      },
    );
    await rolledOut(stack, victim);
    await until(async () => {
      const { status } = await stack.sandbox.get<V1Pod>("pod", "web", victim);
      return (status?.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True");
    });
    for (const who of Object.keys(attackers) as Attacker[]) {
      callers.set(who, await signedIn(stack.sandbox, { sub: who }));
    }
    guardedBefore = await guarded(stack.sandbox.read, victim);
  });

  for (const { on, attempts: refused, controls } of groups) {
    describe(`on ${on}`, () => {
      // Controls run first, so that the attempts find objects of the attackers' own.
      for (const [does, ask, by] of controls) {
        it(`(nobody minds: ${does})`, async () => {
          const answer = await ask(callerOf(by), stack.sandbox);
          assert.ok(answer.status < 300, wordsOf(answer));
        });
      }
      for (const [tries, ask, refusal, by] of refused) {
        it(tries, async () => {
          const answer = await ask(callerOf(by), stack.sandbox);
          assert.ok(answer.status >= 400, wordsOf(answer));
          assert.match(wordsOf(answer), refusal);
        });
      }
    });
  }

  // In a describe of its own: mocha runs a suite's own tests before those of nested suites.
  describe("and after all of it", () => {
    it("everything is as it was that is the platform's or the neighbour's", async () => {
      assert.deepEqual(await guarded(stack.sandbox.read, victim), guardedBefore);
    });
  });
});
