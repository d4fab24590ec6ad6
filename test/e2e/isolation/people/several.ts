import assert from "node:assert/strict";
import type { Entry, TestStack } from "../../program/stack.ts";
import { assertFine, assertRefused, type Caller, signedIn } from "../../support/signIn/signedIn.ts";
import { inside } from "../hostile/attempt.ts";

const uma: Entry = { member: "uma", type: "student", route: false };
const thesis: Entry = { member: "uma-thesis", type: "student", subject: "uma", route: false };
export const severalMembers: readonly Entry[] = [uma, thesis];

/** What a person with two environments may do, in a stack with these settings and other members. */
export function several(stack: TestStack, others: readonly Entry[], settings: () => Record<string, unknown>): void {
  describe("a person with two environments", () => {
    let person: Caller;
    const make = (namespace: string, name: string) =>
      person.ask("POST", inside(namespace, "configmaps"), { metadata: { name } });
    const up = async (...own: readonly Entry[]) => {
      await stack.configure([...others, ...own], settings());
      return await stack.upFine();
    };

    before(async () => {
      person = await signedIn(stack.sandbox, { sub: "uma" });
    });

    // Others count what the stack has.
    after(() => up());

    it("works in both, and a run says that there are two", async () => {
      assertFine(await make("uma", "a"));
      assertFine(await make("uma-thesis", "a"));
      assert.match((await up(uma, thesis)).output, /oidc:uma has 2: uma, uma-thesis/);
    });

    it("keeps one while the other is suspended, and after it is gone", async () => {
      await up(uma, { ...thesis, suspended: true });
      assertFine(await make("uma", "b"));
      assertRefused(await make("uma-thesis", "b"), /cannot create resource/);
      await up(uma);
      assertFine(await make("uma", "c"));
      assert.equal(await stack.sandbox.find("namespace", "uma-thesis"), undefined);
    });
  });
}
