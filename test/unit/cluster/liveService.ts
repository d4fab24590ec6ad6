import type { LiveService } from "../../../cluster/read/snapshot/snapshot.ts";

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
