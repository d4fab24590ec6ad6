import fc from "fast-check";
import { ca, serverCertificate } from "../certificates.ts";

/**
 * Configurations as somebody could write them, for properties that hold for all of them. Their names come from small
 * pools, so that members meet each other, and their figures and texts often stand at a border.
 */

/** Arguments of `parseConfiguration`. */
export interface RawConfiguration {
  readonly stack: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

const letters = (text: string, length: number) => text.repeat(length);
const words = (text: string) => text.split(" ");

/** Texts that stand for something else somewhere: in paths, in JavaScript, in YAML, in Kubernetes, in addresses. */
const wildTexts: readonly string[] = [
  ...["", " ", "bob\n", "\0", "\u202ebob", "b\u00f6b", "\ud83d\ude80", "\ud800", "\u0661", "2026-02-30"],
  ...words(". .. / // ../bob /bob/../alice /%2e%2e/bob /bob%2f a/b a.b {member} /{member} /{member}/x $& $1"),
  ...words("__proto__ constructor toString hasOwnProperty null true 1 -1 1e3 ~ * &a <<"),
  ...words("default kube-system ingress-nginx system:masters system:admin Bob BOB bob- -bob 1bob"),
  ...words("127.0.0.1 1.2.3.4 ::1 *.example.org example.org. https://example.org example.org:80"),
  ...words("Example.org/app a..b/app .a/app a/ /a a/b/c x_ _x x..y"),
  ...["a", "/a", "a.", "/a.", "a/"].flatMap((text) => [60, 64, 100, 128, 200, 254].map((most) => letters(text, most))),
  ...[63, 64, 253, 254, 1024, 2000].map((length) => letters("a", length)),
];
/** Any code point. fast-check's own `binary` first makes a map of them all, which takes a second or two. */
const character = fc.nat(0x10ffff - 0x800).map(
  (at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800),
  (text) => {
    const point = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
    if (point < 0 || text !== String.fromCodePoint(point)) {
      throw new Error("this is no character");
    }
    return point < 0xd800 ? point : point - 0x800;
  },
);
const wildText = fc.oneof(fc.constantFrom(...wildTexts), fc.string({ unit: character, maxLength: 20 }));

/** `likely` most of the time. */
const mostly = <T, U>(likely: fc.Arbitrary<T>, rarely: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 9, arbitrary: likely }, { weight: 1, arbitrary: rarely });

/** With a few that are all but right: each belongs into the pool as long as no rule refuses it. */
const nearly = <T>(right: fc.Arbitrary<T>, ...wrong: T[]) =>
  fc.oneof({ weight: 80, arbitrary: right }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });

