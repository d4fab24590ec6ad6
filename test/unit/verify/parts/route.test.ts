import assert from "node:assert/strict";
import { keyOf } from "../../../../cluster/kinds/objectName.ts";
import type { ReadObject } from "../../../../plan/rows/row.ts";
import type { Tried } from "../../../../verify/outcome.ts";
import type { Visit } from "../../../../verify/parts/route/visit.ts";
import { tryRoute } from "../../../../verify/parts/route.ts";
import { objectsOf } from "../../../../verify/stage/manifest.ts";
import type { Stage } from "../../../../verify/stage/stage.ts";
import { configuration, loginAt } from "../../samples.ts";

const host = "camp.example.org";
const readyPod = {
  status: {
    podIP: "10.0.0.1",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ containerID: "containerd://1" }],
  },
};

/** A cluster whose paths lead where they should, unless told otherwise. */
class FakeCluster {
  /** Texts that apps serve, by member. */
  readonly texts = new Map<string, string>();
  readonly objects = new Set<string>();
  /** Whose Ingress an entry point knows. */
  readonly open = new Set<string>();
  pod: object = readyPod;
  refusal: string | undefined;

  stage(raw: Record<string, unknown> = {}, entries: readonly object[] = [{}, {}]): Stage {
    const members = ["ann", "ben"]
      .slice(0, entries.length)
      .map((member, at) => ({ member, type: "user", ...entries[at] }));
    const { settings, members: made } = configuration({ members, ...raw });
    const players = made.map((member) => ({
      member,
      namespace: member.name,
      ask: (_: string, __: string, body: object = {}) => this.#make(member.name, body),
      ...objectsOf(member, settings),
    }));
    const stage: Partial<Record<keyof Stage, unknown>> = {
      settings,
      players,
      signal: new AbortController().signal,
      api: {
        get: () => Promise.resolve(this.pod),
        write: ({ path }: { readonly path: string }) => {
          const [, name = ""] = /ingresses\/(\w+)$/.exec(path) ?? [];
          this.open.delete(name);
          return Promise.resolve("");
        },
      },
      apply: (object: ReadObject) => {
        this.objects.add(keyOf(object));
        if (object.kind === "Ingress") {
          this.open.add(object.name);
        }
        return Promise.resolve();
      },
    };
    return stage as unknown as Stage;
  }

  #make(
    member: string,
    body: {
      readonly kind?: string;
      readonly spec?: { readonly containers?: readonly { readonly command?: string[] }[] };
    },
  ) {
    if (this.refusal !== undefined) {
      return Promise.resolve({ status: 403, body: { message: this.refusal } });
    }
    const text = body.spec?.containers?.[0]?.command?.[4];
    if (text !== undefined) {
      this.texts.set(member, text);
    }
    return Promise.resolve({ status: 201, body });
  }

  /** What an entry point answers that does as it should. */
  answer(url: string): Visit {
    const [, member = ""] = new URL(url).pathname.split("/");
    const text = this.open.has(member) ? this.texts.get(member) : undefined;
    return text === undefined
      ? { status: 404, body: "404 page not found", distrust: undefined }
      : { status: 200, body: text, distrust: undefined };
  }
}

interface Given {
  readonly cluster?: FakeCluster;
  readonly raw?: Record<string, unknown>;
  readonly entries?: readonly object[];
  readonly look?: (url: string, cluster: FakeCluster) => Visit;
}

async function shown({ cluster = new FakeCluster(), raw, entries, look = (url) => cluster.answer(url) }: Given = {}) {
  const trial = {
    stage: cluster.stage(raw, entries),
    configuration: configuration({ members: [] }),
    options: { only: [], image: "busybox" },
  };
  const tried: readonly Tried[] = await tryRoute(trial, {
    look: async (url) => look(url, cluster),
    opening: 30,
    closing: 30,
    pause: 1,
  });
  return tried.map(({ promise, outcome }) => {
    const trouble = outcome.is === "broken" ? `${outcome.tried}: ${outcome.came}` : "why" in outcome && outcome.why;
    return `${outcome.is} ${promise}${trouble === false ? "" : `; ${trouble}`}`;
  });
}

