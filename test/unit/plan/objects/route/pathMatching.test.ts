import assert from "node:assert/strict";
import fc from "fast-check";
import type { Configuration } from "../../../../../config/model/settings/settings.ts";
import { parseConfiguration } from "../../../../../config/sources/configuration.ts";
import { ingress } from "../../../../../plan/objects/route/ingress.ts";
import { controllerDrivers } from "../../../../../plan/routes/drivers/drivers.ts";
import { crowdedConfiguration, soundConfiguration } from "../../../config/arbitraries.ts";
import { configuration, today } from "../../../samples.ts";
import { type IngressLike, type Served, servedByNginx, servedByTraefik } from "./locations.ts";

/** The Ingresses of those whose route is open. */
const opened = ({ settings, members }: Configuration, isOpen: (name: string) => boolean = () => true): IngressLike[] =>
  members.flatMap((member) =>
    member.route === undefined || !isOpen(member.name)
      ? []
      : [ingress(member, member.route, settings, controllerDrivers[settings.route.controller])],
  );

const host = "camp.example.org";

const crowd = (route: object) =>
  configuration({
    route: { host, ...route },
    members: [
      ...["bob", "bobby", "bob-2", "b"].map((member) => ({ member, type: "user" })),
      { member: "ali", type: "user", route: { path: "/lab/a.b" } },
      { member: "axb", type: "user", route: { path: "/lab/axb" } },
      { member: "alan", type: "user", route: { path: "/lab/deep/er/alan" } },
      { member: "own", type: "user", route: { host: "own.example.org", path: "/" } },
    ],
  });

describe("paths of members", () => {
  it("never catch one another's requests where ingress-nginx strips them, whoever else is open", () => {
    const all = crowd({ rewrite: "strip" });
    const serve = (path: string, isOpen?: (name: string) => boolean) =>
      servedByNginx(opened(all, isOpen), { host, path });
    for (const [path, by, as] of [
      ["/bob", "bob", "/"],
      ["/bob/", "bob", "/"],
      ["/bob/x/bob/y", "bob", "/x/bob/y"],
      ["/bob/bobby", "bob", "/bobby"],
      ["/BOB/X", "bob", "/X"],
      ["/bobby", "bobby", "/"],
      ["/bobby/x", "bobby", "/x"],
      ["/bob-2/", "bob-2", "/"],
      ["/b/ob", "b", "/ob"],
      ["/lab/a.b/x", "ali", "/x"],
      ["/lab/axb/x", "axb", "/x"],
      ["/lab/deep/er/alan", "alan", "/"],
    ] as const) {
      assert.deepEqual(serve(path), { by, as }, path);
      assert.deepEqual(
        serve(path, (name) => name === by),
        { by, as },
        path,
      );
      assert.equal(
        serve(path, (name) => name !== by),
        undefined,
        `${path} while ${by}'s route is closed`,
      );
    }
    for (const path of ["/", "/bo", "/bob2", "/bob.", "/lab", "/lab/a-b", "/lab/deep/er", "/x/bob", "/lab/a.bc"]) {
      assert.equal(serve(path), undefined, path);
    }
    assert.deepEqual(servedByNginx(opened(all), { host: "own.example.org", path: "/x" }), { by: "own", as: "/x" });
  });

  for (const [controller, serve] of [
    ["ingress-nginx", servedByNginx],
    ["traefik", servedByTraefik],
  ] as const) {
    it(`never catch one another's requests where ${controller} leaves them whole`, () => {
      const all = crowd({ controller });
      for (const [path, by] of [
        ["/bob", "bob"],
        ["/bob/", "bob"],
        ["/bob/bobby", "bob"],
        ["/bobby", "bobby"],
        ["/bobby/x", "bobby"],
        ["/bob-2", "bob-2"],
        ["/lab/a.b", "ali"],
      ] as const) {
        assert.deepEqual(serve(opened(all), { host, path }), { by, as: path }, path);
        assert.equal(
          serve(
            opened(all, (name) => name !== by),
            { host, path },
          ),
          undefined,
          path,
        );
      }
    });
  }

  /** The member whose path equals the request's or is above it, segment by segment. */
  const ownerOf = ({ members }: Configuration, request: { host: string; path: string }) =>
    members.find(
      ({ route }) =>
        route?.host === request.host &&
        (route.path === "/" || request.path === route.path || request.path.startsWith(`${route.path}/`)),
    );

  /** Requests at members' paths, below them, and beside them. */
  const requestsTo = ({ members }: Configuration) =>
    members.flatMap(({ route }) =>
      route === undefined
        ? []
        : ["", "/", "/x", `${route.path}/y`, "x", "-2", ".", "//"].flatMap((more) => [
            { host: route.host, path: `${route.path}${more}` },
            { host: route.host, path: `${route.path.replaceAll(".", "x")}${more}` },
            { host: route.host, path: `/x${route.path}${more}` },
          ]),
    );

  for (const { controller, rewrite, serve } of [
    { controller: "ingress-nginx", rewrite: "strip", serve: servedByNginx },
    { controller: "ingress-nginx", rewrite: "none", serve: servedByNginx },
    { controller: "traefik", rewrite: "none", serve: servedByTraefik },
  ]) {
    it(`reach their members alone at ${controller} (rewrite: ${rewrite}), whoever is open, in any list`, () => {
      let requests = 0;
      const arbitrary = fc.oneof(crowdedConfiguration, soundConfiguration);
      fc.assert(
        fc.property(arbitrary, fc.infiniteStream(fc.boolean()), ({ stack, raw }, coins) => {
          const route = { host, ...Object(raw.route), controller, rewrite };
          const parsed = parseConfiguration(stack, { ...raw, route }, today);
          if ("mistakes" in parsed) {
            return;
          }
          const open = new Set(parsed.configuration.members.map(({ name }) => name).filter(() => coins.next().value));
          const ingresses = opened(parsed.configuration, (name) => open.has(name));
          for (const request of requestsTo(parsed.configuration)) {
            const owner = ownerOf(parsed.configuration, request);
            const expected = owner !== undefined && open.has(owner.name) ? owner : undefined;
            const served: Served | undefined = serve(ingresses, request);
            assert.equal(served?.by, expected?.name, JSON.stringify(request));
            const path = expected?.route?.path ?? "/";
            const rest = request.path.slice(path.length).replace(/^\/?/, "/");
            assert.equal(served?.as, served && (rewrite === "none" || path === "/" ? request.path : rest));
            requests += served === undefined ? 0 : 1;
          }
        }),
        { numRuns: 200 },
      );
      assert.ok(requests > 500, `only ${requests} requests reached anybody`);
    });
  }
});
