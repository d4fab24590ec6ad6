import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

type Files = Readonly<Record<string, string | Buffer>>;

/** A Pulumi project without stacks. */
export const project: Files = { "Pulumi.yaml": "name: kubecamp\nruntime: nodejs\n" };

class TestFolder {
  path = "";

  /** Writes files, by their paths in the folder. */
  write(files: Files): void {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      writeFileSync(join(this.path, file), content);
    }
  }
}

/** A folder with these files, anew for each test of a suite. */
export function useFolder(files: Files = {}): TestFolder {
  const folder = new TestFolder();
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), "kubecamp-unit-"));
    folder.write(files);
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
