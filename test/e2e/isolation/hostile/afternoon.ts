import assert from "node:assert/strict";
import type { V1Pod } from "@kubernetes/client-node";
import type { Entry, TestStack } from "../../program/stack.ts";
import { rolledOut, until } from "../../program/workloads.ts";
import { assertFine, assertRefused, type Caller, signedIn } from "../../support/signIn/signedIn.ts";
import { amounts } from "./amounts.ts";
import { type Attacker, type Attempt, attackers, image, victim } from "./attempt.ts";
import { byHand, rightsByHand } from "./byHand.ts";
import { control } from "./control.ts";
import { deputies } from "./deputies.ts";
import { guarded } from "./guarded.ts";
import { identities } from "./identities.ts";
import { images } from "./images.ts";
import { lasting } from "./lasting.ts";
import { neighbour } from "./neighbour.ts";
import { placement } from "./placement.ts";
import { pods } from "./pods.ts";
import { rails } from "./rails.ts";
import { reserved } from "./reserved.ts";
import { resizes } from "./resizes.ts";
import { services } from "./services.ts";
import { containerSettings } from "./settings.ts";
import { uncounted } from "./uncounted.ts";

const groups = [
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
  resizes,
  reserved,
  containerSettings,
  amounts,
];

/** All attempts, or for each group one that each guard refuses. */
export type Extent = "all" | "one of each guard";

/** A policy's name, the first of those that may refuse it; RBAC, the quota, or the words of another guard. */
const guardOf = ({ source }: RegExp) =>
  /'kubecamp-(?:\(\?:)?([a-z]+)/.exec(source)?.[1] ??
  /cannot \w+ resource|exceeded quota|PodSecurity/.exec(source)?.[0].replace(/ \w+ /, " ") ??
  source;
const oneOfEachGuard = (attempts: readonly Attempt[]) => [
  ...new Map(attempts.toReversed().map((attempt) => [guardOf(attempt[2]), attempt])).values(),
];

/** Enough for the pods of all controls at once. */
const room = { maxCPUm: 4000, maxMemoryMiB: 4000, maxEphemeralStorageMiB: 40_000 };

export const hostileMembers: readonly Entry[] = [
  // Their path is open from the first run.
  { member: victim, type: "user", route: { readiness: { mode: "managed" } } },
  ...Object.entries(attackers).map(([member, type]) => ({ member, type, images: [image, "ghcr.io/acme/*"], ...room })),
];

/** A hostile member's afternoon in a stack named `hostile`, which has the members above. */
export function afternoon(stack: TestStack, extent: Extent): void {
  const callers = new Map<Attacker, Caller>();
  const callerOf = (who: Attacker = "mallory"): Caller => callers.get(who) ?? assert.fail(who);
  let guardedBefore: readonly unknown[] = [];

  before(async () => {
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
    describe(`a hostile member on ${on}`, () => {
      // Controls run first, so that the attempts find objects of the attackers' own.
      for (const [does, control] of Object.entries(controls)) {
        const [ask, by] = typeof control === "function" ? [control] : control;
        it(`(allowed: ${does})`, async () => assertFine(await ask(callerOf(by), stack.sandbox)));
      }
      for (const [tries, ask, refusal, by] of extent === "all" ? refused : oneOfEachGuard(refused)) {
        it(tries, async () => assertRefused(await ask(callerOf(by), stack.sandbox), refusal));
      }
    });
  }

  // In a describe of its own: mocha runs a suite's own tests before those of nested suites.
  describe("after a hostile member's afternoon", () => {
    it("leaves all that is the platform's or the neighbour's as it was", async () => {
      assert.deepEqual(await guarded(stack.sandbox.read, victim), guardedBefore);
    });
  });
}
