import assert from "node:assert/strict";
import { Lease, type LeaseApi, type LiveLease } from "../../../watch/lease.ts";

/** A Lease on an API server, and whoever waits for it: each pause is as long as it takes until something else is to happen. */
class Stage implements LeaseApi {
  time = 0;
  version = 1;
  spec: LiveLease["spec"] = {};
  outage: string | undefined;
  readonly gone = new Set<string>();
  readonly reported: string[] = [];

  readonly #happenings: (() => void)[] = [];

  async read(): Promise<LiveLease> {
    this.#asked();
    return {
      metadata: { name: "kubecamp-watch", namespace: "kubecamp-system", resourceVersion: `${this.version}` },
      ...(this.spec === undefined ? {} : { spec: this.spec }),
    };
  }

  async write({ metadata, spec }: LiveLease): Promise<LiveLease> {
    this.#asked();
    assert.equal(metadata.resourceVersion, `${this.version}`, "409 Conflict");
    this.written(spec);
    return await this.read();
  }

  async isGone(pod: string): Promise<boolean> {
    this.#asked();
    return this.gone.has(pod);
  }

  written(spec: LiveLease["spec"]): void {
    this.version++;
    this.spec = spec;
  }

  /** After the pause that comes next, or the one after that, and so on. */
  next(...happenings: (() => void)[]): this {
    this.#happenings.push(...happenings);
    return this;
  }

  lease(pod: string): Lease {
    return new Lease(
      { namespace: "kubecamp-system", name: "kubecamp-watch", pod },
      {
        api: this,
        notify: (by, message) => this.reported.push(`${by}: ${message}`),
        now: () => this.time,
        pause: async (milliseconds, signal) => {
          this.time += milliseconds;
          const happening = this.#happenings.shift();
          happening?.();
          if (happening === undefined) {
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          }
        },
      },
    );
  }

  #asked(): void {
    if (this.outage !== undefined) {
      throw new Error(this.outage);
    }
  }
}

const nothing = () => undefined;
const never = new AbortController().signal;
/** So many pauses. */
const minute = Array.from({ length: 12 }, () => nothing);

describe("the Lease of a watch", () => {
  it("takes a Lease that nobody has, and gives that back", async () => {
    const stage = new Stage();
    const lease = stage.lease("watch-1");
    assert.equal(await lease.take(never), true);
    assert.equal(stage.spec?.holderIdentity, "watch-1");
    assert.equal(stage.spec?.leaseDurationSeconds, 60);
    await lease.release();
    assert.deepEqual(stage.spec, { leaseTransitions: 1 });
    assert.deepEqual(stage.reported, []);
  });

  it("waits for a Lease while another pod renews that, and says so once, with the way out", async () => {
    const stage = new Stage();
    const renewed = () => stage.written({ holderIdentity: "watch-1" });
    renewed();
    stage.gone.add("watch-1");
    const stop = new AbortController();
    stage.next(...minute, renewed, ...minute.slice(1), renewed, () => stop.abort());
    assert.equal(await stage.lease("watch-2").take(stop.signal), true);
    const [reported = "", ...more] = stage.reported;
    assert.match(
      reported,
      /^watch-1: pod 'watch-1' has the Lease 'kubecamp-system\/kubecamp-watch', and this watch waits/,
    );
    assert.match(reported, /kubectl delete pod watch-1 -n kubecamp-system --force$/);
    assert.deepEqual(more, []);
  });

  it("waits for a Lease while the pod is there that holds that, though without renewals", async () => {
    const stage = new Stage();
    stage.written({ holderIdentity: "watch-1" });
    const lease = stage.lease("watch-2");
    const stop = new AbortController();
    stage.next(...minute, ...minute, () => {
      assert.match(lease.trouble ?? "", /pod 'watch-1' has the Lease/);
      stop.abort();
    });
    assert.equal(await lease.take(stop.signal), false);
    assert.equal(stage.spec?.holderIdentity, "watch-1");
  });

  it("takes a Lease from a pod that is gone a minute after its renewal, or at once if given back", async () => {
    const stage = new Stage();
    stage.written({ holderIdentity: "watch-1" });
    stage.gone.add("watch-1");
    stage.next(...minute);
    assert.equal(await stage.lease("watch-2").take(never), true);
    assert.ok(stage.time >= 60_000);
    assert.equal(stage.spec?.holderIdentity, "watch-2");
    const other = stage.lease("watch-3");
    stage.next(() => stage.written({}));
    assert.equal(await other.take(never), true);
    assert.equal(other.trouble, undefined);
  });

  it("gives the Lease to one watch if two would take that at once", async () => {
    const stage = new Stage();
    const [first, second] = [stage.lease("watch-1"), stage.lease("watch-2")];
    const stop = new AbortController();
    stage.next(() => stop.abort());
    assert.deepEqual(await Promise.all([first.take(never), second.take(stop.signal)]), [true, false]);
    assert.equal(stage.spec?.holderIdentity, "watch-1");
  });

  it("keeps the Lease through a short outage, and waits for one through an outage at the start", async () => {
    const stage = new Stage();
    const lease = stage.lease("watch-1");
    const isOver = Promise.withResolvers<void>();
    const outage = (words: string | undefined) => () => {
      stage.outage = words;
    };
    outage("connect ECONNREFUSED")();
    stage.next(
      () => assert.match(lease.trouble ?? "", /can't be taken: connect ECONNREFUSED/),
      outage(undefined),
      nothing,
      outage("connect ECONNREFUSED"),
      ...minute.slice(8),
      outage(undefined),
      ...minute,
      isOver.resolve,
    );
    assert.equal(await lease.take(never), true);
    await isOver.promise;
    assert.equal(lease.lost.aborted, false);
    await lease.release();
    assert.deepEqual(stage.spec, { leaseTransitions: 1 });
  });

  for (const [what, happens, why] of [
    ["an outage is too long", (stage: Stage) => (stage.outage = "no route"), /30 s: no route/],
    ["another holds that", (stage: Stage) => stage.written({ holderIdentity: "watch-2" }), /watch-2 has it now/],
  ] as const) {
    it(`loses the Lease, and does not give that back, where ${what}`, async () => {
      const stage = new Stage();
      const lease = stage.lease("watch-1");
      stage.next(() => happens(stage), ...minute);
      await lease.take(never);
      await new Promise<void>((resolve) => lease.lost.addEventListener("abort", () => resolve()));
      assert.match(lease.lost.reason.message, why);
      stage.outage = undefined;
      const { version } = stage;
      await lease.release();
      assert.equal(stage.version, version);
    });
  }
});