const memberName = nearly(
  fc.oneof(
    fc.constantFrom("a", "b", "bob", "bob-svc", "bobby", "constructor", "valueof", letters("a", 59), letters("a", 58)),
    fc.stringMatching(/^[a-z]([-a-z0-9]{0,57}[a-z0-9])?$/),
  ),
  ...words(
    "Bob 1bob bob- b.b default kube-public ingress-nginx aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ),
);
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
const host = nearly(
  fc.oneof(
    fc.constant("camp.example.org"),
    fc.constantFrom("x", "1", "127.0.0.0.1", `${letters("a.", 126)}a`, letters("a", 253)),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
  ),
  ...words("10.0.0.1 010.0.0.1 *.example.org example..org -x Example.org example.org:80"),
);
const segment = fc.oneof(
  fc.constantFrom("a", "b", "bob"),
  fc.stringMatching(/^[a-z0-9]([-a-z0-9._]{0,9}[a-z0-9])?$/),
  fc.constantFrom("x..y", "x._-y"),
);
const segments = (most: number) =>
  fc.array(segment, { minLength: 1, maxLength: most }).map((names) => `/${names.join("/")}`);
const path = nearly(
  fc.oneof(fc.constantFrom("/a", "/b", "/bob", "/bob/a", "/a/b"), segments(4), fc.constant(`/${letters("a", 199)}`)),
  ...words("bob / /bob/ /a//b /a/../b /a/./b /%2e%2e /Bob /{member} /b*"),
);
/** Hosts with the member's name in them, so that each has their own. */
const hostPerMember = nearly(
  fc.oneof(
    fc.constantFrom("{member}.camp.example.org", "{member}", "x-{member}.{member}.y", "{member}-svc.{member}.svc"),
    fc.tuple(label, host).map(([first, rest]) => `${first}-{member}.${rest}`),
  ),
  ...words("{Member}.example.org -{member}.example.org {member}.*.org {member}.10.0.0.1 {member}.example.org/"),
);
const template = nearly(
  fc.oneof(
    fc.constant("/{member}"),
    segments(3).map((text) => `${text}/{member}`),
  ),
  ...words("/ /{member}/x {member} /../{member} /{member}{member} /$&/{member}"),
);

/** Whole numbers up to a most, with both borders. */
const figure = (most: number, least = 1) =>
  fc.oneof(fc.constantFrom(least, most), fc.integer({ min: least, max: most }));
/** A default that fits below its maximum. */
const pair = (most: number, mostKey: string, key: string, least = 1) =>
  fc
    .tuple(figure(most, least), figure(most, least))
    .map((both) => ({ [mostKey]: Math.max(...both), [key]: Math.min(...both) }));
const limits = fc
  .tuple(
    fc.option(pair(1_000_000_000, "maxCPUm", "defaultCPUm", 10), { nil: {} }),
    fc.option(
      fc.oneof(...["defaultMemoryMiB", "defaultMemoryMB"].map((key) => pair(1_000_000_000, "maxMemoryMiB", key))),
      { nil: {} },
    ),
    fc.record({ numOfPVCs: figure(10_000, 0), maxPVCSizeMiB: figure(100_000_000) }, { requiredKeys: [] }),
  )
  .map((parts) => Object.assign({}, ...parts) as object);

const plainText = (text: string) => text.isWellFormed() && text.trim() === text && !/\p{Cc}/u.test(text);
/** Names as identity providers give them, however strange. */
const identity = nearly(
  fc.oneof(
    fc.constantFrom("bob", "b", "\u00e4nne@example.org", "CN=Bob, OU=R&D", "a b", letters("x", 1024), "__proto__"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((text) => text !== "" && plainText(text)),
  ),
  ...words("system:admin system:masters system:serviceaccount:kube-system:default"),
);
const prefix = fc.oneof(fc.constant(""), fc.constantFrom("oidc:", "idp#", letters("p", 253), "\u00df ", "system:"));

const traits = {
  home: fc.constantFrom("edit", "view"),
  others: fc.constantFrom("view", "view-guest", "none"),
  quota: fc.boolean(),
  podSecurity: fc.constantFrom("baseline", "restricted"),
  // One that has a starter app may be too small for it.
  starter: mostly(fc.constant("off"), fc.constantFrom("once", "kept")),
};
/** Names so short that they fit behind any member's. */
const buckets = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom("a", "b", "b-b", "b-c", "c", "x"),
      bucketName: mostly(
        fc.stringMatching(/^[a-z0-9][-a-z0-9]{9,40}[a-z0-9]$/),
        fc.constantFrom("x.y", letters("b", 63)),
      ),
      reclaimPolicy: fc.constantFrom("Retain", "Delete"),
      acl: fc.constantFrom("private", "public-read"),
      versioning: fc.boolean(),
      adopt: fc.boolean(),
    },
    { requiredKeys: ["name"] },
  ),
  { maxLength: 2, selector: ({ name }) => name },
);

const ownTypes = ["constructor", "student", "tostring", letters("t", 63)];

