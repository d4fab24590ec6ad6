import assert from "node:assert/strict";
import fc from "fast-check";
import { type Parsed, parseConfiguration } from "../../../config/configuration.ts";
import { ingressControllers } from "../../../config/route/controllers.ts";
import type { Configuration } from "../../../config/settings.ts";
import { everyObject, sharedObjects } from "../everyObject.ts";
import { anyStack, parsed as parsedStack } from "../plan/invariants/configurations.ts";
import { route, today } from "../samples.ts";
import { crowdedBuckets, crowdedConfiguration, type RawConfiguration, wildConfigurations } from "./arbitraries.ts";

const parsed = ({ stack, raw }: RawConfiguration): Parsed => parseConfiguration(stack, raw, today);

/** Each value that more than one of them have. */
const shared = (values: readonly string[]) => [...new Set(values.filter((value, at) => values.indexOf(value) !== at))];

/** A path as requests for it and for all below it begin. */
const reach = ({ host, path }: { host: string; path: string }) => `${host}${path}`.replace(/\/?$/, "/");

const runs = 300;

describe("any configuration that is accepted", () => {
  /** Checks a property of accepted configurations with members to compare; fails if there are too few of them. */
  const always = (
    property: (accepted: Configuration, raw: RawConfiguration) => void,
    arbitrary: fc.Arbitrary<RawConfiguration>,
  ) => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitrary, (raw) => {
        const result = parsed(raw);
        if ("configuration" in result && result.configuration.members.length > 1) {
          property(result.configuration, raw);
          accepted += 1;
        }
      }),
      { numRuns: runs },
    );
    assert.ok(accepted > runs / 15, `only ${accepted} of ${runs} were accepted, and had two members`);
  };

  it("gives no two members one object, whatever configuration is accepted", () => {
    fc.assert(
      fc.property(fc.oneof(...ingressControllers.map(anyStack), anyStack("gateway")), (raw) => {
        const of = parsedStack(raw);
        fc.pre("configuration" in of);
        const { settings, members } = of.configuration;
        const objects = [...members.flatMap((member) => everyObject(member, settings)), ...sharedObjects(settings)];
        const names = objects.map(({ kind, metadata: { namespace = "", name } }) => `${kind} ${namespace}/${name}`);
        assert.deepEqual(shared(names), []);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  it("lets no member's path on a host be another's, or lie within another's", () => {
    always(({ members }) => {
      const routes = members.flatMap(({ route }) => (route === undefined ? [] : [reach(route)]));
      const within = routes.filter((route, at) => routes.some((other, i) => i !== at && route.startsWith(other)));
      assert.deepEqual(within, []);
    }, crowdedConfiguration);
  });

  it("gives no two buckets one name on the server, and no two of a member one Secret", () => {
    always(({ members }, { raw }) => {
      const buckets = members.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
      assert.deepEqual(shared(buckets), []);
      const twice = members.flatMap(({ buckets = [] }) => shared(buckets.map(({ name }) => name)));
      assert.deepEqual(twice, []);
      const entries = raw.members as { buckets?: unknown[] }[];
      assert.equal(buckets.length, entries.flatMap(({ buckets = [] }) => buckets).length);
    }, crowdedBuckets);
  });
});

describe("any configuration that is refused", () => {
  it("tells mistakes in lines, whatever strange text stands wherever", () => {
    // One in seven has every text, and every place.
    const some = wildConfigurations().filter((_, at) => at % 7 === 0);
    const refused = some.flatMap((raw) => {
      const result = parsed(raw);
      return "mistakes" in result ? [result.mistakes] : [];
    });
    assert.ok(refused.length > 200);
    for (const { path, message } of refused.flat()) {
      assert.match(`${path}: ${message}`, /^[^\r\n]+: [^\r\n]+$/);
    }
    assert.ok(refused.every((mistakes) => mistakes.length > 0));
  });

  it("tells mistakes in lines though a key has a line break", () => {
    const raw = { route: { ...route, "a\nb": 1 }, members: [], "bob\n": 0 };
    assert.deepEqual(parseConfiguration("dev", raw, today), {
      mistakes: [
        { path: 'route."a\\nb"', message: "is no setting here" },
        { path: '"bob\\n"', message: "is no setting here" },
      ],
    });
  });

  it("tells of a key __proto__ wherever one stands, for labels without it would fit more pods", () => {
    const raw = JSON.parse(`{
      "route": { "host": "camp.example.org", "controller": "traefik", "__proto__": 1 },
      "network": { "ingressPodLabels": { "__proto__": "x" }, "dnsPodLabels": { "app": "d", "__proto__": {} } },
      "memberTypes": { "__proto__": {} },
      "members": [{ "member": "bob", "type": "user", "__proto__": { "type": "admin" } }, { "__proto__": 1 }]
    }`);
    const parsed = parseConfiguration("dev", raw, today);
    assert.deepEqual("mistakes" in parsed ? parsed.mistakes.map(({ path, message }) => `${path}: ${message}`) : [], [
      "route.__proto__: is no setting here",
      "network.ingressPodLabels.__proto__: is no setting here",
      "network.dnsPodLabels.__proto__: is no setting here",
      "memberTypes.__proto__: is no setting here",
      "members[0].__proto__: is no setting here (member 'bob')",
      "members[1].member: is missing: must be a text",
      "members[1].type: is missing: must be one of admin, user, guest-user",
      "members[1].__proto__: is no setting here",
    ]);
  });
});
