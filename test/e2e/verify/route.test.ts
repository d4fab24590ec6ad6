import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { V1Ingress, V1Pod } from "@kubernetes/client-node";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { readStack } from "../../../commands/common/stackFile.ts";
import type { Tried } from "../../../verify/outcome.ts";
import { visit } from "../../../verify/parts/route/visit.ts";
import { tryRoute } from "../../../verify/parts/route.ts";
import { throwaways } from "../../../verify/stage/people.ts";
import { withStage } from "../../../verify/stage/withStage.ts";
import { listening } from "../../support/listening.ts";
import { today } from "../../unit/samples.ts";
import { useStack } from "../program/stack.ts";
import { certificate } from "../support/signIn/issuer.ts";
import { withEnvironment } from "../support/withEnvironment.ts";
import { enforcing, withKubelet } from "./kubelet.ts";

describe("kubecamp verify's trial of routes", () => {
  const stack = useStack("routes");
  let server: ReturnType<typeof createServer>;
  let port: number;
  let ca: string;

  /** What an ingress controller does, for which members' Ingresses are beside it. */
  const answer = async (path: string): Promise<string | undefined> => {
    const ingresses = await stack.sandbox.list<V1Ingress>("ingress");
    const found = ingresses.find(({ spec }) =>
      spec?.rules?.some(({ http }) => http?.paths.some((each) => path.startsWith(each.path ?? "none"))),
    );
    const namespace = found?.metadata?.name ?? "none";
    const pod = await stack.sandbox.find<V1Pod>("pod", "page", namespace);
    return pod?.spec?.containers[0]?.command?.[4];
  };

  before(async () => {
    await stack.configure([{ member: "ada", type: "user" }]);
    await stack.upFine();
    const { cert, key } = await certificate();
    ca = cert;
    server = createServer({ cert, key }, ({ url = "" }, response) => {
      answer(url).then(
        (text) => response.writeHead(text === undefined ? 404 : 200).end(text),
        () => response.destroy(),
      );
    });
    port = await listening(server);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Of `camp.test`, which is this server to whoever tries. */
  const look = (url: string, options: object) =>
    visit(url, { hostname: "127.0.0.1", port, servername: new URL(url).hostname, ...options });

  async function trial(options: object): Promise<readonly Tried[]> {
    const { configuration, source } = readStack(stack.name, stack.folder);
    const target = withEnvironment({ KUBECONFIG: stack.sandbox.kubeconfig }, () =>
      Promise.resolve(findApiTarget(undefined)),
    );
    const members = throwaways(configuration, source.raw, { today, sign: "route" });
    const { settings } = configuration;
    const parts = {
      target: await target,
      settings,
      members,
      signal: new AbortController().signal,
      tell: () => undefined,
    };
    const visitor = { look: (url: string) => look(url, options), opening: 20_000, closing: 20_000, pause: 200 };
    const used = { only: [], image: "docker.io/library/busybox:1" };
    return await withKubelet(stack.sandbox, enforcing, () =>
      withStage(parts, (stage) => tryRoute({ stage, configuration, options: used }, visitor)).then(({ done }) => done),
    );
  }
  const linesOf = (all: readonly Tried[]) =>
    all.map(
      ({ promise, by, outcome }) =>
        `${by}: ${promise}: ${outcome.is}${outcome.is === "broken" ? `, ${outcome.came}` : ""}`,
    );

  it("opens paths by the objects of a run, and closes one of them alone", async () => {
    const ofOne = [
      "a user: A member's path leads to their Service: held",
      "a user: Paths have a certificate that this machine trusts: held",
    ];
    assert.deepEqual(linesOf(await trial({ ca })), [
      ...ofOne,
      ...ofOne,
      "a user: A path that closes leads nowhere, and the others stay open: held",
    ]);
    const left = await stack.kubectl(
      "get",
      "namespaces,ingresses,services",
      "-A",
      "-l",
      "kubecamp.dev/verify",
      "-o",
      "name",
    );
    assert.equal(left, "");
  });

  it("names what is wrong with a certificate, of itself and for a host", async () => {
    const [, own] = linesOf(await trial({}));
    assert.equal(own, "a user: Paths have a certificate that this machine trusts: broken, DEPTH_ZERO_SELF_SIGNED_CERT");
    const { distrust } = await look("https://other.test/", { ca });
    assert.equal(distrust, "ERR_TLS_CERT_ALTNAME_INVALID");
  });
});
