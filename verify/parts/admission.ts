import { hands, inParallel } from "../../cluster/inParallel.ts";
import type { Tried } from "../outcome.ts";
import type { Player, Stage } from "../stage/stage.ts";
import type { Trial } from "../trial.ts";
import { ofAmounts } from "./admission/amounts.ts";
import { askerOf, byHand, oneOfEach } from "./admission/asker.ts";
import { type Asker, dryRun, type Tries, tryAll } from "./admission/attempt.ts";
import { ofTypes } from "./admission/confined.ts";
import { ofClaims, ofEnds, ofNames } from "./admission/objects.ts";
import { type Permitted, permittedTo } from "./admission/permitted.ts";
import { ofAnnotations, ofImages, ofNodes, ofPlaces } from "./admission/pods.ts";
import { addressesAfter, ofRoutes, ofServices, routing } from "./admission/services.ts";
import { mayRestart, ofRestarts, ofTokens, onObjects, restarting, withObjects } from "./admission/there.ts";

/** A member of a type, with who asks in their namespace, and what is permitted there. */
interface Case {
  readonly player: Player;
  readonly asker: Asker;
  readonly may: Permitted;
}

/** Tries what admission policies, Pod Security and RBAC refuse, by dry run. */
export async function tryAdmission({ stage, options }: Trial): Promise<readonly Tried[]> {
  const cases = await inParallel(oneOfEach(stage.players), hands, async (player): Promise<Case> => {
    return { player, asker: await askerOf(player, stage), may: permittedTo(player, options.image) };
  });
  const tries = await inParallel(cases, hands, (each) => triesOf(each, stage));
  const tried = await tryAll(tries.flat(), stage.signal);
  const onThese = await inParallel(cases, hands, ({ player, asker, may }) =>
    withObjects(asker, may, async () => {
      const restarts = mayRestart(stage.settings)
        ? [{ ...(await byHand(player, stage, { name: "restart", rules: restarting })), all: [ofRestarts(player)] }]
        : [];
      return await tryAll([{ ...asker, all: onObjects(may, player) }, ...restarts], stage.signal);
    }),
  );
  return [...tried, ...onThese.flat()];
}

async function triesOf({ player, asker, may }: Case, stage: Stage): Promise<readonly Tries[]> {
  const { member } = player;
  const { settings } = stage;
  const all = [
    ofServices(may, await freeAddress(may, stage)),
    ofNodes(may, member),
    ofPlaces(may),
    ofImages(may, member),
    ofAmounts(may, member),
    ofEnds(may),
    ofNames(may, settings),
    ofAnnotations(may),
    ofClaims(may, member),
    ...ofTypes(may, member, settings),
    ofTokens(may, player),
  ];
  const router = await byHand(player, stage, { name: "route", rules: routing });
  return [
    { ...asker, all },
    { ...router, all: [ofRoutes(may, player, settings)] },
  ];
}

/** A cluster address that the API server would give now to the platform, which may choose one. */
async function freeAddress({ service }: Permitted, { api }: Stage): Promise<string | undefined> {
  const ask: Asker["ask"] = (method, path, body) => api.ask({ what: `${method} ${path}`, method, path, body });
  // By dry run, a Service gets the first address of the range, which is nobody's.
  const { body } = await dryRun(service({}).like, ask);
  const first = (body as { spec?: { clusterIP?: string } }).spec?.clusterIP ?? "";
  for (const address of addressesAfter(first)) {
    if ((await dryRun(service({ spec: { clusterIP: address } }), ask)).status < 300) {
      return address;
    }
  }
  return undefined;
}
