import assert from "node:assert/strict";
import { StatusError } from "../../../../cluster/api/errors.ts";
import type { Page } from "../../../../cluster/api/listItems.ts";
import { allPages } from "../../../../cluster/api/pages.ts";

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
  it("that is short takes one request", async () => {
    const { asked, ask } = answering(page("", "a"));
    assert.deepEqual(await allPages("/api/v1/services", ask), { items: ["a"], resourceVersion: "7" });
    assert.deepEqual(asked, ["/api/v1/services?limit=500"]);
  });

  it("that is long comes in pages, each asked for with what the one before it gave", async () => {
    const { asked, ask } = answering(page("x+/=", "a", "b"), page("y", "c"), page("", "d"));
    const path = "/apis/networking.k8s.io/v1/ingresses?labelSelector=a%3Db";
    assert.deepEqual(await allPages(path, ask), { items: ["a", "b", "c", "d"], resourceVersion: "7" });
    assert.deepEqual(asked, [
      `${path}&limit=500`,
      `${path}&limit=500&continue=x%2B%2F%3D`,
      `${path}&limit=500&continue=y`,
    ]);
  });

  it("whose moment is over in the middle comes anew, in one piece, so that nobody is in it twice or not at all", async () => {
    const { asked, ask } = answering(page("x", "a", "b"), over, page("", "b", "c"));
    assert.deepEqual((await allPages("/api/v1/services", ask)).items, ["b", "c"]);
    assert.deepEqual(asked.at(-1), "/api/v1/services");
  });

  it("of which a page is refused counts for nothing", async () => {
    const { ask } = answering(page("x", "a"), new StatusError(403, "{}", undefined));
    await assert.rejects(allPages("/api/v1/services", ask), /403/);
  });

  it("that was asked for in one piece is none if it is not", async () => {
    const { ask } = answering(page("x", "a"), over, page("y", "b"));
    await assert.rejects(allPages("/api/v1/services", ask), /a part of the list, not the whole/);
  });
});
