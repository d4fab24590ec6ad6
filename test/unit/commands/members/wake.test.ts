import assert from "node:assert/strict";
import { minutesIn } from "../../../../commands/common/minutes.ts";
import { Problem } from "../../../../commands/common/problem.ts";
import { wakeMembers } from "../../../../commands/members/wake.ts";
import { json, metadataList, useApiServer } from "../../cluster/fakeApiServer.ts";
import { route } from "../../samples.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";

const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
const members = [
  { member: "bob", type: "user", schedule },
  { member: "carol", type: "user", schedule, suspended: true },
  { member: "dave", type: "user", schedule, expires: "2020-02-29" },
  { member: "eve", type: "user" },
  { member: "fay", type: "user", schedule: "off" },
];

describe("a time to be awake", () => {
  it("a time to be awake is hours and minutes, of a day at most", () => {
    assert.deepEqual(
      ["2h", "45m", "1h30m", "24h", "1440m", "1m"].map((text) => minutesIn(text, "no")),
      [120, 45, 90, 1440, 1440, 1],
    );
  });

  it("a time to be awake is refused where it is none, or longer", () => {
    for (const text of ["", "0h", "0h0m", "2", "-2h", "2d", "1.5h", "2h ", "30m1h", "forever", "99999h"]) {
      assert.throws(
        () => minutesIn(text, "no"),
        { why: "It must be hours and minutes, such as 2h, 45m or 1h30m." },
        text,
      );
    }
    for (const text of ["25h", "24h1m", "1441m"]) {
      assert.throws(() => minutesIn(text, "no"), { why: "It is longer than a day." }, text);
    }
  });
});

describe("kubecamp members wake", () => {
  const server = useApiServer();
  const { cwd } = process;
  const { log } = console;
  const folder = useFolder({
    ...project,
    "Pulumi.prod.yaml": stackFile({ route, members }),
  });
  let printed: string[];

  beforeEach(() => {
    printed = [];
    process.cwd = () => folder.path;
    console.log = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    process.cwd = cwd;
    console.log = log;
  });

  const wake = (name: string, time = "2h", output: "text" | "json" = "text") =>
    wakeMembers([name], { for: time, output });
  const home = (stack: string) => {
    const labels = { "kubecamp.dev/member": "bob", "kubecamp.dev/stack": stack };
    return json(metadataList({ metadata: { name: "bob", labels } }));
  };

  it("writes until when on the member's namespace, and tells it in their time", async () => {
    server.answers("namespaces", home("prod"));
    server.answers("bob", json({}));
    const before = Date.now();
    await wake("bob");
    const [{ url, body } = { url: "", body: "" }] = server.writes;
    const until = Date.parse(JSON.parse(body).metadata.annotations["kubecamp.dev/awake-until"]);
    assert.equal(url, "/api/v1/namespaces/bob");
    assert.ok(until >= before + 2 * 3_600_000 && until <= Date.now() + 2 * 3_600_000);
    assert.match(printed.join("\n"), /^bob: awake until \d{4}-\d\d-\d\d \d\d:\d\d Europe\/Zurich\nWith kubecamp watch/);
  });

  const refusals: Record<string, RegExp> = {
    carol: /^Member 'carol' is suspended, and can't be woken\.$/,
    dave: /^Member 'dave' is expired, and can't be woken\.$/,
    eve: /^Member 'eve' never sleeps\.$/,
    bop: /^There is no member 'bop' in stack 'prod'; did you mean 'bob'\?$/,
  };
  for (const [name, message] of Object.entries(refusals)) {
    it(`refuses ${name}, and asks the cluster nothing`, async () => {
      await assert.rejects(wake(name), (error) => error instanceof Problem && message.test(error.message));
      assert.deepEqual(server.asked, []);
    });
  }

  it("writes nothing on another stack's namespace, or where there is none", async () => {
    for (const answer of [home("dev"), json(metadataList())]) {
      server.answers("namespaces", answer);
      await assert.rejects(wake("bob"), { message: "Member 'bob' of stack 'prod' has no namespace on this cluster." });
    }
    assert.deepEqual(server.writes, []);
  });
});
