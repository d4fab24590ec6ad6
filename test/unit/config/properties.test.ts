import assert from "node:assert/strict";
import fc from "fast-check";
import type { Configuration } from "../../../config/model/settings/settings.ts";
import { type Parsed, parseConfiguration } from "../../../config/sources/configuration.ts";
import { everyObject, sharedObjects } from "../everyObject.ts";
import { today } from "../samples.ts";
import {
  crowdedBuckets,
  crowdedConfiguration,
  type RawConfiguration,
  soundConfiguration,
  strangeConfiguration,
} from "./arbitraries.ts";

const parsed = ({ stack, raw }: RawConfiguration): Parsed => parseConfiguration(stack, raw, today);

const mixed = fc.oneof({ weight: 4, arbitrary: soundConfiguration }, { weight: 1, arbitrary: strangeConfiguration });

/** Each value that more than one of them have. */
const shared = (values: readonly string[]) => [...new Set(values.filter((value, at) => values.indexOf(value) !== at))];

/** A path as requests for it and for all below it begin. */
const reach = ({ host, path }: { host: string; path: string }) => `${host}${path}`.replace(/\/?$/, "/");

/** Making and reading them takes much longer than looking at them, so that all properties look at the same ones. */
const seed = Math.trunc(Math.random() * 2 ** 31);
const runs = 300;

describe("any configuration that is accepted", () => {
  type Property = (accepted: Configuration, raw: RawConfiguration) => void;
  /** @returns whether it was accepted, and has members to compare */
  const holds = (property: Property, raw: RawConfiguration, result: Parsed): boolean => {
    const isAccepted = "configuration" in result && result.configuration.members.length > 1;
    if (isAccepted) property(result.configuration, raw);
    return isAccepted;
  };
  const enough = (accepted: number) =>
    assert.ok(accepted > runs / 15, `only ${accepted} of ${runs} were accepted, and had two members`);

  /** Holds a property against accepted configurations, and says so if there were too few of them to show anything. */
  const always = (
    property: Property,
    arbitrary: fc.Arbitrary<RawConfiguration>,
    parameters: { seed?: number } = {},
  ) => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitrary, (raw) => {
        if (holds(property, raw, parsed(raw))) accepted += 1;
      }),
      { ...parameters, numRuns: runs },
    );
    enough(accepted);
  };
  let mostlyAccepted: readonly { readonly raw: RawConfiguration; readonly result: Parsed }[] = [];
  before(() => {
    mostlyAccepted = fc.sample(mixed, { seed, numRuns: runs }).map((raw) => ({ raw, result: parsed(raw) }));
  });
  /** Likewise, against those that all properties look at. */
  const alwaysOfMixed = (property: Property) => {
    try {
      enough(mostlyAccepted.filter(({ raw, result }) => holds(property, raw, result)).length);
    } catch (error) {
      // The same ones again, to find the smallest with which it fails.
      always(property, mixed, { seed });
      throw error;
    }
  };

  it("gives no two members one namespace, subject or object", () => {
    alwaysOfMixed(({ settings, members }) => {
      const names = members.flatMap((member) =>
        everyObject(member, settings).map(
          ({ kind, metadata: { namespace = "", name } }) => `${kind} ${namespace}/${name}`,
        ),
      );
      const common = sharedObjects(settings).map(({ kind, metadata: { name } }) => `${kind} /${name}`);
      assert.deepEqual(shared([...names, ...common]), []);
      assert.deepEqual(shared(members.map(({ name }) => name)), []);
      // As they arrive at the API server, in UTF-8.
      assert.deepEqual(shared(members.map(({ username }) => Buffer.from(username).toString())), []);
    });
  });

  it("lets no member's path on a host be another's, or lie within it", () => {
    always(({ members }) => {
      const routes = members.flatMap(({ route }) => (route === undefined ? [] : [reach(route)]));
      const within = routes.filter((route, at) => routes.some((other, i) => i !== at && route.startsWith(other)));
      assert.deepEqual(within, []);
    }, crowdedConfiguration);
  });

  it("keeps each path what the template or the member's own entry says, whoever reads it", () => {
    alwaysOfMixed(({ members }, { raw }) => {
      const { route: template } = raw as { route: { host: string; path?: string } };
      const entries = raw.members as { member: string; route?: false | { host?: string; path?: string } }[];
      for (const [at, { name, route }] of members.entries()) {
        const own = entries[at]?.route;
        const filled = (text: string) => text.split("{member}").join(name);
        const path = filled(template.path ?? (template.host.includes("{member}") ? "/" : "/{member}"));
        const expected =
          own === false ? undefined : { host: own?.host ?? filled(template.host), path: own?.path ?? path };
        assert.deepEqual(route === undefined ? undefined : { host: route.host, path: route.path }, expected);
        if (route !== undefined) {
          assert.equal(new URL(route.path, "https://camp.example.org").pathname, route.path);
          assert.equal(decodeURIComponent(route.path), route.path);
          assert.doesNotMatch(reach(route), /\/\.{0,2}\//);
        }
      }
    });
  });

  it("puts every object of a member into the member's namespace or beside the ingress controller", () => {
    alwaysOfMixed(({ settings, members }) => {
      for (const member of members) {
        assert.notEqual(member.name, settings.route.namespace);
        for (const { kind, metadata } of everyObject(member, settings)) {
          const beside = ["Service", "Ingress", "Middleware", "ServersTransport"].includes(kind);
          const home = beside ? settings.route.namespace : member.name;
          const clusterScoped = ["Namespace", "ClusterRoleBinding"].includes(kind);
          assert.equal(metadata.namespace, clusterScoped ? undefined : home);
        }
      }
    });
  });

  it("gives no two buckets one name on the server, and no two of a member one Secret", () => {
    always(({ members }, { raw }) => {
      const buckets = members.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
      assert.deepEqual(shared(buckets), []);
      assert.deepEqual(
        members.flatMap(({ buckets = [] }) => shared(buckets.map(({ name }) => name))),
        [],
      );
      const entries = raw.members as { buckets?: unknown[] }[];
      assert.equal(buckets.length, entries.flatMap(({ buckets = [] }) => buckets).length);
    }, crowdedBuckets);
  });

  it("names nobody as Kubernetes names its own users and groups", () => {
    alwaysOfMixed(({ members }) => {
      const names = members.flatMap(({ username, groups }) => [username, ...groups]);
      assert.deepEqual(
        names.filter((name) => name.startsWith("system:")),
        [],
      );
    });
  });
});

