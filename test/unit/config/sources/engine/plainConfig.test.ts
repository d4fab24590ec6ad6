import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { plainConfig } from "../../../../../config/sources/engine/plainConfig.ts";
import { useFolder } from "../../../testFolder.ts";

describe("the configuration in a stack's files", () => {
  const projectText = (more = "") => `name: kubecamp\nruntime: nodejs\n${more}`;
  const stackText = (more = "") => `config:\n  kubecamp:contact: x@example.org\n${more}`;
  const folder = useFolder({ "Pulumi.yaml": projectText(), "Pulumi.dev.yaml": stackText() });
  const put = (file: string, text: string) => folder.write({ [file]: text });
  const project = (more = "") => put("Pulumi.yaml", projectText(more));
  const stack = (more = "") => put("Pulumi.dev.yaml", stackText(more));
  const valuesOf = (env: NodeJS.ProcessEnv = {}) => plainConfig(folder.path, "dev", env)?.values;
  const contact = { "kubecamp:contact": "x@example.org" };

  // Compared with what `pulumi config --show-secrets --json` of 3.259 gives for the same files.
  it("reads a stack's files as Pulumi gives them: text as it is, and all else as JSON", () => {
    stack(
      "  route: { tls: false, host: camp.test }\n  shards: 3\n  suspended: true\n  members:\n" +
        "    - { member: ana, expires: 2099-12-31, groups: ['2099-12-31', a-1], maxCPUm: 500 }\n",
    );
    assert.deepEqual(plainConfig(folder.path, "dev", {}), {
      values: {
        ...contact,
        "kubecamp:route": '{"host":"camp.test","tls":false}',
        "kubecamp:shards": "3",
        "kubecamp:suspended": "true",
        "kubecamp:members":
          '[{"expires":"2099-12-31 00:00:00 +0000 UTC","groups":["2099-12-31","a-1"],"maxCPUm":500,"member":"ana"}]',
      },
      secretKeys: [],
    });
  });

  it("takes what the project has for all stacks, unless the stack has its own", () => {
    project(
      "config:\n  contact: all@example.org\n  kubecamp:shards: 2\n  kubecamp:network: { value: { internet: false } }\n" +
        "  route: { default: { host: camp.test }, description: all of them }\n",
    );
    assert.deepEqual(valuesOf(), {
      "kubecamp:shards": "2",
      "kubecamp:network": '{"internet":false}',
      "kubecamp:route": '{"host":"camp.test"}',
      ...contact,
    });
  });

  it("finds a stack's file in the folder that the project names", () => {
    project("stackConfigDir: stacks\n");
    assert.equal(valuesOf(), undefined);
    put("stacks/Pulumi.dev.yaml", "config: { kubecamp:shards: 1 }\n");
    assert.deepEqual(valuesOf(), { "kubecamp:shards": "1" });
  });

  it("finds a stack's settings in the file that replaces the usual one", () => {
    put("other.yaml", "config: { kubecamp:shards: 2 }\n");
    for (const file of ["other.yaml", join(folder.path, "other.yaml")]) {
      assert.deepEqual(valuesOf({ PULUMI_OPTION_CONFIG_FILE: file }), { "kubecamp:shards": "2" });
    }
    put("other.txt", "config: { kubecamp:shards: 2 }\n");
    for (const file of ["none.yaml", "other.txt"]) {
      assert.equal(valuesOf({ PULUMI_OPTION_CONFIG_FILE: file }), undefined, file);
    }
    assert.equal(valuesOf({ PULUMI_OPTION_CONFIG_FILE: "" }), undefined);
  });

  for (const [why, more] of [
    [
      "something is encrypted",
      "  kubecamp:oidc: { issuerUrl: https://id.example.org, clientId: { secure: v1:abc } }\n",
    ],
    ["a map could be taken for something encrypted", "  kubecamp:network: { secure: v1:abc, internet: false }\n"],
    ["an environment may add to it", "environment:\n  - school\n"],
    ["Pulumi may read a value otherwise", "  kubecamp:shards: 010\n"],
    ["a key is there twice, with and without its prefix", "  contact: y@example.org\n"],
    ["a key is another program's", "  aws:region: eu-central-1\n"],
    ["a key is a path", "  kubecamp:route.host: camp.test\n"],
  ] as const) {
    it(`leaves the configuration to Pulumi where ${why}`, () => {
      stack(more);
      assert.equal(valuesOf(), undefined);
    });
  }

  for (const [why, more] of [
    ["gives a value a type", "config:\n  kubecamp:shards: { type: integer, default: 2 }\n"],
    ["says that a value is to be encrypted", "config:\n  kubecamp:shards: { default: 2, secret: true }\n"],
    ["has a value in a form that is none", "config:\n  kubecamp:network: { internet: false }\n"],
    ["has what may be taken for encrypted", "config:\n  kubecamp:network: { value: { secure: v1:abc } }\n"],
    ["has a fraction", "config:\n  kubecamp:notes: 1.5\n"],
  ] as const) {
    it(`leaves the configuration to Pulumi where the project ${why}`, () => {
      project(more);
      assert.equal(valuesOf(), undefined);
    });
  }

  it("leaves the configuration to Pulumi where it reads other files, or these are missing", () => {
    assert.deepEqual(valuesOf({ PULUMI_OPTION_PARALLEL: "4" }), contact);
    assert.equal(valuesOf({ PULUMI_OPTION_CONFIG: "kubecamp:shards=2" }), undefined);
    assert.equal(valuesOf({ PULUMI_OPTION_CWD: "/elsewhere" }), undefined);
    put("Pulumi.json", "{}");
    assert.equal(valuesOf(), undefined);
    rmSync(join(folder.path, "Pulumi.json"));
    put("Pulumi.yaml", "name: other\n");
    assert.equal(valuesOf(), undefined);
    project();
    rmSync(join(folder.path, "Pulumi.dev.yaml"));
    assert.equal(valuesOf(), undefined);
  });
});
