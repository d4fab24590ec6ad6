import { parentPort, workerData } from "node:worker_threads";
import { DelayedRelay } from "./relay.ts";

/** A relay on a thread of its own: the benchmark's reading of /proc would hold chunks back for longer. */
const { target, roundTrip } = workerData as { readonly target: number; readonly roundTrip: number };

parentPort?.postMessage(await new DelayedRelay(target, roundTrip).start());
