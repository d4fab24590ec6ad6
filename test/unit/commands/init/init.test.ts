import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { projectFiles, workflow } from "../../../../commands/init/files.ts";
import { answersOf, writeProject } from "../../../../commands/init/init.ts";
import { ingressControllers } from "../../../../config/route/controllers.ts";
import { repository } from "../../../../sandbox/paths.ts";

const ada = { member: "ada", type: "user" };
const answers = {
  host: "apps.example.org",
  route: { controller: "traefik" },
  issuer: "https://id.example.org",
  clientId: "kubectl",
  members: [ada],
} as const;
const kubecamp = { version: "0.2.0", node: ">=22.18" };
const files = projectFiles("camp", answers, kubecamp);
const today = "2026-11-26";

describe("kubecamp init", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kubecamp-init-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const left = () => readdirSync(folder, { recursive: true }).toSorted();

  /** Somebody who gives these answers, one after the other, and an empty one for each default. */
  const answering = (...given: readonly string[]) => {
    const left = [...given];
    const asked: string[] = [];
    const ask = async (question: string, usual: string) => {
      asked.push(question);
      return usual === "" || question.includes("First") ? (left.shift() ?? "") : usual;
    };
    return { ask, asked };
  };
  const makers = `What makes members' routes:
  gateway (for a cluster with a Gateway: a login by Envoy Gateway alone, no limit on bodies)
  traefik (for all that routes can have, also a login)
  haproxy (for routes with no login and no limit on bodies)
  contour (for routes with no login, no limit on bodies and no rewrite)
  ingress-nginx (for clusters that have it already: no security fixes since March 2026)
One of these`;
  const issuer = "URL of the OpenID Connect issuer, if there is one";

  it("asks for what the options leave open, and takes the default for an empty answer", async () => {
    const { ask, asked } = answering("haproxy", "", "bob:admin");
    assert.deepEqual(await answersOf({ host: "camp.example.org" }, ask), {
      host: "camp.example.org",
      route: { controller: "haproxy" },
      clientId: "kubernetes",
      members: [{ member: "bob", type: "admin" }],
    });
    assert.deepEqual(asked, [makers, issuer, "First member, as name:type"]);
  });

  it("asks what makes the routes until there is an answer, and then which Gateway", async () => {
    const given = { host: "camp.example.org", members: [ada] };
    const { ask, asked } = answering(
      "",
      "nginx",
      "constructor",
      "gateway",
      "public",
      "edge/",
      "edge/public/x",
      "edge/public",
    );
    assert.deepEqual((await answersOf(given, ask)).route, {
      kind: "gateway",
      gateway: { name: "public", namespace: "edge" },
    });
    const which = "The Gateway, as namespace/name";
    const misfit = (text: string, question: string) => `'${text}' does not fit. ${question}`;
    assert.deepEqual(asked, [
      makers,
      makers,
      misfit("nginx", makers),
      misfit("constructor", makers),
      which,
      misfit("public", which),
      misfit("edge/", which),
      misfit("edge/public/x", which),
      issuer,
    ]);
  });

  it("names all that is missing where nobody can be asked", async () => {
    await assert.rejects(answersOf({}, undefined), {
      why: "There is no --host apps.example.org and no --gateway gateways/public (or --controller traefik) and no --member ada:user.",
    });
  });

  it("depends on the package's file, which no registry can replace, in a program of one line", () => {
    assert.deepEqual(JSON.parse(files["package.json"] ?? ""), {
      name: "camp",
      version: "0.0.0",
      private: true,
      type: "module",
      main: "index.ts",
      engines: { node: ">=22.18" },
      scripts: { kubecamp: "kubecamp" },
      dependencies: { kubecamp: "file:kubecamp-0.2.0.tgz" },
      allowScripts: { "@pulumi/kubernetes": false, kubecamp: false, protobufjs: false },
    });
    assert.equal(files["index.ts"], 'export { members, pending } from "kubecamp/program";\n');
  });

  it("writes the answers into the stack and its list", () => {
    assert.deepEqual(parse(files["Pulumi.prod.yaml"] ?? ""), {
      config: {
        "kubecamp:route": { host: "apps.example.org", controller: "traefik" },
        "kubecamp:oidc": { issuerUrl: "https://id.example.org", clientId: "kubectl" },
        "kubecamp:offboarding": { maxRemovals: 3, protect: true },
        "kubecamp:membersFile": "members.prod.yaml",
      },
    });
    assert.deepEqual(parse(files["members.prod.yaml"] ?? ""), [ada]);
  });

  it("a project has actions in the versions of the repository's workflows", () => {
    const actionsIn = (text: string) => text.match(/uses: [^.\s].*/g) ?? [];
    const names = readdirSync(join(repository, ".github/workflows"), { withFileTypes: true });
    const others = [...names.map(({ name }) => `workflows/${name}`), "actions/packages/action.yml"];
    const known = others.flatMap((name) => actionsIn(readFileSync(join(repository, ".github", name), "utf8")));
    assert.equal(actionsIn(workflow).length, 2);
    assert.deepEqual(
      actionsIn(workflow).filter((action) => !known.includes(action)),
      [],
    );
  });

  for (const route of [
    { kind: "gateway", gateway: { name: "public", namespace: "edge" } } as const,
    ...ingressControllers.map((controller) => ({ controller })),
  ]) {
    it(`makes a project that a run takes, with ${JSON.stringify(route)}`, () => {
      const made = projectFiles("camp", { ...answers, route }, kubecamp);
      assert.deepEqual(parse(made["Pulumi.prod.yaml"] ?? "").config["kubecamp:route"], {
        host: "apps.example.org",
        ...route,
      });
      writeProject(join(folder, "camp"), made, today);
    });
  }

  it("names a Gateway that none can be called, and writes nothing then", () => {
    const route = { kind: "gateway", gateway: { name: "Public", namespace: "e.f" } } as const;
    assert.throws(
      () => writeProject(join(folder, "camp"), projectFiles("camp", { ...answers, route }, kubecamp), today),
      {
        why: [
          'route.gateway.name: "Public" must be a name in lower case',
          "route.gateway.namespace: \"e.f\" must be a DNS label: a-z, 0-9 and '-', at most 63 characters",
        ].join("\n"),
      },
    );
    assert.deepEqual(left(), []);
  });

  it("writes all files into a new folder or an empty one", () => {
    mkdirSync(join(folder, "empty"));
    for (const name of ["empty", "new"]) {
      writeProject(join(folder, name), files, today);
      for (const [path, text] of Object.entries(files)) {
        assert.equal(readFileSync(join(folder, name, path), "utf8"), text);
      }
    }
    assert.deepEqual(readdirSync(folder).toSorted(), ["empty", "new"]);
  });

  it("writes over nothing", () => {
    mkdirSync(join(folder, "camp"));
    writeFileSync(join(folder, "camp/notes"), "");
    assert.throws(() => writeProject(join(folder, "camp"), files, today), { why: "It has notes." });
    assert.deepEqual(left(), ["camp", "camp/notes"]);
  });

  it("names every mistake once, and writes nothing then", () => {
    const wrong = projectFiles(
      "camp",
      { ...answers, host: "a..b", issuer: "x", members: [{ ...ada, type: "usr" }] },
      kubecamp,
    );
    assert.throws(() => writeProject(join(folder, "camp"), wrong, today), {
      why: [
        `members[0].type: "usr" is no member type; did you mean 'user'? (admin, user, guest-user) (member 'ada')`,
        `route.host: "a..b" must be a host name in lower case, without scheme, port or path; {member} in it stands for the member's name`,
        `oidc.issuerUrl: "x" must be an https URL without user, query and fragment, such as https://id.example.org`,
      ].join("\n"),
    });
    assert.deepEqual(left(), []);
  });
});
