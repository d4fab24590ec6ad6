import assert from "node:assert/strict";
import { unsplitList } from "../../../../plan/findings/unsplit.ts";
import { bob, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

describe("a long list in one stack", () => {
  const said = (count: number, shards?: { family: string; count: number }) =>
    textOf(
      unsplitList(
        Array.from({ length: count }, () => bob),
        { ...settings, ...(shards && { shards }) },
      ),
    );

  it("is proposed to be split, with what that saves", () => {
    assert.equal(
      said(1000),
      "1000 members are in one stack, and a full run takes about 5.1 GiB of memory; split over 8 shards, one takes 1.1 GiB: " +
        "set kubecamp:shards to 8, then 'kubecamp shards files' (docs/run/shards.md).",
    );
    assert.match(said(300) ?? "", /split over 3 shards/);
  });

  it("is nothing where it is short, or split", () => {
    assert.equal(said(299), undefined);
    assert.equal(said(1000, { family: "prod", count: 8 }), undefined);
  });
});
