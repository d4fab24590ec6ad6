import { messageOf } from "../../cluster/api/errors.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import type { Tried } from "../outcome.ts";
import type { Trial } from "../trial.ts";
import { judged, type Post } from "./network/judge.ts";
import { answersIn, probeArguments, probeScript } from "./network/probe.ts";
import { clusterTargets, factsOf, listenerTargets, peersOf, type Target } from "./network/targets.ts";
import { asAdmin, endOf, expose, type Place, placeOf, runPod, servingScript } from "./pods.ts";

/**
 * Runs a pod that listens in each member's namespace and in one that is no member's, and then in each a pod that tries to
 * reach all of them, and what must be out of a member's reach.
 */
export async function tryNetwork(trial: Trial): Promise<readonly Tried[]> {
  const { stage } = trial;
  const { settings, players } = stage;
  const strange: Place = { namespace: await stage.strange(), ask: asAdmin(stage) };
  const places = [...players.map((player) => placeOf(player, stage)), strange];
  const listeners = await inParallel(places, hands, (place) => listen(place, trial));
  const cluster = await factsOf(stage).then((facts) => clusterTargets(facts, settings), messageOf);
  const unread = typeof cluster === "string" ? cluster : undefined;
  const targets = [...listeners.flatMap(({ targets }) => targets), ...(typeof cluster === "string" ? [] : cluster)];
  const posts = await inParallel(listeners, hands, async ({ place, peers, why }): Promise<Post> => {
    return { ...place, peers, answers: why ?? (await probe(place, targets, trial).catch(messageOf)) };
  });
  return judged({ settings, posts, targets, unread });
}

/** @returns what can be reached there, or why nothing can */
async function listen(place: Place, { stage, options: { image } }: Trial) {
  const name = "listener";
  try {
    const service = await expose(place, name, name);
    const args = [name, "/"];
    const pod = await runPod(stage, place, { name, image, script: servingScript, args, listens: true });
    return { place, peers: peersOf(pod), targets: listenerTargets(place, pod, service) };
  } catch (cause) {
    return { place, peers: [], targets: [], why: messageOf(cause) };
  }
}

/** The kubelet puts what is in that file, of 4096 bytes at most, into the pod's status, which needs no right to read logs. */
const intoStatus = "exec >/dev/termination-log 2>&1";

/** @returns for each target, whether it was open */
async function probe(place: Place, targets: readonly Target[], { stage, options: { image } }: Trial) {
  const script = `${intoStatus}\n${probeScript}`;
  const args = probeArguments(targets);
  const pod = await runPod(stage, place, { name: "probe", image, script, args, listens: false });
  return answersIn(endOf(pod) ?? "", targets);
}
