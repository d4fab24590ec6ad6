import assert from "node:assert/strict";
import {
  annotationOf,
  type Channels,
  type Coming,
  comingOf,
  newsOf,
  type ToldNotices,
  toldIn,
  withUnsent,
} from "../../../../plan/findings/coming.ts";
import { member, settings } from "../../samples.ts";

const none: ToldNotices = new Map();
const quiet: Channels = { all: [], free: [] };
const both: Channels = { all: ["webhook", "mail"], free: ["webhook", "mail"] };
const text = (days: string) =>
  `The last day of your environment is 2026-06-29 in UTC, ${days}. After it, you have no access and your pods stop.`;

/** bob's notices on a day of June; his last day is the 29th. */
const on = (day: number, expires = "2026-06-29"): Coming[] =>
  comingOf({
    members: [member({ member: "bob", type: "user", expires })],
    settings,
    snapshot: { managedObjects: new Map() },
    now: new Date(Date.UTC(2026, 5, day, 12)),
  });
const steps = (fresh: readonly Coming[]) => fresh.map(({ step }) => step);

describe("what was told", () => {
  it("sends a notice once for each threshold, and remembers that in an annotation", () => {
    assert.deepEqual(newsOf(on(14), none, quiet), { told: none, fresh: [], messages: new Map() });
    const first = newsOf(on(15), none, quiet);
    assert.deepEqual(steps(first.fresh), [14]);
    const annotation = annotationOf(first.told);
    assert.equal(annotation, JSON.stringify([{ key: "expires 2026-06-29", step: 14, text: text("in 14 days") }]));
    const again = newsOf(on(20), toldIn(annotation), quiet);
    assert.deepEqual([again.fresh, again.told], [[], first.told]);
    const last = newsOf(on(27), toldIn(annotation), quiet);
    assert.deepEqual(steps(last.fresh), [3]);
    assert.deepEqual([...last.told.values()], [{ step: 3, text: text("in 2 days"), unsent: [] }]);
  });

  it("sends no notice again when the clock is set back, nor after the last day", () => {
    const { told } = newsOf(on(28), none, quiet);
    for (const day of [16, 1, 29]) {
      const next = newsOf(on(day), told, quiet);
      assert.deepEqual([next.fresh, next.told], [[], told], String(day));
    }
    assert.deepEqual(newsOf(on(30), told, quiet).fresh, []);
    assert.deepEqual(newsOf(on(28), newsOf(on(30), told, quiet).told, quiet).fresh, []);
  });

  it("sends notices anew of another last day, and remembers nothing without one", () => {
    const { told } = newsOf(on(28), none, quiet);
    const next = newsOf(on(28, "2026-06-30"), told, quiet);
    assert.deepEqual([steps(next.fresh), [...next.told.keys()]], [[3], ["expires 2026-06-30"]]);
    assert.equal(annotationOf(newsOf([], told, quiet).told), undefined);
  });

  it("sends a notice to each channel that is free, and to the others later", () => {
    const first = newsOf(on(15), none, { all: ["webhook", "mail"], free: ["mail"] });
    assert.deepEqual([...first.messages.keys()], ["mail"]);
    assert.deepEqual([...toldIn(annotationOf(first.told)).values()][0]?.unsent, ["webhook"]);
    const later = newsOf(on(16), first.told, both);
    assert.deepEqual([...later.messages.keys()], ["webhook"]);
    assert.deepEqual([later.fresh, [...later.told.values()][0]?.unsent], [[], []]);
    assert.deepEqual(newsOf(on(17), later.told, both).messages, new Map());
  });

  it("sends a notice again to a failed channel, unless that is no longer set, or it is too late", () => {
    const { told } = newsOf(on(15), none, both);
    const failed = withUnsent(withUnsent(told, ["expires 2026-06-29"], "mail"), ["expires 2026-06-29"], "mail");
    assert.deepEqual([...failed.values()][0]?.unsent, ["mail"]);
    assert.deepEqual([...newsOf(on(16), failed, both).messages.keys()], ["mail"]);
    assert.deepEqual(newsOf(on(16), failed, quiet).told, told);
    assert.deepEqual(newsOf(on(30), failed, both).messages, new Map());
  });

  it("reads no notice from an annotation that kubecamp has not written", () => {
    for (const strange of [undefined, "", "{", "{}", "[1]", '[{"key":"x","step":"1","text":""}]', "null"]) {
      assert.deepEqual(toldIn(strange), none);
    }
  });
});
