import assert from "node:assert/strict";
import fc from "fast-check";
import { parseConfiguration } from "../../../../config/configuration.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { ingress } from "../../../../objects/route/ingress.ts";
import { crowdedConfiguration } from "../../config/arbitraries.ts";
import { today } from "../../samples.ts";
import { type IngressLike, type Served, servedByNginx, servedByTraefik } from "./locations.ts";

/** The Ingresses of those whose route is open. */
const opened = ({ settings, members }: Configuration, isOpen: (name: string) => boolean = () => true): IngressLike[] =>
  members.flatMap((member) =>
    member.route === undefined || !isOpen(member.name)
      ? []
      : [ingress(member.name, { member, route: member.route, settings }, waysOf(settings.route.controller))],
  );

const host = "camp.example.org";

describe("paths of members", () => {
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
    it(`leads paths to their members alone at ${controller} (rewrite: ${rewrite}), whoever is open`, () => {
      let requests = 0;
      fc.assert(
        fc.property(crowdedConfiguration, fc.infiniteStream(fc.boolean()), ({ stack, raw }, coins) => {
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
