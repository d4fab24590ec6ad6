import assert from "node:assert/strict";
import type { Answer } from "../../../../../cluster/api/requests.ts";
import { type Attempt, type Request, tryAll } from "../../../../../verify/parts/admission/attempt.ts";

const like: Request = { method: "POST", path: "/api/v1/namespaces/x/pods", body: { is: "permitted" } };
const attempt: Attempt = { ...like, body: { is: "tried" }, like };
const status = (code: number, message = "no") => ({ status: code, body: { message } });
const made = status(201);

/** Tries one attempt, with these answers in turn to what is permitted, and this one to the attempt. */
async function outcome(permitted: readonly Answer[], answer: Answer, patience?: number) {
  const asked: { path: string; body: unknown }[] = [];
  const answers = [...permitted];
  const promised = { promise: "p", page: "a page", attempts: { "ran it": attempt, "ran it again": attempt } };
  const ask = async (_: string, path: string, body?: object) => {
    asked.push({ path, body });
    return body === like.body ? ((answers.length > 1 ? answers.shift() : answers[0]) ?? made) : answer;
  };
  const tried = await tryAll([{ by: "a user", ask, all: [promised] }], new AbortController().signal, patience);
  return { asked, tried, outcome: tried[0]?.outcome };
}

describe("an attempt", () => {
  it("is asked by dry run, in strict form, after one request that is permitted", async () => {
    const { asked, tried } = await outcome([made], status(403));
    const path = "/api/v1/namespaces/x/pods?dryRun=All&fieldValidation=Strict";
    assert.deepEqual(
      asked,
      [like.body, attempt.body, attempt.body].map((body) => ({ path, body })),
    );
    assert.deepEqual(
      tried,
      [1, 2].map(() => ({ promise: "p", page: "a page", by: "a user", outcome: { is: "held" } })),
    );
  });

  it("that is accepted breaks the promise", async () => {
    const came = "the API server accepted it (in a dry run)";
    assert.deepEqual((await outcome([made], made)).outcome, { is: "broken", tried: "ran it", came });
  });

  for (const code of [400, 403, 422]) {
    it(`that gets ${code} is refused, by whomever`, async () => {
      assert.deepEqual((await outcome([made], status(code))).outcome, { is: "held" });
    });
  }

  for (const code of [404, 409, 500]) {
    it(`that gets ${code} proves nothing`, async () => {
      assert.deepEqual((await outcome([made], status(code))).outcome, { is: "unproven", why: "ran it: no" });
    });
  }

  it("waits for rights that were just given", async () => {
    assert.deepEqual((await outcome([status(403), made], made)).outcome?.is, "broken");
  });

  it("proves nothing where what is permitted stays refused", async () => {
    const { outcome: found } = await outcome([status(403, "exceeded quota: theirs")], status(403), 0);
    const why = "what is permitted is refused too (POST /api/v1/namespaces/x/pods): exceeded quota: theirs";
    assert.deepEqual(found, { is: "unproven", why });
  });

  it("proves nothing where nobody can be impersonated", async () => {
    const ask = () => Promise.reject(new Error("this identity may not act as a member"));
    const promised = { promise: "p", page: "a page", attempts: { "ran it": attempt } };
    const [tried] = await tryAll([{ by: "a user", ask, all: [promised] }], new AbortController().signal);
    assert.deepEqual(tried?.outcome, { is: "unproven", why: "this identity may not act as a member" });
  });
});
