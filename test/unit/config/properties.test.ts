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

  it("gives no two members one namespace, subject or object", () => {
    always(({ settings, members }) => {
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
    }, mixed);
  });

  it("lets no member's path on a host be another's, or lie within it", () => {
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
      assert.deepEqual(
        members.flatMap(({ buckets = [] }) => shared(buckets.map(({ name }) => name))),
        [],
      );
      const entries = raw.members as { buckets?: unknown[] }[];
      assert.equal(buckets.length, entries.flatMap(({ buckets = [] }) => buckets).length);
    }, crowdedBuckets);
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
});
