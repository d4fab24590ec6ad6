import assert from "node:assert/strict";
import { configuration, mistakes } from "../samples.ts";

const bob = { member: "bob", type: "user" };

/** The members' modes, in their order. */
const modesOf = (raw: Record<string, unknown>) => configuration(raw).members.map(({ starter }) => starter?.mode);

describe("starter settings", () => {
  it("takes a member's starter settings from the entry, or their type, or the stack", () => {
    const members = [
      { ...bob, starter: "off" },
      { member: "carol", type: "user" },
      { member: "dora", type: "user", starter: "once" },
      { member: "erin", type: "admin" },
    ];
    const raw = { members, memberTypes: { user: { starter: "kept" } }, starter: { mode: "once" } };
    assert.deepEqual(modesOf(raw), [undefined, "kept", "once", "once"]);
    assert.deepEqual(modesOf({ members, memberTypes: { user: { starter: "kept" } } }), [
      undefined,
      "kept",
      "once",
      undefined,
    ]);
  });

  it("allows the starter app's image where there is a list, once", () => {
    const imagesOf = (images: readonly string[], mode = "once") =>
      configuration({ members: [bob], images, starter: { mode, image: "ghcr.io/acme/start:1" } }).members[0]?.images;
    assert.deepEqual(imagesOf(["nginx"]), ["nginx", "ghcr.io/acme/start:1"]);
    assert.deepEqual(imagesOf([]), ["ghcr.io/acme/start:1"]);
    assert.deepEqual(imagesOf(["ghcr.io/acme/*"]), ["ghcr.io/acme/*"]);
    assert.deepEqual(imagesOf(["*"]), ["*"]);
    assert.deepEqual(imagesOf(["nginx"], "off"), ["nginx"]);
  });
});

describe("mistakes in starter settings", () => {
  const reported = (starter: unknown, ...members: readonly object[]) =>
    mistakes({ members: members.length === 0 ? [bob] : members, starter });

  it("refuses wrong starter settings with what is allowed", () => {
    assert.deepEqual(reported({ mode: "onze", port: 80, replicas: 11, cpuMillicores: 0, memoryMiB: 1.5 }), [
      `starter.mode: "onze" must be one of off, once, kept; did you mean 'once'?`,
      "starter.port: 80 must be at least 1024",
      "starter.replicas: 11 must be at most 10",
      "starter.cpuMillicores: 0 must be at least 10",
      "starter.memoryMiB: 1.5 must be a whole number of MiB",
    ]);
    assert.deepEqual(reported(undefined, { ...bob, starter: "always" }), [
      `members[0].starter: "always" must be one of off, once, kept (member 'bob')`,
    ]);
  });

  it("refuses images of a starter app that are none, or several", () => {
    const one = "must be one image, such as docker.io/library/caddy:2, and no pattern";
    assert.deepEqual(reported({ image: "caddy:*" }), [`starter.image: "caddy:*" ${one}`]);
    assert.deepEqual(reported({ image: "ghcr.io/acme/*" }), [`starter.image: "ghcr.io/acme/*" ${one}`]);
    assert.deepEqual(reported({ image: "https://ghcr.io/acme/app" }), [
      'starter.image: "https://ghcr.io/acme/app" must be an image, such as nginx, nginx:1.*, ghcr.io/acme/app@sha256:… or ghcr.io/acme/*',
    ]);
  });

  it("refuses starter pages without a first one, misnamed, too big, or beside a folder", () => {
    assert.deepEqual(reported({ pages: { "more.md": "" } }), [
      'starter.pages: {"more.md":""} has no index.md, the page that a member\'s path begins with (it has more.md)',
    ]);
    assert.deepEqual(reported({ pages: { "index.md": "", "../x.md": "" } }), [
      `starter.pages.../x.md: "../x.md" can't be a page's name: A-Z, a-z, 0-9, '.', '_' and '-', with .md at its end`,
    ]);
    assert.match(
      reported({ pages: { "index.md": "x".repeat(901 * 1024) } }).join("\n"),
      /starter\.pages: .* has 901 KiB of pages/,
    );
    assert.deepEqual(reported({ pages: { "index.md": "" }, pagesFolder: "starter" }), [
      'starter.pagesFolder: "starter" is set beside pages; keep one of the two',
    ]);
  });

  it("refuses starter apps that don't fit into a quota, each told where one is set up", () => {
    const small = { ...bob, maxCPUm: 80, defaultCPUm: 50 };
    const why =
      "takes 100 thousandths of a CPU (2 replicas of 50), and the quota holds 80 (maxCPUm); lower starter.cpuMillicores or " +
      "starter.replicas, raise maxCPUm, or set it to off";
    assert.deepEqual(reported({ mode: "once", replicas: 2 }, small), [`starter.mode: ${why} (member 'bob')`]);
    assert.deepEqual(reported({ mode: "once", replicas: 2 }, small, { ...small, member: "carol" }), [
      `starter.mode: ${why} (2 members, such as 'bob')`,
    ]);
    assert.deepEqual(reported({ replicas: 2 }, { ...small, starter: "kept" }), [
      `members[0].starter: ${why} (member 'bob')`,
    ]);
    const ofType = mistakes({ members: [small], memberTypes: { user: { starter: "kept" } }, starter: { replicas: 2 } });
    assert.deepEqual(ofType, [`memberTypes.user.starter: ${why} (member 'bob')`]);
    assert.deepEqual(reported({ mode: "once", replicas: 2 }, { ...small, starter: "off" }), []);
    assert.deepEqual(reported({ mode: "once", replicas: 2 }, { ...small, quota: false }), []);
  });

  it("refuses Caddy as a starter app where the controller speaks HTTPS to it", () => {
    const https = { host: "camp.example.org", backendProtocol: "HTTPS" };
    const caddy = (starter: object, entry: object = {}) =>
      mistakes({ route: https, members: [{ ...bob, ...entry }], starter: { mode: "kept", ...starter } });
    assert.deepEqual(caddy({}), [
      "starter.mode: speaks HTTP, and route.backendProtocol is HTTPS; set starter.image to one of your own that serves " +
        "HTTPS, or set it to off (member 'bob')",
    ]);
    assert.deepEqual(caddy({ image: "ghcr.io/acme/start" }), []);
    assert.deepEqual(caddy({}, { route: false }), []);
  });
});