const member = fc
  .tuple(
    fc.record({
      member: memberName,
      type: mostly(fc.constantFrom("admin", "user", "guest-user"), fc.constantFrom(...ownTypes)),
    }),
    limits,
    fc.record(
      {
        subject: identity,
        groups: fc.uniqueArray(identity, { maxLength: 4 }),
        route: mostly(
          fc.oneof(
            fc.record({ host, path }, { requiredKeys: [] }),
            label.map((own) => ({ host: `${own}.own.example.org`, path: "/" })),
          ),
          fc.constant(false),
        ),
        suspended: fc.boolean(),
        expires: fc.oneof(
          fc.constantFrom("2026-06-14", "2026-06-15", "2026-06-15 00:00:00 +0000 UTC", "0000-01-01", "9999-12-31"),
          fc
            .date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
            .map((date) => date.toISOString().slice(0, 10)),
        ),
        ...traits,
        buckets,
        adopt: fc.boolean(),
        protect: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);

const labelText = nearly(
  fc.oneof(
    fc.constantFrom("app", letters("a", 63), "A.b_c-1"),
    fc.stringMatching(/^[A-Za-z0-9]([-\w.]{0,15}[A-Za-z0-9])?$/),
  ),
  ...["-x", "x.", "x y", "__proto__", letters("a", 64)],
);
const podLabels = fc.dictionary(
  fc.oneof(
    labelText,
    fc.tuple(host, labelText).map((parts) => parts.join("/")),
  ),
  fc.oneof(labelText, fc.constant("")),
  { maxKeys: 3 },
);

/** Namespaces that are the cluster's own, and could be a member's by their name. */
const controllers = fc.oneof(fc.constantFrom("traefik", letters("n", 63)), fc.constantFrom("a", "b", "bob"), label);

const objectName = nearly(fc.oneof(fc.constant("certificate"), label, host), "Bad", "a_b", "-x", letters("a", 254));
const controllerNames = ["ingress-nginx", "traefik", "haproxy", "contour"] as const;

const toEntry = ([key, value]: [string, string]) => ({ [key]: value });

/** A route by an Ingress: mostly with what its controller can do, and with nothing that contradicts the rest. */
const route = fc
  .record({
    names: fc.record({ namespace: controllers, className: host }, { requiredKeys: [] }),
    host: fc.oneof({ weight: 4, arbitrary: host }, { weight: 1, arbitrary: hostPerMember }),
    path: fc.option(template, { nil: undefined }),
    controller: fc.constantFrom(undefined, ...controllerNames),
    rewrite: fc.constantFrom(undefined, "none", "strip"),
    // A host can be too long for the name of a certificate of its own.
    tls: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: objectName.map((secretName) => ({ secretName })) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom("issuer", "clusterIssuer"), objectName).map(toEntry) },
    ),
    protocol: fc.constantFrom(undefined, "HTTP", "HTTPS"),
    backend: fc.record(
      { ca: nearly(fc.constant(ca), serverCertificate, `${ca}x`), serverName: fc.oneof(host, hostPerMember) },
      { requiredKeys: [] },
    ),
    fits: nearly(fc.constant(true), false),
  })
  .map(({ names, host, path, controller, rewrite, tls, protocol, backend, fits }) => {
    const { ca, serverName } = backend;
    const verifies = protocol === "HTTPS" && controller !== "contour" && ca !== undefined;
    const isNamed = verifies && controller !== "haproxy" && serverName !== undefined;
    const fitting = { ...(verifies ? { ca } : {}), ...(isNamed ? { serverName } : {}) };
    return {
      ...names,
      host,
      path,
      controller,
      rewrite: fits && controller === "contour" ? undefined : rewrite,
      tls,
      backendProtocol: protocol,
      backendTls: fits ? (protocol === "HTTPS" ? fitting : undefined) : backend,
    };
  });

const cidr = nearly(
  fc.oneof(
    fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 8, max: 32 }))
      .map(([of, length]) => `${of}.0.0.0/${length}`),
    fc.integer({ min: 1, max: 0xffff }).map((of) => `${of.toString(16)}::/16`),
    fc.constantFrom("::1/128", "2001:db8::/32", "64:ff9b::/96", "255.255.255.255/32"),
  ),
  ...words("::/0 0.0.0.0/0 10.1.0.0/8 ::ffff:0.0.0.0/96 FD00::/8 10.0.0.0 fe80::1%eth0/128"),
);
const exceptions = fc.array(
  fc.oneof(
    fc.record(
      { cidr, ports: fc.array(fc.integer({ min: 1, max: 65_535 }), { minLength: 1, maxLength: 2 }) },
      { requiredKeys: ["cidr"] },
    ),
    fc.record(
      { namespace: controllers, podLabels, ports: fc.constant(["53/UDP", "65535/SCTP"]) },
      { requiredKeys: ["namespace"] },
    ),
  ),
  { maxLength: 2 },
);

