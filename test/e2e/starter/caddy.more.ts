import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { StarterMode } from "../../../config/member/types.ts";
import { starterDeployment } from "../../../objects/starter/starterDeployment.ts";
import { starterPages } from "../../../objects/starter/starterPages.ts";
import { freePort } from "../../../sandbox/cluster/ports.ts";
import { repository } from "../../../sandbox/paths.ts";
import { caddy } from "../../../sandbox/tools/catalogue.ts";
import { toolOnDemand } from "../../../sandbox/tools/toolchain.ts";
import { manifestOf, manifestsIn } from "../../unit/deploy/manifests.ts";
import { configuration } from "../../unit/samples.ts";
import { clusterTimeout } from "../support/cluster.ts";

const pages = {
  "index.md": "# Welcome, {member}\n\n[More](more) and [below](deep-er.v1)\n\n{limits}\n",
  "more.md": 'Not run: {{ env "HOME" }} {{ include "/pages/index.md" }} `{{`\n\n<b>bold</b>\n',
  "leeway.md": "# Begins as the member's name does",
  "deep-er.v1.md": "---\ntitle: x\n---\n# Below\n",
};

type Files = Readonly<Record<string, string>>;

/** The files of deploy/asleep.yaml. */
const asleepPage = (): Files =>
  (
    manifestOf("ConfigMap", "page", manifestsIn(join(repository, "deploy"), "asleep.yaml")) as unknown as {
      data: Files;
    }
  ).data;

/** One served by Caddy as a starter app's container has it, in a folder of its own in the place of the mounts. */
class Served {
  readonly #processes: ChildProcess[] = [];
  readonly #folders: string[] = [];

  /** @returns the address, once it answers */
  async start(program: string, raw: Record<string, unknown>, mode: StarterMode = "once"): Promise<string> {
    const port = await freePort();
    const { settings, members } = configuration({
      members: [{ member: "lee", type: "user" }],
      ...raw,
      starter: { ...Object(raw.starter), port },
    });
    const { data } = starterPages(members[0] ?? assert.fail(), mode, settings);
    return await this.#run(program, { data, mounted: "/pages", port, configured: port });
  }

  /** @returns the address of the page of deploy/asleep.yaml, once it answers */
  async startPage(program: string, data: Files): Promise<string> {
    return await this.#run(program, { data, mounted: "/page", port: await freePort(), configured: 8080 });
  }