describe("any configuration that is refused", () => {
  /** Every mistake says where it is and what is wrong, in one line. */
  const reported = (result: Parsed) => {
    if ("configuration" in result) {
      return;
    }
    assert.notDeepEqual(result.mistakes, []);
    for (const { path, message } of result.mistakes) {
      assert.notEqual(message, "");
      assert.doesNotMatch(`${path}: ${message}`, /[\r\n]/);
    }
  };

  it("is told in lines, however strange its values are", () => {
    let refused = 0;
    fc.assert(
      fc.property(strangeConfiguration, (raw) => {
        const result = parsed(raw);
        refused += "mistakes" in result ? 1 : 0;
        reported(result);
      }),
      { numRuns: 150 },
    );
    assert.ok(refused > 15, `only ${refused} of 150 were refused`);
  });

  it("is told in lines though a key has a line break", () => {
    const raw = { route: { host: "camp.example.org", "a\nb": 1 }, members: [], "bob\n": 0 };
    assert.deepEqual(parseConfiguration("dev", raw, today), {
      mistakes: [
        { path: 'route."a\\nb"', message: "is no setting here" },
        { path: '"bob\\n"', message: "is no setting here" },
      ],
    });
  });

  it("is told of a key that is called __proto__ wherever it stands, for labels without it would fit more pods", () => {
    const raw = JSON.parse(`{
      "route": { "host": "camp.example.org", "__proto__": 1 },
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

  it("is told in lines, whatever JSON it is", () => {
    const keys = fc.constantFrom(
      "members",
      "membersFile",
      "memberTypes",
      "defaults",
      "capacity",
      "budgets",
      "cluster",
      "oidc",
      "route",
    );
    const anything = fc.dictionary(fc.oneof(keys, fc.string()), fc.jsonValue(), { maxKeys: 8 });
    const lists = fc.record({ route: fc.jsonValue(), members: fc.array(fc.jsonValue()) });
    fc.assert(
      fc.property(fc.string(), fc.oneof(anything, lists), (stack, raw) =>
        reported(parseConfiguration(stack, raw, today)),
      ),
      { numRuns: 200 },
    );
  });
});
