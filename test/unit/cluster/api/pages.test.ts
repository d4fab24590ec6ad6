import assert from "node:assert/strict";
import { StatusError, TooLongError } from "../../../../cluster/api/errors.ts";
import type { Page } from "../../../../cluster/api/listItems.ts";
import { allPages, mostBytes } from "../../../../cluster/api/pages.ts";

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

const page = (more: string, ...items: readonly string[]): Page => sized(0, more, ...items);
const sized = (bytes: number, more: string, ...items: readonly string[]): Page => ({
  ...{ items: [...items], size: items.length, bytes, resourceVersion: "7", more },
});
const over = new StatusError(410, "The provided continue parameter is too old", undefined);

describe("a list", () => {
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

  it("has fewer objects in a page where they are large: a member may have hundreds of more than a MiB each", async () => {
    const long = new TooLongError(mostBytes);
    const { asked, ask } = answering(
      page("a", "a"),
      ...[long, long],
      sized(mostBytes / 2, "b", "b", "c"),
      ...[page("c", "d", "e"), page("d", "f")],
      ...[long, long, long],
      page("", "g"),
    );
    const most: number[] = [];
    const { items } = await allPages("/a", async (path, each) => {
      most.push(each);
      return await ask(path);
    });
    assert.equal(items.join(""), "abcdefg");
    assert.deepEqual(asked, [
      "/a?limit=500",
      "/a?limit=500&continue=a",
      "/a?limit=62&continue=a",
      "/a?limit=7&continue=a",
      "/a?limit=3&continue=b",
      "/a?limit=24&continue=c",
      "/a?limit=192&continue=d",
      "/a?limit=24&continue=d",
      "/a?limit=3&continue=d",
      "/a?limit=1&continue=d",
    ]);
    // One object can't be divided.
    assert.deepEqual([...new Set(most)], [mostBytes, Number.POSITIVE_INFINITY]);
  });

  it("that would be too long in one piece is none", async () => {
    const { ask } = answering(page("x", "a"), over, new TooLongError(64 * 2 ** 20));
    await assert.rejects(allPages("/a", ask), /too long for one piece: the answer has more than 64 MiB/);
  });

  it("that was asked for in one piece is none if it is not", async () => {
    const { ask } = answering(page("x", "a"), over, page("y", "b"));
    await assert.rejects(allPages("/api/v1/services", ask), /a part of the list, not the whole/);
  });
});
