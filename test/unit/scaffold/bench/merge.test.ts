import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { merged } from "../../../../scaffold/bench/merge.ts";
import { results, row, size } from "./figures.ts";

describe("results of several runs", () => {
  it("are one, by number of members, in which a later run's figure counts", () => {
    const first = results(size(100, row("create", "kubecamp", 9), row("create", "kubectl", 3)));
    const second = results(size(1000), size(10));
    const third = results(size(100, row("create", "kubecamp", 8)));
    assert.deepEqual(
      merged([first, second, third]).sizes.map(({ members, rows }) => [members, rows]),
      [
        [10, []],
        [100, [row("create", "kubectl", 3), row("create", "kubecamp", 8)]],
        [1000, []],
      ],
    );
  });

  it("keep what only an earlier one has measured", () => {
    const distant = { roundTrip: 10, rows: [row("create", "kubectl", 30)] };
    const first = results({ ...size(100), distant, release: { bytes: 1 } });
    const [one] = merged([first, results(size(100, row("create", "kubecamp", 8)))]).sizes;
    assert.deepEqual(one, { ...size(100, row("create", "kubecamp", 8)), distant, release: { bytes: 1 } });
    const later = results({ ...size(100), distant: { roundTrip: 10, rows: [row("create", "helm", 20)] } });
    assert.deepEqual(merged([first, later]).sizes[0]?.distant?.rows, [...distant.rows, row("create", "helm", 20)]);
  });

  it("are not one where they are of different plugins or machines", () => {
    const one = results(size(10));
    const official = { ...one, plugins: { kubernetes: "official", languageHost: "official" } } as const;
    assert.throws(() => merged([one, official]), /different plugins/);
    assert.throws(() => merged([one, { ...one, machine: { cpus: 4, memoryGiB: 8 } }]), /different machine/);
    assert.throws(() => merged([]), /nothing to take results from/);
  });
});
