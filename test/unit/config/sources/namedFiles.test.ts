import assert from "node:assert/strict";
import { readStackFile } from "../../../../config/sources/files.ts";
import { manifestFiles, withFiles } from "../../../../config/sources/namedFiles.ts";
import { membersSource, parseSources, stackSource } from "../../../../config/sources/sources.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { today } from "../../samples.ts";
import { useFolder } from "../../testFolder.ts";

describe("a folder of starter pages", () => {
  const folder = useFolder({ "starter/logo.svg": "<svg/>" });

  function sources(named: string) {
    const config = `config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n  kubecamp:members: []\n  kubecamp:starter:\n    pagesFolder: ${named}\n`;
    folder.write({ "Pulumi.dev.yaml": config });
    return withFiles(readStackFile(folder.path, "dev") ?? assert.fail("no file"), folder.path);
  }

  function reported(named = "starter"): string[] {
    const parsed = parseSources("dev", sources(named), today);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  }

  const write = (name: string, text: string | Buffer) => folder.write({ [`starter/${name}`]: text });

  it("reads all Markdown files of a folder of pages, and the names of those to be watched", () => {
    write("index.md", "# Here");
    write("more.md", "More");
    const found = sources("starter/");
    assert.deepEqual(found.pages, {
      pages: { "index.md": "# Here", "more.md": "More" },
      files: ["starter/", "starter/index.md", "starter/more.md"],
      mistakes: [],
    });
    const parsed = parseSources("dev", found, today);
    assert.deepEqual("configuration" in parsed && parsed.configuration.settings.starter.pages, found.pages?.pages);
  });

  it("refuses a folder of pages that is missing, a file, absolute, or has no first page", () => {
    const at = "Pulumi.dev.yaml:5: starter.pagesFolder:";
    assert.deepEqual(reported("elsewhere"), [
      `${at} "elsewhere" does not exist; give its path relative to the project's folder, where Pulumi.yaml is`,
    ]);
    assert.deepEqual(reported("Pulumi.dev.yaml"), [
      `${at} "Pulumi.dev.yaml" is a file, not a folder; give the path of a folder with Markdown files`,
    ]);
    assert.deepEqual(reported("/etc"), [
      `${at} "/etc" is an absolute path, which holds on one machine alone; give it relative to the project's folder`,
    ]);
    assert.deepEqual(reported(), [`${at} "starter" has no index.md, the page that a member's path begins with`]);
  });

  it("refuses a folder of pages with a wrong name, other encodings, or too many pages", () => {
    write("index.md", Buffer.from([0xff, 0xfe]));
    assert.match(reported().join("\n"), /"starter" has a page that is no text in UTF-8; save it as UTF-8$/);
    write("index.md", "x".repeat(900 * 1024 + 1));
    assert.match(reported().join("\n"), /"starter" has 901 KiB of pages, and a ConfigMap has room for 900/);
    write("my page.md", "");
    assert.match(reported().join("\n"), /"starter" has a file "my page\.md", which can't be a page's name/);
  });
});

describe("files of objects", () => {
  const folder = useFolder();

  /** The lines with which a stack is refused that has one file of objects. */
  function mistakes(file: string, content?: string | Buffer): string[] {
    if (content !== undefined) {
      folder.write({ [file]: content });
    }
    const config = `config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n  kubecamp:membersFile: members.yaml\n  kubecamp:objects: [{ file: ${file} }]\n`;
    const stack = stackSource("Pulumi.prod.yaml", config);
    const members = membersSource("members.yaml", "- { member: ann, type: user }\n");
    const parsed = parseSources("prod", { stack, members, objects: manifestFiles(stack, folder.path) }, today);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  }

  it("takes files of objects whatever their place in the project's folder", () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: course }\ndata: { a: b }\n";
    assert.deepEqual(mistakes("objects/course.yaml", text), []);
  });

  for (const [what, file, content, message] of [
    [
      "no YAML",
      "tab.yaml",
      "kind: ConfigMap\nmetadata:\n\tname: course\n",
      "line 3: is no YAML: a tab indents this line, and only blanks can",
    ],
    ["empty", "empty.yaml", "# nothing yet\n---\n", "has no manifest in it"],
    [
      "of one machine",
      "/etc/course.yaml",
      undefined,
      "is an absolute path, which holds on one machine alone; give it relative to the project's folder",
    ],
  ] as const) {
    it(`refuses a file of objects with the reason: ${what}`, () => {
      const all = mistakes(file, file.startsWith("/") ? undefined : content);
      assert.deepEqual(all, [`Pulumi.prod.yaml:4: objects[0].file: "${file}" ${message}`]);
    });
  }
});
