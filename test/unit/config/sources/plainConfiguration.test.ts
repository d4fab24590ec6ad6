import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationOf } from "../../../../config/sources/load.ts";
import { plainConfiguration } from "../../../../config/sources/plainConfiguration.ts";

describe("the configuration in a stack's files", () => {
  let folder = "";
  const put = (file: string, text: string) => writeFile(join(folder, file), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-test-"));
    await put("Pulumi.yaml", "name: kubecamp\nconfig:\n  kubecamp:network:\n    value: { internet: false }\n");
    await put("members.yaml", "- { member: ana, type: user, expires: 2099-01-01 }\n");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is what Pulumi would hand over", async () => {
    await put(
      "Pulumi.dev.yaml",
      "config:\n  kubecamp:route: { host: camp.test }\n  kubecamp:membersFile: members.yaml\n",
    );
    const values = {
      "kubecamp:route": '{"host":"camp.test"}',
      "kubecamp:membersFile": "members.yaml",
      "kubecamp:network": '{"internet":false}',
    };
    assert.deepEqual(plainConfiguration(folder, "dev"), configurationOf({ values, secretKeys: [] }, "dev", folder));
  });

  for (const [what, more] of [
    [
      "something is encrypted",
      "  kubecamp:oidc: { issuerUrl: https://id.example.org, clientId: { secure: v1:abc } }\n",
    ],
    ["an environment may add to it", "environment:\n  - school\n"],
    ["something is a mistake", "  kubecamp:unheard: 1\n"],
  ] as const) {
    it(`is left to Pulumi where ${what}`, async () => {
      await put(
        "Pulumi.dev.yaml",
        `config:\n  kubecamp:route: { host: camp.test }\n  kubecamp:membersFile: members.yaml\n${more}`,
      );
      assert.equal(plainConfiguration(folder, "dev"), undefined);
    });
  }

  it("is left to Pulumi where there is no file", () => {
    assert.equal(plainConfiguration(folder, "dev"), undefined);
  });
});