const leads = "A member's path leads to their Service";
const asks = "A path lets in nobody who has not signed in";
const trusted = "Paths have a certificate that this machine trusts";
const closes = "A path that closes leads nowhere, and the others stay open";
const every = (line: (promise: string) => string) => [line(leads), line(trusted), line(leads), line(trusted)];
const error = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe("a verification of routes", () => {
  it("finds paths that lead to their Services, and close alone", async () => {
    const cluster = new FakeCluster();
    assert.deepEqual(await shown({ cluster }), [...every((promise) => `held ${promise}`), `held ${closes}`]);
    assert.deepEqual([...cluster.open], ["ben"]);
  });

  it("waits for an entry point that takes its time", async () => {
    let looks = 0;
    const lines = await shown({
      look: (url, cluster) => {
        looks += 1;
        if (looks < 5) {
          throw error("ECONNREFUSED");
        }
        return cluster.answer(url);
      },
    });
    assert.deepEqual(lines, [...every((promise) => `held ${promise}`), `held ${closes}`]);
  });

  it("is broken by a path that leads to another's app", async () => {
    const lines = await shown({ look: (_, cluster) => cluster.answer(`https://${host}/ann/`) });
    assert.deepEqual(lines, [
      `held ${leads}`,
      `held ${trusted}`,
      `broken ${leads}; GET https://${host}/ben/: 200, from something else than the app behind it`,
      `held ${trusted}`,
      `unproven ${closes}; no two paths opened`,
    ]);
  });

  it("is broken by a path that stays open, and by one that closes with another", async () => {
    const held = every((promise) => `held ${promise}`);
    const stays = await shown({
      look: (url, cluster) =>
        ({ status: 200, body: [...cluster.texts.values()].join(), distrust: undefined, url }) as Visit,
    });
    assert.deepEqual(stays, [...held, `broken ${closes}; closed https://${host}/ann/: it still answers after 0.03 s`]);
    const both = await shown({
      look: (url, cluster) =>
        cluster.texts.size === 2 && cluster.open.size === 1
          ? { status: 503, body: "", distrust: undefined }
          : cluster.answer(url),
    });
    assert.deepEqual(both.slice(4), [
      `broken ${closes}; closed https://${host}/ann/: https://${host}/ben/ answers 503 since`,
    ]);
  });

  it("says what is wrong with a certificate, and that one of an own CA proves nothing", async () => {
    const distrusting = (distrust: string) => shown({ look: (url, cluster) => ({ ...cluster.answer(url), distrust }) });
    assert.deepEqual(
      (await distrusting("CERT_HAS_EXPIRED"))[1],
      `broken ${trusted}; GET https://${host}/ann/: CERT_HAS_EXPIRED`,
    );
    assert.match((await distrusting("DEPTH_ZERO_SELF_SIGNED_CERT"))[1] ?? "", /^broken /);
    assert.match((await distrusting("SELF_SIGNED_CERT_IN_CHAIN"))[1] ?? "", /^unproven .*NODE_EXTRA_CA_CERTS/);
    assert.match((await distrusting("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"))[1] ?? "", /^unproven .*NODE_EXTRA_CA_CERTS/);
  });

  it("proves nothing from a machine that does not reach the entry point", async () => {
    const failing = (code: string) =>
      shown({
        look: () => {
          throw error(code);
        },
      });
    const line = (why: string) => [
      ...every((promise) => `unproven ${promise}; ${why}`),
      `unproven ${closes}; no two paths opened`,
    ];
    assert.deepEqual(await failing("ENOTFOUND"), line(`the name ${host} is not known in DNS here`));
    const refused = await failing("ECONNREFUSED");
    assert.equal(
      refused[0],
      `unproven ${leads}; this machine gets no answer from https://${host}/ann/: connect ECONNREFUSED`,
    );
  });

  it("proves nothing where no pod can be made or runs, and opens no path then", async () => {
    const cluster = new FakeCluster();
    cluster.refusal = "exceeded quota: quota";
    assert.equal((await shown({ cluster }))[0], `unproven ${leads}; no Service can be made: exceeded quota: quota`);
    cluster.refusal = undefined;
    const terminated = { exitCode: 127, reason: "Error" };
    cluster.pod = { status: { containerStatuses: [{ state: { terminated } }] } };
    assert.equal(
      (await shown({ cluster }))[0],
      `unproven ${leads}; the pod 'page' does not run: its container has ended: Error (127)`,
    );
    assert.equal(cluster.objects.size, 0);
  });

  it("proves nothing where routes speak HTTPS to apps", async () => {
    const raw = { route: { host, backendProtocol: "HTTPS" } };
    const [line] = await shown({ raw });
    assert.equal(
      line,
      `unproven ${leads}; routes lead to members' apps by HTTPS, and the app of a verification has no certificate`,
    );
  });

  it("leaves out members without a path", async () => {
    assert.deepEqual(await shown({ entries: [{ route: false }, { route: false }] }), []);
    assert.deepEqual(await shown({ entries: [{ route: false }, {}] }), [
      `held ${leads}`,
      `held ${trusted}`,
      `unproven ${closes}; no two paths opened`,
    ]);
  });

  describe("with a login", () => {
    const raw = { route: { host, login: loginAt("login.example.org") } };
    const sentOn = (url: string, cluster: FakeCluster): Visit => {
      const { status } = cluster.answer(url);
      return { status: status === 200 ? 302 : status, body: "", distrust: undefined };
    };

    it("finds paths that send visitors to sign in", async () => {
      const lines = await shown({ raw, look: sentOn });
      assert.deepEqual(lines, [`held ${asks}`, `held ${trusted}`, `held ${asks}`, `held ${trusted}`, `held ${closes}`]);
    });

    it("is broken by a path that lets anybody in", async () => {
      const lines = await shown({ raw });
      assert.equal(
        lines[0],
        `broken ${asks}; GET https://${host}/ann/, without signing in: the answer of the app behind it`,
      );
      assert.equal(lines[4], `unproven ${closes}; no two paths opened`);
    });

    it("is broken by an answer that asks nobody", async () => {
      const lines = await shown({ raw, look: () => ({ status: 500, body: "", distrust: undefined }) });
      assert.equal(
        lines[0],
        `broken ${asks}; GET https://${host}/ann/: 500, from something else than the app behind it`,
      );
    });
  });
});
