import { globSync } from "node:fs";
import { repository } from "../../sandbox/paths.ts";

/** Folders and files that stand for one box of the picture. */
export interface Room {
  readonly paths: readonly string[];
  readonly holds: string;
}

/** Rooms as data flows through them: each imports from those above it. */
export const order: readonly Room[] = [
  { paths: ["config"], holds: "settings, their rules and defaults; names and labels" },
  { paths: ["cluster"], holds: "the API server: reads, and the few writes" },
  { paths: ["buckets"], holds: "buckets on an S3 server, with their plugin for Pulumi" },
  { paths: ["objects"], holds: "a builder for each Kubernetes object" },
  { paths: ["plan"], holds: "what each member gets, and why something is missing" },
  { paths: ["components"], holds: "the plan as Pulumi's resources" },
  { paths: ["runs"], holds: "the one way to run Pulumi" },
  { paths: ["verify"], holds: "each promise, tried by members made for a while" },
  { paths: ["commands"], holds: "a folder for each command" },
  { paths: ["watch"], holds: "kubecamp watch, and its manifests" },
  { paths: ["index.ts", "kubecamp.ts", "bin"], holds: "the entry points" },
  { paths: ["sandbox", "bench", "tools"], holds: "only for development" },
];

const within = (file: string, path: string) => `${file}/`.startsWith(`${path}/`);

/** Whether a file is one of the room's. */
export const isIn = (file: string, { paths }: Room): boolean => paths.some((path) => within(file, path));

/** All files of the product and its tools, in alphabetical order. */
export function sourceFiles(): string[] {
  const patterns = order.flatMap(({ paths }) =>
    paths.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.{ts,mjs}`)),
  );
  return globSync(patterns, { cwd: repository }).toSorted();
}
