import type { LiveService, ManagedObject } from "../../../cluster/read/snapshot.ts";

/** A Service that a route can lead to, or one that a test has otherwise. */
export const liveService = (change: Partial<LiveService> = {}): LiveService => ({
  labels: {},
  annotations: {},
  resourceVersion: "7",
  applied: undefined,
  terminating: false,
  type: "ClusterIP",
  clusterIP: "10.0.0.7",
  selector: { app: "web" },
  ports: [80],
  portNames: { "80/TCP": "" },
  targetPorts: { "80/TCP": 8080 },
  readyPorts: [],
  ...change,
});

/** One of a type without pods, such as ExternalName. */
export const otherService = (type: string, change: Partial<LiveService> = {}): LiveService =>
  liveService({ type, clusterIP: "", selector: {}, ...change });

/** An object as an admin might have made it, but for what a test changes in it. */
export const liveObject = (change: Partial<ManagedObject> = {}): ManagedObject => ({
  labels: {},
  annotations: {},
  resourceVersion: "7",
  applied: undefined,
  content: {},
  ...change,
});

/** A Service of a type that a route can lead to, or of one that it can't. */
export const serviceOf = (type: string, labels: Record<string, string> = {}): LiveService =>
  type === "ClusterIP" ? liveService({ labels }) : otherService(type, { labels });
