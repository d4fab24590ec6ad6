import assert from "node:assert/strict";
import { allPages, mostBytes, type Page } from "../../../../cluster/api/answers.ts";
import { StatusError, TooLongError } from "../../../../cluster/api/errors.ts";

/** Each answer once, in its order; an error is thrown. */
function answering(...answers: readonly (Page | Error)[]) {
  const asked: string[] = [];
  const left = [...answers];
  const ask = async (path: string) => {
    asked.push(path);
    const answer = left.shift();
    assert.ok(answer !== undefined, `nobody expected ${path}`);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
  return { asked, ask };
}

const page = (more: string, ...items: readonly string[]): Page => ({ items: [...items], resourceVersion: "7", more });
const over = new StatusError(410, "The provided continue parameter is too old", undefined);

describe("a list", () => {
  it("reads a long list in pages, each asked for with the token of the one before", async () => {
    const { asked, ask } = answering(page("x+/=", "a", "b"), page("y", "c"), page("", "d"));
    const path = "/apis/networking.k8s.io/v1/ingresses?labelSelector=a%3Db";
    assert.deepEqual(await allPages(path, ask), { items: ["a", "b", "c", "d"], resourceVersion: "7" });
    assert.deepEqual(asked, [
      `${path}&limit=500`,
      `${path}&limit=500&continue=x%2B%2F%3D`,
      `${path}&limit=500&continue=y`,
    ]);
  });

  it("begins an expired list anew, so that nobody is listed twice or not at all", async () => {
    const { asked, ask } = answering(page("x", "a", "b"), over, page("y", "b"), page("", "c"));
    assert.deepEqual((await allPages("/api/v1/services", ask)).items, ["b", "c"]);
    assert.deepEqual(asked.slice(2), ["/api/v1/services?limit=500", "/api/v1/services?limit=500&continue=y"]);
  });

  it("lists fewer large objects in a page: a member may have hundreds of more than a MiB each", async () => {
    const long = new TooLongError(mostBytes);
    const { asked, ask } = answering(page("a", "a"), long, long, page("b", "b", "c"), long, page("", "d"));
    const most: number[] = [];
    const { items } = await allPages("/a", async (path, each) => {
      most.push(each);
      return await ask(path);
    });
    assert.equal(items.join(""), "abcd");
    assert.deepEqual(asked, [
      "/a?limit=500",
      "/a?limit=500&continue=a",
      "/a?limit=62&continue=a",
      "/a?limit=7&continue=a",
      "/a?limit=14&continue=b",
      "/a?limit=1&continue=b",
    ]);
    // One object can't be divided.
    assert.deepEqual([...new Set(most)], [mostBytes, Number.POSITIVE_INFINITY]);
  });
});