  async #run(
    program: string,
    { data, mounted, port, configured }: { data: Files; mounted: string; port: number; configured: number },
  ): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "kubecamp-caddy-"));
    this.#folders.push(folder);
    const mount = join(folder, "pages");
    await mkdir(mount);
    for (const [name, text] of Object.entries(data)) {
      const placed = text.replaceAll(mounted, mount);
      await writeFile(join(mount, name), placed.replace(`:${configured} {`, `:${port} {\n\tbind 127.0.0.1`));
    }
    const child = spawn(program, ["run", "--config", join(mount, "Caddyfile"), "--adapter", "caddyfile"], {
      env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, PATH: process.env.PATH },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    this.#processes.push(child);
    const address = `http://127.0.0.1:${port}`;
    for (;;) {
      assert.equal(child.exitCode, null, said);
      if (await fetch(address).catch(() => undefined)) {
        return address;
      }
      await setTimeout(50);
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#processes.filter(({ exitCode }) => exitCode === null)) {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    }
    for (const folder of this.#folders) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

describe("the page of deploy/asleep.yaml by Caddy", () => {
  const served = new Served();
  after(() => served.stop());

  it("shows on every path that nobody answers now, without keeping anybody from coming again", async () => {
    const program = await toolOnDemand(caddy, { environment: process.env, signal: new AbortController().signal });
    const address = await served.startPage(program, asleepPage());
    for (const path of ["/", "/lee", "/lee/x.html?y", "/Caddyfile", "/lee/"]) {
      const response = await fetch(address + path, { redirect: "manual" });
      const { status, headers } = response;
      assert.deepEqual(
        [status, headers.get("content-type"), headers.get("retry-after"), headers.get("cache-control")],
        [503, "text/html; charset=utf-8", "3600", "no-store"],
        path,
      );
      assert.match(await response.text(), /<h1>Nobody answers here now<\/h1>/);
    }
  }).timeout(clusterTimeout);
});

describe("starter pages by Caddy", () => {
  const served = new Served();
  let program = "";
  let address = "";

  before(async () => {
    // On a fresh machine it is built first.
    const { signal } = new AbortController();
    program = await toolOnDemand(caddy, { environment: process.env, signal });
    address = await served.start(program, { starter: { pages } });
  });
  after(() => served.stop());

  const get = async (path: string, at = address) => {
    const response = await fetch(at + path, { redirect: "manual" });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };

  for (const prefix of ["", "/lee"]) {
    it(`show as HTML, with ${prefix === "" ? "the member's prefix taken off" : "the member's prefix before them"}`, async () => {
      const index = await get(`${prefix}/`);
      assert.equal(index.status, 200);
      assert.match(index.type ?? "", /^text\/html/);
      assert.match(index.text, /<title>lee<\/title>/);
      assert.match(index.text, /<h1[^>]*>Welcome, lee<\/h1>/);
      assert.match(index.text, /<td>CPU of all containers<\/td>\s*<td>500m<\/td>/);
      assert.equal((await get(`${prefix}/more`)).status, 200);
      assert.equal((await get(`${prefix}/more.md`)).status, 200);
      assert.match((await get(`${prefix}/leeway`)).text, /Begins as/);
      assert.match((await get(`${prefix}/deep-er.v1`)).text, /<h1[^>]*>Below<\/h1>/);
    });
  }

  it("show the first page at the path itself, and where the kubelet asks", async () => {
    assert.match((await get("/lee")).text, /Welcome, lee/);
    for (const [rewrite, path] of [
      ["none", "/lee"],
      ["strip", "/"],
    ]) {
      const { settings, members } = configuration({
        members: [{ member: "lee", type: "user" }],
        route: { host: "camp.example.org", rewrite },
      });
      const [container] = starterDeployment(members[0] ?? assert.fail(), "once", settings).spec.template.spec
        .containers;
      assert.equal(container?.readinessProbe.httpGet.path, path);
      assert.equal((await get(path ?? "")).status, 200);
    }
  });

  it("link to each other wherever they are shown", async () => {
    const { text } = await get("/lee");
    const base = /<base href="([^"]+)">/.exec(text)?.[1] ?? "";
    const link = /<a href="([^"]+)">More<\/a>/.exec(text)?.[1] ?? "";
    const target = new URL(link, new URL(base, `${address}/lee`));
    assert.equal(target.pathname, "/lee/more");
    assert.equal((await get(target.pathname)).status, 200);
  });

  it("are never run as templates, whatever stands in them", async () => {
    const { status, text } = await get("/more");
    assert.equal(status, 200);
    assert.ok(text.includes("{{ env") && text.includes("{{ include") && text.includes("<code>{{</code>"), text);
    assert.doesNotMatch(text, /Welcome/);
  });

  it("are all that is shown: neither what serves them, nor anything else", async () => {
    for (const path of [
      "/Caddyfile",
      "/page.html",
      "/lee/Caddyfile",
      "/nothing",
      "/../pages/Caddyfile",
      "/%2e%2e/x",
      "/more/",
    ]) {
      const { status, text } = await get(path);
      assert.equal(status, 404, `${path}: ${text}`);
    }
  });

  it("say who the member is, how to deploy and what the limits are, where settings have no page", async () => {
    const standard = await served.start(program, {});
    for (const path of ["/", "/lee", "/lee/"]) {
      const { status, text } = await get(path, standard);
      assert.equal(status, 200);
      assert.match(text, /<title>lee<\/title>/);
      assert.match(text, /<h1[^>]*>Welcome, lee<\/h1>/);
      assert.match(text, /<a href="https:\/\/camp\.example\.org\/lee\/">/);
      // Caddy marks up the words of a command.
      const words = text.replaceAll(/<[^>]+>/g, "").replaceAll(/&quot;|&#34;/g, '"');
      assert.match(words, /^kubectl create deployment my-app --image=IMAGE --port=8080 -n lee$/m);
      assert.match(words, /^kubectl patch service lee-svc -n lee --type=json/m);
      assert.match(words, /"value": {"app": "my-app"}}/);
      assert.match(text, /<table>.*<td>memory of all containers<\/td>\s*<td>500Mi<\/td>.*<\/table>/s);
      assert.doesNotMatch(text, /\{(member|namespace|url|limits)\}|\{\{/);
    }
  });

  it("show on a host of the member's own, too", async () => {
    const own = await served.start(program, { route: { host: "{member}.camp.example.org" } });
    const { status, text } = await get("/", own);
    assert.equal(status, 200);
    assert.match(text, /<h1[^>]*>Welcome, lee<\/h1>/);
    assert.match(text, /<base href="\/">/);
    assert.match(text, /href="https:\/\/lee\.camp\.example\.org\/"/);
    assert.equal((await get("/lee", own)).status, 404);
  });
});