/** A server where kubecamp makes members' keys. */
const storage = fc
  .record(
    { region: nearly(label, "a b"), appEndpoint: fc.constant("http://s3:7070"), forcePathStyle: fc.boolean() },
    { requiredKeys: [] },
  )
  .map((more) => ({
    ...{ endpoint: "https://s3.example.org", users: "versitygw", accessKeyId: "admin", secretAccessKey: "secret" },
    ...more,
  }));

const settings = fc.record(
  {
    storage,
    memberTypes: fc.dictionary(
      fc.constantFrom("admin", "guest-user", ...ownTypes),
      fc.record({ ...traits, defaults: limits }, { requiredKeys: [] }),
      { maxKeys: 4 },
    ),
    defaults: limits,
    oidc: fc.record({ usernamePrefix: prefix, groupsPrefix: prefix }, { requiredKeys: [] }),
    route,
    network: fc.record(
      {
        ...{ ingressPodLabels: podLabels, dnsNamespace: controllers, dnsPodLabels: podLabels, internet: fc.boolean() },
        ...{
          nodeLocalDns: fc.subarray(["169.254.20.10", "10.96.0.10", "fd00::a"]),
          egress: exceptions,
          ingress: exceptions,
        },
      },
      { requiredKeys: [] },
    ),
    offboarding: fc.record(
      { maxRemovals: figure(1_000_000, 0), graceDays: figure(3650, 0), protect: fc.boolean(), adopt: fc.boolean() },
      { requiredKeys: [] },
    ),
    notify: fc.record(
      { expiryDays: fc.uniqueArray(figure(365, 0), { maxLength: 3 }), quotaPercent: figure(100, 1) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["route", "storage"] },
);

const members = mostly(
  fc.uniqueArray(member, { maxLength: 8, selector: ({ member }) => member }),
  fc.array(member, { maxLength: 8 }),
);

const stackName = fc.oneof(fc.constantFrom("dev", "eu-1.Prod_2", letters("s", 63)), label);

/** Right key by key, so that most are accepted; members still meet each other, and figures contradict each other. */
export const soundConfiguration: fc.Arbitrary<RawConfiguration> = fc
  .record({ stack: stackName, settings, members })
  .map(({ stack, settings, members }) => ({ stack, raw: asRead({ ...settings, members }) }));

/** Every one of these texts in every place that takes a text, one at a time. */
export function wildConfigurations(): RawConfiguration[] {
  const entry = { member: "bob", type: "user" };
  const route = { host: "camp.example.org" };
  const login = { kind: "oauth2-proxy", url: "http://login.example.org", signIn: "https://login.example.org" };
  const asking = { ...route, login };
  const keys = { accessKeyId: "key", secretAccessKey: "secret" };
  const mail = { to: ["a@example.org"], from: "b@example.org", server: "smtp.example.org", user: "c", password: "d" };
  const server = { ...keys, accessKeyId: "admin", endpoint: "https://s3.example.org", users: "versitygw" };
  return wildTexts.flatMap((text) => {
    const of = (member: object, settings: object = {}) => ({ route, ...settings, members: [{ ...entry, ...member }] });
    const raws = [
      ...["member", "type", "subject", "expires"].map((key) => of({ [key]: text })),
      of({ groups: [text] }),
      ...["name", "bucketName", "policy"].map((key) =>
        of({ buckets: [{ name: "data", [key]: text }] }, { storage: server }),
      ),
      ...["endpoint", "region", "accessKeyId"].map((key) => of({}, { storage: { ...server, [key]: text } })),
      of({ buckets: [{ name: "data" }] }, { storage: server, bucketKeys: { bob: { ...keys, principal: text } } }),
      ...["host", "path"].map((key) => of({ route: { [key]: text } })),
      ...["host", "path", "namespace", "className"].map((key) => of({}, { route: { ...route, [key]: text } })),
      of({}, { route: { host: `${text}{member}` } }),
      ...["to", "from", "server", "user", "password"].map((key) =>
        of({}, { notify: { mail: { ...mail, [key]: key === "to" ? [text] : text } } }),
      ),
      ...["url", "token"].map((key) =>
        of({}, { notify: { webhook: { url: "https://hooks.example.org", [key]: text } } }),
      ),
      ...["host", "header"].map((key) => of({}, { route: asking, board: { host: "board.example.org", [key]: text } })),
      of({}, { route: asking, board: { host: "board.example.org", admins: [text] } }),
      ...["secretName", "clusterIssuer", "issuer"].map((key) => of({}, { route: { ...route, tls: { [key]: text } } })),
      of({}, { route: { ...route, backendProtocol: "HTTPS", backendTls: { ca, serverName: text } } }),
      of({}, { network: { dnsNamespace: text } }),
      of({}, { network: { ingressPodLabels: { [text]: "x" } } }),
      of({}, { network: { dnsPodLabels: { x: text } } }),
      of({}, { network: { egress: [{ namespace: text }] } }),
      of({}, { network: { egress: [{ namespace: "x", podLabels: { [text]: "x" } }] } }),
      of({}, { network: { nodeLocalDns: [text] } }),
      of({}, { network: { ingress: [{ cidr: text }] } }),
      of({}, { network: { ingress: [{ cidr: `${text}/32` }] } }),
      of({ groups: ["x"] }, { oidc: { usernamePrefix: text, groupsPrefix: text } }),
      of({ type: text }, { memberTypes: Object.fromEntries([[text, {}]]) }),
    ];
    return [{ stack: text, raw: of({}) }, ...raws.map((raw) => ({ stack: "dev", raw: asRead(raw) }))];
  });
}

/** Members whose paths are often one, or one within another. */
export const crowdedConfiguration: fc.Arbitrary<RawConfiguration> = fc
  .record({
    path: fc.constantFrom("/{member}", "/bob/{member}"),
    members: fc.uniqueArray(
      fc.record({
        member: fc.constantFrom("a", "b", "bob", "bobby"),
        type: fc.constant("user"),
        route: fc.record(
          {
            host: fc.constantFrom("x", "y"),
            path: fc.constantFrom("/a", "/a/b", "/b", "/bob", "/bob/a", "/bobby/bob"),
          },
          { requiredKeys: [] },
        ),
      }),
      { minLength: 2, selector: ({ member }) => member },
    ),
  })
  .map(({ path, members }) => ({ stack: "dev", raw: { route: { host: "x", path }, members } }));

/** Members whose buckets are often called alike on the server. */
export const crowdedBuckets: fc.Arbitrary<RawConfiguration> = fc
  .record({
    storage,
    members: fc.uniqueArray(
      fc.record(
        { member: fc.constantFrom("a", "b", "a-b", "a-b-c"), type: fc.constant("user"), buckets },
        { requiredKeys: ["member", "type"] },
      ),
      { minLength: 2, selector: ({ member }) => member },
    ),
  })
  .map((settings) => ({ stack: "dev", raw: { route: { host: "x" }, ...settings } }));

/** Sound ones with something strange put at some places, which may be of any kind. */
export const strangeConfiguration: fc.Arbitrary<RawConfiguration> = fc
  .record({
    sound: soundConfiguration,
    changes: fc.array(
      fc.record({
        place: fc.nat(),
        key: mostly(fc.constant(undefined), wildText),
        value: mostly(wildText, fc.oneof(figure(2e9, -1), fc.jsonValue({ maxDepth: 2 }))),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ sound: { stack, raw }, changes }) => {
    const changed = structuredClone(raw);
    for (const { place, key, value } of changes) {
      const places = placesIn(changed);
      const at = places[place % places.length];
      if (at !== undefined) {
        // As a parser of JSON or YAML does it: `__proto__` is a key like any other.
        Object.defineProperty(at.parent, Array.isArray(at.parent) ? at.key : (key ?? at.key), {
          value: structuredClone(value),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
    }
    return { stack, raw: asRead(changed) };
  });

/** Every value within a value, as its parent and its key there. */
function placesIn(parent: object): { parent: object; key: string }[] {
  return Object.entries(parent).flatMap(([key, value]: [string, unknown]) => [
    { parent, key },
    ...(typeof value === "object" && value !== null ? placesIn(value) : []),
  ]);
}

/** It comes to the program as JSON. */
const asRead = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
