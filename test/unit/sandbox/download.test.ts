import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { access, constants, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createListener, Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../../../commands/common/problem.ts";
import { cachedTool } from "../../../sandbox/tools/cache.ts";
import { catalogue, type Tool } from "../../../sandbox/tools/catalogue.ts";
import { type DownloadOptions, downloadTool } from "../../../sandbox/tools/download.ts";
import type { Release } from "../../../sandbox/tools/releases.ts";
import { NotDownloaded, reach, staysEncrypted } from "../../../sandbox/tools/transfer.ts";
import { listening } from "../../support/listening.ts";
import { useFolder } from "../testFolder.ts";

const path = "/example.org/releases/v1/tool-linux-amd64";
const url = `https:/${path}`;
const program = "#!/bin/sh\necho whole\n";
const size = String(program.length);
const digest = (content: string | Buffer, algorithm = "sha256") => createHash(algorithm).update(content).digest("hex");
const named = (name: string): Tool<string> => catalogue.find((tool) => tool.name === name) ?? assert.fail();
const kubectl = named("kubectl");

/** Sends half of the program. */
const half = (then: (response: ServerResponse) => void) => (response: ServerResponse) => {
  response.writeHead(200, { "content-length": size });
  response.write(program.slice(0, 10), () => then(response));
};

type Answer = string | Buffer | ((response: ServerResponse) => void);

describe("a download", () => {
  const folder = useFolder();
  let root: string;
  let server: Server;
  let mirror: string;
  let answers: Record<string, Answer>;
  let progress: string[];

  before(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ""];
      if (typeof answer === "function") {
        answer(response);
      } else {
        response.writeHead(answer === undefined ? 404 : 200, { "content-length": answer?.length ?? 0 }).end(answer);
      }
    });
    mirror = `http://127.0.0.1:${await listening(server)}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    root = folder.path;
    answers = { [path]: program };
    progress = [];
  });

  const from = (release: Release, more: Partial<DownloadOptions> = {}, tool = kubectl): Promise<void> =>
    downloadTool(tool, {
      environment: { KUBECAMP_DOWNLOADS: mirror },
      cache: root,
      signal: new AbortController().signal,
      onProgress: (text) => progress.push(text),
      patience: { connect: 1_000, silence: 60_000, whole: 60_000 },
      release,
      ...more,
    });
  const pinned: Release = { url, checksum: digest(program) };
  const files = async (): Promise<string[]> =>
    (await readdir(root, { recursive: true, withFileTypes: true })).flatMap((file) => (file.isFile() ? file.name : []));
  /** Says why, and leaves nothing. */
  const fails = async (why: RegExp | string, running: Promise<void>): Promise<NotDownloaded> => {
    const error: unknown = await running.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof NotDownloaded, String(error));
    if (typeof why === "string") {
      assert.equal(error.message, why);
    } else {
      assert.match(error.message, why);
    }
    assert.deepEqual(await files(), []);
    return error;
  };

  it("is refused without a pinned checksum from a mirror that somebody in between could change", async () => {
    const environment = { KUBECAMP_DOWNLOADS: "http://mirror.example.org" };
    await assert.rejects(
      from({ url, sums: `${url}.sha256` }, { environment }),
      /no checksum of .* is pinned, and http:/,
    );
  });

  it("with the pinned checksum becomes the tool, which can be run", async () => {
    await from(pinned);
    const file = cachedTool(kubectl, root);
    assert.equal(await readFile(file, "utf8"), program);
    await access(file, constants.X_OK);
    assert.deepEqual(await files(), [basename(file)]);
    assert.deepEqual(progress, ["downloaded 1 of 1 MB"]);
  });

  it("without a pinned checksum is checked against the publisher's, however its file is written", async () => {
    const sums = "https://other.example.org/sums";
    const others = `${digest("other")}  tool-linux-arm64\n`;
    for (const text of [
      `${digest(program)}`,
      `${others}${digest(program)}  tool-linux-amd64\n`,
      `${others}${digest(program).toUpperCase()} *./tool-linux-amd64\r\n`,
      `${digest(program, "sha512")}  tool-linux-amd64\n`,
    ]) {
      answers["/other.example.org/sums"] = text;
      await rm(cachedTool(kubectl, root), { force: true });
      await from({ url, sums });
      assert.equal(await readFile(cachedTool(kubectl, root), "utf8"), program);
    }
    await rm(cachedTool(kubectl, root));
    answers["/other.example.org/sums"] = others;
    await fails(`${sums} has no checksum of tool-linux-amd64`, from({ url, sums }));
    answers["/other.example.org/sums"] = "<html>sign in first</html>";
    await fails(`${sums} has no checksum of tool-linux-amd64`, from({ url, sums }));
  });

  for (const [what, answer, release, why] of [
    ["without any checksum", program, { url }, `no checksum of ${url} is known`],
    ["with a wrong checksum", program, { url, checksum: digest("other") }, /has the checksum \w{64}, not \w{64}$/],
    [
      "of which half arrives",
      half((response) => response.destroy()),
      pinned,
      /example\.org broke after \d+ of 21 bytes$/,
    ],
    ["of which a proxy ends half in good order", program.slice(0, 10), pinned, /has the checksum/],
    [
      "that the publisher doesn't have",
      undefined,
      pinned,
      /\/example\.org\/releases\/v1\/tool-linux-amd64 answers 404$/,
    ],
  ] as const) {
    it(`${what} is not used`, async () => {
      answers = answer === undefined ? {} : { [path]: answer };
      await fails(why, from(release));
    });
  }

  it("of a host that refuses connections, or lets them wait, names the host", async () => {
    const listener = createListener();
    const port = await listening(listener);
    await new Promise((resolve) => listener.close(resolve));
    const error = await fails(
      "127.0.0.1 does not answer",
      from(pinned, { environment: { KUBECAMP_DOWNLOADS: `http://127.0.0.1:${port}` } }),
    );
    assert.equal(error.host, "127.0.0.1");
    let tries = 0;
    const hosts = new Map();
    const silent = () =>
      reach(new URL("https://example.org/x"), 20, hosts, () => {
        tries++;
        return new Socket();
      });
    const why = new NotDownloaded("example.org does not answer", "example.org");
    await Promise.all([assert.rejects(silent(), why), assert.rejects(silent(), why)]);
    await assert.rejects(silent(), why);
    assert.equal(tries, 1);
  });

  it("that stands still, or takes too long, is given up", async () => {
    answers[path] = half(() => undefined);
    await fails(
      "127.0.0.1 sent nothing for 0.05 s",
      from(pinned, { patience: { connect: 1_000, silence: 50, whole: 60_000 } }),
    );
    await fails(
      "127.0.0.1 took more than 0.05 s",
      from(pinned, { patience: { connect: 1_000, silence: 60_000, whole: 50 } }),
    );
  });

  it("ends at Ctrl-C", async () => {
    const interrupt = new AbortController();
    answers[path] = half(() => interrupt.abort());
    await assert.rejects(from(pinned, { signal: interrupt.signal }), Interrupted);
    assert.deepEqual(await files(), []);
  });

  it("may be redirected, but not to where nothing is encrypted", () => {
    assert.deepEqual(
      [
        ["https://a.example/x", "https://b.example/y"],
        ["http://mirror.example/x", "http://mirror.example/y"],
        ["https://a.example/x", "http://b.example/y"],
      ].map(([from = "", to = ""]) => staysEncrypted(from, to)),
      [true, true, false],
    );
  });

  it("is not tried if it is turned off", () =>
    fails("KUBECAMP_DOWNLOADS is 'off'", from(pinned, { environment: { KUBECAMP_DOWNLOADS: "off" } })));

  describe("of an archive", () => {
    const pulumi = named("pulumi");
    const members = { "pulumi-language-nodejs": "pulumi/pulumi-language-nodejs", pulumi: "pulumi/pulumi" };
    let archive: Buffer;
    before(async () => {
      const folder = await mkdtemp(join(tmpdir(), "kubecamp-archive-"));
      await mkdir(join(folder, "pulumi"));
      for (const name of ["pulumi", "pulumi-language-nodejs", "pulumi-language-go"]) {
        await writeFile(join(folder, "pulumi", name), name, { mode: 0o755 });
      }
      await execa("tar", ["-czf", join(folder, "all.tar.gz"), "-C", folder, "pulumi"]);
      archive = await readFile(join(folder, "all.tar.gz"));
      await rm(folder, { recursive: true });
    });
    beforeEach(() => {
      answers[path] = archive;
    });

    it("keeps the tool and what belongs to it, and nothing else", async () => {
      await from({ url, checksum: digest(archive), members }, {}, pulumi);
      assert.deepEqual((await files()).toSorted(), ["pulumi", "pulumi-language-nodejs"]);
      assert.equal(await readFile(cachedTool(pulumi, root), "utf8"), "pulumi");
      await access(cachedTool(pulumi, root), constants.X_OK);
    });
  });
});
