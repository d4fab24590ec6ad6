import fc from "fast-check";
import { ca } from "../certificates.ts";
import { route, storage } from "../samples.ts";

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

/** Every one of these texts in every place that takes a text, one at a time. */
export function wildConfigurations(): RawConfiguration[] {
  const entry = { member: "bob", type: "user" };
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
      of({}, { route: { ...route, host: `${text}{member}` } }),
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
    host: fc.constantFrom("x", "x", "{member}.x"),
    path: fc.constantFrom("/{member}", "/bob/{member}", "/a.b/{member}"),
    members: fc.uniqueArray(
      fc.record({
        member: fc.constantFrom("a", "b", "bob", "bobby"),
        type: fc.constant("user"),
        route: fc.record(
          {
            host: fc.constantFrom("x", "y"),
            path: fc.constantFrom("/a", "/a/b", "/a.b", "/axb", "/b", "/bob", "/bob/a", "/bob-svc", "/bobby/bob"),
          },
          { requiredKeys: [] },
        ),
      }),
      { minLength: 2, selector: ({ member }) => member },
    ),
  })
  .map(({ host, path, members }) => ({ stack: "dev", raw: { route: { ...route, host, path }, members } }));

/** Names so short that they fit behind any member's. */
const buckets = fc.uniqueArray(
  fc.record(
    { name: fc.constantFrom("a", "b", "b-b", "b-c", "c", "x"), bucketName: fc.constantFrom("a-b-c-data", "x.y") },
    { requiredKeys: ["name"] },
  ),
  { maxLength: 2, selector: ({ name }) => name },
);

/** Members whose buckets are often called alike on the server. */
export const crowdedBuckets: fc.Arbitrary<RawConfiguration> = fc
  .record({
    storage: fc.constant(storage),
    members: fc.uniqueArray(
      fc.record(
        { member: fc.constantFrom("a", "b", "a-b", "a-b-c"), type: fc.constant("user"), buckets },
        { requiredKeys: ["member", "type"] },
      ),
      { minLength: 2, selector: ({ member }) => member },
    ),
  })
  .map((settings) => ({ stack: "dev", raw: { route, ...settings } }));

/** It comes to the program as JSON. */
const asRead = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
